"""New contents come to the class that is told with their names as they are written, however they are listed."""

from __future__ import annotations

import pytest

from tests.conversations.checker import Case, play

FORMS = {
    "zh": [
        "把{}也加到线代里",
        "线性代数还要学{}",
        "{}也要加到线代",
        "给线代加三个内容：{}",
        "线代漏了{}，加一下",
        "加三个任务：{}，放到线代里",
    ],
    "en": [
        "linear algebra needs {} too",
        "please add these to linear algebra: {}",
        "i also have to study {} for linear algebra",
        "include {} in linear algebra",
        "in linear algebra i forgot {}, add them",
        "can you add {} to my linear algebra list",
    ],
}
NAMES = {"zh": ["二次型", "短文改错", "翻译练习"], "en": ["Quadratic forms", "Phrasal verbs", "Mock exams"]}
LISTS = {
    "zh": ["{}、{}和{}", "{}，{}，{}", "“{}”、“{}”、“{}”", "{}、{}，还有{}", "{} {} {}", "1. {}\n2. {}\n3. {}"],
    "en": ["{}, {} and {}", "{}, {}, {}", '"{}", "{}", "{}"', "{}, {} plus {}", "{}, {}, and {}"],
}
COMPOSED = [
    (language, form, LISTS[language][at % len(LISTS[language])])
    for language in FORMS
    for at, form in enumerate(FORMS[language])
]
ENDS_WITH_LIST = [
    ("zh", "给线代加三个内容：\n{}", "1. {}\n2. {}\n3. {}"),
    ("en", "add three items to linear algebra:\n{}", "- {}\n- {}\n- {}"),
]


@pytest.mark.parametrize(("language", "form", "listed"), [*COMPOSED, *ENDS_WITH_LIST])
async def test_new_contents_have_their_names_as_written(language: str, form: str, listed: str) -> None:
    said = form.format(listed.format(*NAMES[language]))
    played = await play(Case(language, 0, (said, "!ok"), ()))
    contents = [item["content"] for row in played.chat.world.classes if row["id"] == 6 for item in row["items"]]
    assert len(contents) == 7
    assert contents[4:] == NAMES[language]


KEPT = {
    "zh": ["概率论要多学一天", "给线代加强一下", "把第一章加到周五", "线代还要再复习一遍"],
    "en": ["linear algebra also needs more time", "put matrices in the evening"],
}


@pytest.mark.parametrize(("language", "said"), [(language, said) for language in KEPT for said in KEPT[language]])
async def test_what_is_no_name_comes_to_no_class(language: str, said: str) -> None:
    played = await play(Case(language, 0, (said, "!ok*"), ()))
    assert [len(row["items"]) for row in played.chat.world.classes] == [6, 4, 3, 2]
