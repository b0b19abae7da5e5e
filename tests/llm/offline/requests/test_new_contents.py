"""New contents come to the class that is told with their names as they are written, however they are listed, and so do
those in the place of others."""

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


REPLACED = {
    "zh": ["第三章不学了，换成相似矩阵", "用相似矩阵代替第三章", "数字特征去掉，改学相似矩阵", "把第三章换成相似矩阵"],
    "en": [
        "instead of chapter 3 put similar matrices in probability",
        "swap chapter 3 out for similar matrices",
        "probability: similar matrices instead of chapter 3",
        "in probability replace moments by similar matrices",
    ],
}


@pytest.mark.parametrize(
    ("language", "said"), [(language, said) for language in REPLACED for said in REPLACED[language]]
)
async def test_something_new_comes_in_the_place_of_one(language: str, said: str) -> None:
    played = await play(Case(language, 0, (said, "!ok"), ()))
    contents = [item["content"] for row in played.chat.world.classes if row["id"] == 5 for item in row["items"]]
    assert len(contents) == 6
    assert contents[2] == {"zh": "相似矩阵", "en": "similar matrices"}[language]


GONE = {
    "zh": ["概率论里不要数字特征、第二章了", "概率论的第二章和第三章都不考了，删掉吧"],
    "en": [
        "erase moments and chapter 2 from probability please",
        "moments and chapter 2 won't be on the exam, delete them",
        "probability no longer covers chapter 2 and moments, remove them",
    ],
}


@pytest.mark.parametrize(("language", "said"), [(language, said) for language in GONE for said in GONE[language]])
async def test_several_contents_go_at_once_in_any_order(language: str, said: str) -> None:
    played = await play(Case(language, 0, (said, "!ok"), ()))
    ids = [item["id"] for row in played.chat.world.classes if row["id"] == 5 for item in row["items"]]
    assert ids == [501, 504, 505, 506]


KEPT = {
    "zh": ["概率论要多学一天", "给线代加强一下", "把第一章加到周五", "线代还要再复习一遍"],
    "en": ["linear algebra also needs more time", "put matrices in the evening"],
}


@pytest.mark.parametrize(("language", "said"), [(language, said) for language in KEPT for said in KEPT[language]])
async def test_what_is_no_name_comes_to_no_class(language: str, said: str) -> None:
    played = await play(Case(language, 0, (said, "!ok*"), ()))
    assert [len(row["items"]) for row in played.chat.world.classes] == [6, 4, 3, 2]
