"""Contents that go, or in whose place something new comes, in plain words: drop lab 1 and lab 2 from physics ->
delete Lab 1 Pendulum and Lab 2 Lenses."""

from __future__ import annotations

import re

from agent.llm.offline.language.normalize import fold_text, has_chinese, widths
from agent.llm.offline.language.spans.items.selections import SelectionPlan
from agent.llm.offline.language.utterance.new_contents import read_new_names
from agent.llm.offline.language.utterance.phrase_signs import CLASS, ITEM, NUMBERED, Signed, sign_phrases

_ONE = f"(?:{ITEM}|{NUMBERED})"
_ASKED_ZH = r"(?:请|麻烦|帮我|给我|我想|我要|把|将|\s)*"
_IN_ZH = rf"(?:{CLASS}\s*(?:里面?|中)?的?)?\s*"
_NOT_ZH = r"(?:不(?:[学要考用看做上]|再学|需要)|不想[学要看]|没用)了?"
_GOES_ZH = r"(?:删[掉除去]?|去[掉除]|拿掉|取消|移除)了?"
_BECOMES_ZH = r"(?:就|给我|那就|而是|而)*(?:替?换[成为上]|改[学看做]|改成学|改为学|替[换]?[成为]|变[成为])"
_END_ZH = r"(?:吧|哦|了|呗|就[行好]|[。.!！\s])*"
_REPLACES_ZH = tuple(
    re.compile(form)
    for form in (
        rf"{_ASKED_ZH}{_IN_ZH}(?P<old>{_ONE})\s*(?:{_NOT_ZH}|{_GOES_ZH})?[,，]?\s*{_BECOMES_ZH}\s*"
        rf"(?P<new>.+?){_END_ZH}",
        rf"{_ASKED_ZH}{_IN_ZH}(?P<old>{_ONE})\s*(?:{_NOT_ZH}|{_GOES_ZH})[,，]?\s*(?:再|然后)?(?:加上?|换|学|添上?)\s*"
        rf"(?P<new>.+?){_END_ZH}",
        rf"{_ASKED_ZH}[用拿以]\s*(?P<new>.+?)\s*来?(?:代替|替换|取代|换掉|替掉|顶替)\s*{_IN_ZH}(?P<old>{_ONE}){_END_ZH}",
        rf"{_ASKED_ZH}{_GOES_ZH}\s*{_IN_ZH}(?P<old>{_ONE})[,，]?\s*(?:再|然后|并|改)?(?:加上?|换成?|换上|学)\s*(?P<new>.+?){_END_ZH}",
    )
)
_LIST_ZH = rf"{_ONE}(?:\s*(?:[、,，和与跟及]|以及|还有)+\s*{_ONE})*"
_GO_ZH = tuple(
    re.compile(form)
    for form in (
        rf"{_ASKED_ZH}{CLASS}\s*(?:里面?|中)?的?{_NOT_ZH[:-2]}\s*(?P<old>{_LIST_ZH})了{_END_ZH}",
        rf"{_ASKED_ZH}{CLASS}\s*(?:里面?|中)?的?\s*(?P<old>{_LIST_ZH})\s*(?:都|全部?)*{_NOT_ZH}"
        rf"[,，]?(?:都|给我|帮我|请|把它们?)*{_GOES_ZH}(?:它们?)?{_END_ZH}",
    )
)
_ASKED_EN = r"(?:(?:can|could|would) you |please |pls |i(?:'d| would) like to |i want to |let'?s |and |just )*"
_THE = r"(?:the |my )?"
_IN_EN = rf"(?: (?:in|into|to|for|from|of|off) {_THE}{CLASS}(?:'s)?(?: (?:class|list|course))?)?"
_END_EN = r"(?:,? ?(?:please|instead|then|now)|[.!\s])*"
_TAKES_EN = r"(?:put|do|study|have|take|use|add|learn|cover|include|i want|i'd like|we do|we have|let'?s do)(?: in)?"
_DROPS_EN = r"(?:delete|remove|drop|scrap|erase|get rid of|kick out|take out|throw out|cut(?: out)?|bin|ditch)"
_REPLACES_EN = tuple(
    re.compile(form)
    for form in (
        rf"{_ASKED_EN}(?:in {_THE}{CLASS},? )?(?:replace|swap|exchange|substitute|trade) {_THE}(?P<old>{_ONE})(?: out)?"
        rf"{_IN_EN} (?:with|for|by) (?P<new>.+?){_IN_EN}{_END_EN}",
        rf"{_ASKED_EN}instead of {_THE}(?P<old>{_ONE}),? {_ASKED_EN}{_TAKES_EN} (?P<new>.+?){_IN_EN}{_END_EN}",
        rf"{_ASKED_EN}(?:{_THE}{CLASS}: ?)?(?:{_TAKES_EN} )?(?P<new>.+?) instead of {_THE}(?P<old>{_ONE})"
        rf"{_IN_EN}{_END_EN}",
        rf"{_ASKED_EN}{_DROPS_EN} {_THE}(?P<old>{_ONE}){_IN_EN},? ?(?:and |then )*{_TAKES_EN} (?P<new>.+?)"
        rf"{_IN_EN}{_END_EN}",
    )
)
_LIST_EN = rf"{_THE}{_ONE}(?:(?:,? and |, ?| & ){_THE}{_ONE})*"
_THEM = r"(?:it|them|those|both|these)"
_FROM_EN = rf" (?:in|from|of|off) {_THE}{CLASS}(?:'s)?(?: (?:class|list|course|topics))?"
_GO_EN = tuple(
    re.compile(form)
    for form in (
        rf"{_ASKED_EN}(?:{_DROPS_EN}|take) (?P<old>{_LIST_EN}){_FROM_EN}{_END_EN}",
        rf"(?:the )?(?P<old>{_LIST_EN}) (?:won'?t|will not|isn'?t|aren'?t|is not|are not|will no longer)(?: be)?"
        r"(?: (?:on|in|part of) (?:the )?\w+| (?:needed|required|relevant|examined|tested))?(?: any ?(?:more|longer))?"
        rf",? ?(?:so )?{_ASKED_EN}(?:{_DROPS_EN}|take) {_THEM}(?: out| off)?{_END_EN}",
        rf"(?:we |i )(?:skip|don'?t (?:need|do|cover|have)|no longer (?:need|do|cover)) (?P<old>{_LIST_EN})"
        rf"{_IN_EN},? ?(?:so )?"
        rf"{_ASKED_EN}{_DROPS_EN} {_THEM}{_IN_EN}{_END_EN}",
        rf"{_THE}{CLASS} (?:no longer|doesn'?t|does not) (?:covers?|includes?|has|have|contains?) (?P<old>{_LIST_EN})"
        r",? ?(?:so )?"
        rf"{_ASKED_EN}{_DROPS_EN} {_THEM}{_END_EN}",
    )
)


def spell_changed_contents(message: str, plan: SelectionPlan) -> str:
    """The message in plain words where items of a class go, or something new comes in the place of one; any other as it
    is."""
    text, zh = widths(message), has_chinese(message)
    signed = sign_phrases(fold_text(text), plan)
    for form in _REPLACES_ZH if zh else _REPLACES_EN:
        if (found := form.fullmatch(signed.text)) and (told := _replace(found, signed, text, zh=zh)):
            return told
    for form in _GO_ZH if zh else _GO_EN:
        if (found := form.fullmatch(signed.text)) and (names := _names_of(found["old"], found.group(), signed)):
            return f"删掉{'、'.join(names)}" if zh else f"delete {' and '.join(names)}"
    return message


def _replace(found: re.Match[str], signed: Signed, text: str, *, zh: bool) -> str:
    old, new = _names_of(found["old"], found.group(), signed), read_new_names(found["new"], "", signed, text)
    if len(old) != 1 or len(new) != 1 or new[0][1]:
        return ""
    return f"把{old[0]}换成“{new[0][0]}”" if zh else f'replace {old[0]} with "{new[0][0]}"'


def _names_of(told: str, whole: str, signed: Signed) -> list[str]:
    """The names of the items that a piece names; none where they are of another class than is told beside them."""
    rows = signed.items_of(told, _ONE)
    owners = {row["class_id"] for row in signed.items_of(whole, CLASS)}
    own = [row for row in rows if row["class_id"] in owners] if owners else rows
    known = {row["item_id"] for row in own}
    return [row["name"] for row in own] if known == {row["item_id"] for row in rows} else []
