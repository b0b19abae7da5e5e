"""Places that planner and models name by week and sections, as the page shows them."""

from __future__ import annotations

import json
import subprocess
from datetime import date
from pathlib import Path

import pytest
from django.utils.translation import override
from playwright._impl._driver import compute_driver_executable

from schedules.planner.rules.violations import Rule
from smartmate.pages.texts import PAGE_TEXTS
from smartmate.templatetags.days import month_day, whole_day

pytestmark = pytest.mark.storeless
ROOT = Path(__file__).resolve().parents[3] / "agent/static/agent"
TIMES = ["08:00 08:45", "08:55 09:40", "10:00 10:45", "10:55 11:40", "14:00 14:45", "14:55 15:40", "16:15 17:00"]
TERM = {"first_monday": "2026-09-07", "weeks": 20, "section_times": [one.split() for one in TIMES]}
SCRIPT = """
globalThis.document = {{ getElementById: () => ({{ textContent: {config} }}) }};
const {{ dated, rememberNames, rememberTerm }} = await import("file://{root}/week/term.js");
rememberTerm({term});
rememberNames({names});
console.log(JSON.stringify({texts}.map(dated)));
"""


def dated(locale: str, *texts: str, names: tuple[str, ...] = ()) -> list[str]:
    with override(locale):
        config = json.dumps({"locale": locale, "strings": {key: str(text) for key, text in PAGE_TEXTS.items()}})
    script = SCRIPT.format(
        config=json.dumps(config),
        root=ROOT,
        term=json.dumps(TERM),
        names=json.dumps(names, ensure_ascii=False),
        texts=json.dumps(texts, ensure_ascii=False),
    )
    node = str(compute_driver_executable()[0])
    done = subprocess.run([node, "--input-type=module", "-e", script], capture_output=True, text=True, check=True)
    found: list[str] = json.loads(done.stdout)
    return found


def test_every_rule_that_refuses_a_place_has_words() -> None:
    assert {f"rule.{rule.value}" for rule in Rule} <= PAGE_TEXTS.keys()


def test_a_place_is_told_by_date_and_clock() -> None:
    assert dated(
        "zh",
        "「词根」移到第7周 周三 5-6节。",
        "将 词根 从第7周 周三 5-6 节移到周六 1-2 节？",
        "第7周周三第7节",
        "第3周 周二、第4周 周日都空着",
        "第21周 周一 1-2节",
        "第3周到第6周，共12节",
    ) == [
        "「词根」移到 10 月 21 日 周三 14:00–15:40。",
        "将 词根 从 10 月 21 日 周三 14:00–15:40 移到 10 月 24 日 周六 08:00–09:40？",
        "10 月 21 日 周三 16:15–17:00",
        "9 月 22 日 周二、10 月 4 日 周日 都空着",
        "第21周 周一 1-2节",
        "第3周到第6周，共12节",
    ]


@pytest.mark.parametrize(
    ("told", "shown"),
    [
        ("Moved to week 7 Wed, sections 5-6.", "Moved to Wed, Oct 21, 14:00–15:40."),
        ("from wk 3 Tue 1 to wk 4 Sun", "from Tue, Sep 22, 08:00–08:45 to Sun, Oct 4"),
        ("Wk 7 Wed, section 5: free", "Wed, Oct 21, 14:00–14:45: free"),
        ("wk 7 Wed 3 tasks", "Wed, Oct 21 3 tasks"),
        ("week 7 Wed, 14:00", "Wed, Oct 21, 14:00"),
    ],
)
def test_english_names_the_month(told: str, shown: str) -> None:
    assert dated("en", told) == [shown]


def test_a_date_is_told_once_and_in_one_spelling() -> None:
    assert dated(
        "zh",
        "行列式：第7周 周三 5-6节（10月21日）",
        "第3周 周二（9月22日）、第4周 周日（10月4日）都空着",
        "从10月21日到11月3日，共6项",
        "12月1日作业：2026年10月21日",
        names=("12月1日作业",),
    ) == [
        "行列式：10 月 21 日 周三 14:00–15:40",
        "9 月 22 日 周二、10 月 4 日 周日 都空着",
        "从 10 月 21 日 到 11 月 3 日，共6项",
        "12月1日作业：2026年10月21日",
    ]
    assert dated("en", "Moved to week 7 Wed, sections 5-6 (21 Oct).") == ["Moved to Wed, Oct 21, 14:00–15:40."]


def test_a_name_that_spells_a_place_stays_as_it_is() -> None:
    assert dated(
        "zh",
        "第 3 周周二（上）：第4周 周日",
        "把「第3周 周二」移到第7周 周三 5-6节",
        names=("第 3 周周二（上）", "词根"),
    ) == ["第 3 周周二（上）：10 月 4 日 周日", "把「第3周 周二」移到 10 月 21 日 周三 14:00–15:40"]
    assert dated("en", 'Move "Week 3 Tue" to wk 4 Sun', "Lab week 3 Tue", names=("Lab week 3 Tue",)) == [
        'Move "Week 3 Tue" to Sun, Oct 4',
        "Lab week 3 Tue",
    ]


def test_a_day_is_told_once_and_its_sections_by_the_clock() -> None:
    assert dated(
        "zh",
        "词根：第7周 周三 5-6节（10月21日）\n后缀：第7周 周四 1-2节（10月22日）",
        "第7周 周三（10月21日）：1-2节 高等数学、3-4节 英语",
        "第7周 周三（10月21日） 3-4节、6-7节",
        "第7周 周三（10月21日）：课程 4 节，空闲 8 节。",
    ) == [
        "词根：10 月 21 日 周三 14:00–15:40\n后缀：10 月 22 日 周四 08:00–09:40",
        "10 月 21 日 周三：08:00–09:40 高等数学、10:00–11:40 英语",
        "10 月 21 日 周三 10:00–11:40、14:55–17:00",
        "10 月 21 日 周三：课程 4 节，空闲 8 节。",
    ]
    assert dated(
        "en",
        "Roots: wk 7 Wed 5-6 (21 Oct)\nSuffixes: wk 7 Thu 1\nPrefixes: wk 7 Fri 3 (23 Oct)",
        "wk 7 Wed (21 Oct): 1-2 Calculus, 3-4 English",
        "wk 7 Wed (21 Oct) 3-4, 6-7",
    ) == [
        "Roots: Wed, Oct 21, 14:00–15:40\nSuffixes: Thu, Oct 22, 08:00–08:45\nPrefixes: Fri, Oct 23, 10:00–10:45",
        "Wed, Oct 21: 08:00–09:40 Calculus, 10:00–11:40 English",
        "Wed, Oct 21, 10:00–11:40, 14:55–17:00",
    ]


def test_a_model_that_answers_in_the_other_language_is_understood() -> None:
    assert dated("en", "第7周 周三 5-6节") == ["Wed, Oct 21, 14:00–15:40"]


def test_months_have_names_in_english_only() -> None:
    day = date(2026, 3, 4)
    with override("en"):
        assert month_day(day) == "Mar 4"
        assert whole_day(day) == "Wed, Mar 4"
    with override("zh-hans"):
        assert month_day(day) == "3 月 4 日"
        assert whole_day(day) == "3 月 4 日 周三"
