"""Turns that go on about what an answer told: the class that ends last, the other item, another last day."""

from __future__ import annotations

import re

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.dialogue.entities import name_of, name_picked_items
from agent.llm.offline.language.dialogue.filling import put_in
from agent.llm.offline.language.dialogue.memory import CLASS_WRITE, Exchange, Memory
from agent.llm.offline.language.dialogue.pointing.pointed_times import name_day, spell_in_week
from agent.llm.offline.language.dialogue.revision.taken_back import ROUND
from agent.llm.offline.language.lexicon import says
from agent.llm.offline.language.meaning.ellipsis import strip_known, wants_it_done
from agent.llm.offline.language.meaning.requests import APART
from agent.llm.offline.language.normalize import fold_numbers, fold_text
from agent.llm.offline.language.spans.mentions import all_items, classes_in, items_in, said_names
from agent.llm.offline.language.spans.targets import stands_at
from agent.llm.offline.language.spans.times.reading import read_times

_PAIR, _SHORT = 2, 40
"""Characters of a turn that names nothing itself."""
_ENDING = re.compile(
    r"最?(?:(?P<late>[后晚])|先|早)(?:学完|做完|结束|完成|截止)的?(?:那[1一]?[个门])?"
    r"|\bthe (?:one|class|subject)(?: that| which)? (?:end|finish)(?:s|ing|es) (?:(?P<last>last|later)|first|earlier)\b"
)
_OTHER = re.compile(r"(?:另外?|剩下的?那?)[1一]?[个门]|\bthe (?:other|remaining)(?: one| item| class)?\b")
_FIRST, _WHICH = re.compile(r"先|前|\b(?:first|before)\b"), re.compile(r"哪[1一]?个|\bwhich\b")
_LOAD = re.compile(r"轻松|空|闲|忙|满|累|\b(?:lighter|quieter|easier|emptier|busier|fuller|heavier|freer)\b")


_OTHER_CLASS = re.compile(
    r"(?:另外?|还?剩下?的?)那?(?:[1一]?门课?|[1一]?个(?:课程?|任务类))"
    r"|\bthe (?:other|remaining) (?:class|course|subject|task)\b"
)
_OTHER_OF_TWO = re.compile(rf"{_OTHER_CLASS.pattern}|另外?那?[1一]?个|\bthe other one\b")
"""The other class where a class was spoken of, and none of its items."""


def name_compared(text: str, last: Exchange, brief: Brief) -> str:
    """A turn with the name of the class which ends last or first of those asked about, of the other class that is not
    planned, or of the other one that is, or of the other of two items."""
    folded = fold_text(text)
    ending, other = _ENDING.search(folded), _OTHER.search(folded)
    ends = {row["class_id"]: row for row in sorted((row for row in brief.tasks if row["slot"]), key=stands_at)}
    planned = {row["class_id"] for row in brief.tasks}
    known = {*last.classes, *planned}
    left = [row for row in brief.classes if row["items"] and row["id"] not in known]
    form = _OTHER_CLASS
    if len(left) != 1 and len(last.classes) == 1 and {*last.classes} < planned:
        left = [row for row in brief.classes if row["id"] in planned and row["id"] not in last.classes]
        form = _OTHER_CLASS if last.items else _OTHER_OF_TWO
    if len(left) == 1 and last.classes and (found := form.search(folded)):
        return f"{folded[: found.start()]}{left[0]['name']}{folded[found.end() :]}"
    if not last.asked or said_names(folded, brief) or items_in(folded, brief, among=all_items(brief)):
        return text
    pair = last.listed if len(last.listed) == _PAIR else last.items
    if (ROUND.search(folded) or says("swap", folded)) and len(pair) == _PAIR and len(folded) <= _SHORT:
        one, two = sorted(pair, key=lambda row: (row["class_id"], row["order"]))
        if one["class_id"] != two["class_id"]:
            return brief.say(f"把{one['name']}和{two['name']}换一下", f"swap {one['name']} and {two['name']}")
        return brief.say(f"{two['name']}放到{one['name']}前面", f"{two['name']} should come before {one['name']}")
    if ending and len(last.classes) > 1 and {*last.classes} <= {*ends}:
        own = sorted(last.classes, key=lambda one: stands_at(ends[one]))
        name = brief.names_of([own[-1 if ending["late"] or ending["last"] else 0]]).strip('「」"')
        return f"{folded[: ending.start()]}{name}{folded[ending.end() :]}"
    if other is None or len(last.listed) != _PAIR or not last.items:
        return text
    first, then = (name_of(row, brief) for row in sorted(last.listed, key=stands_at))
    if _FIRST.search(folded) and not read_times(folded, brief.term):
        return brief.say(f"把{then}移到{first}之前", f"move {then} before {first}")
    head = name_picked_items(folded[: other.start()], last.listed, brief)
    if picked := items_in(head, brief):
        then = next(name_of(row, brief) for row in last.listed if row["item_id"] != picked[0]["item_id"])
    return f"{head}{then}{_IT.sub(first, folded[other.end() :])}"


_IT = re.compile(r"它(?!们)|\b(?:it|that one)\b(?! (?:too|as well|please)\b)")
"""What points to the item that an answer told first, behind words for the other one."""
_LITTLE = re.compile(r"if|even|then|来得及|够|(?:学|做|排)(?:得|不)?完|话|\W")
_ASKS_ON = re.compile(r"[?？]\s*$|[呢吗]\W*$|\b(?:what|how) about\b|\bwhat if\b")


def ask_until_other_day(text: str, last: Exchange, brief: Brief) -> str:
    """The question whether something is done until a day, for the other day that a turn tells; that day as the last one
    of its class, where a turn takes it: what about april 10?, do that."""
    folded, kinds = fold_text(text), ("day", "weekday")
    known = [one for one in read_times(last.said, brief.term) if one.kind in kinds]
    if not last.asked or last.intent != "fits" or len(known) != 1:
        return ""
    folded = spell_in_week(folded, brief.term.week_day(known[0].last)[0], brief) if known[0].last else folded
    told = [one for one in read_times(folded, brief.term) if one.kind in kinds]
    if known[0].last and len(last.classes) == 1 and wants_it_done(text):
        name, when = brief.names_of(last.classes).strip('「」"'), name_day(known[0].last, brief)
        if not any(row["slot"] for row in brief.tasks if row["class_id"] in last.classes):
            return brief.say(f"{when}之前排完{name}", f"plan {name} by {when}")
        return brief.say(f"{name}的截止日期改到{when}", f"the deadline of {name} is {when}")
    bare = len(told) == 1 and not _LITTLE.sub("", strip_known(folded, brief))
    return put_in(folded[told[0].start : told[0].end], last.said, brief) if bare and _ASKS_ON.search(folded) else ""


def go_on_with_told(text: str, memory: Memory) -> str:
    """A later last day of the class whose end was asked about, the other class that has no plan yet, or which of two
    weeks that were asked about is lighter."""
    last, brief, folded = memory.last, memory.brief, fold_numbers(text)
    named = classes_in(folded, brief.classes) or items_in(folded, brief, among=all_items(brief))
    if last is None or len(folded) > _SHORT or named:
        return ""
    times = read_times(folded, brief.term)
    day = times[0].last if [one.kind for one in times] == ["day"] else None
    due = last.asked and not last.listed and len(last.classes) == 1 and _DUE.search(last.answer)
    if day and due and _PUT_OFF.search(folded):
        name, when = brief.names_of(last.classes).strip('「」"'), name_day(day, brief)
        return brief.say(f"{name}的截止日期推迟到{when}", f"the deadline of {name} is {when}")
    weeks = sorted({one.target.week for one in memory.exchanges[-2:] if one.whole_week and one.target.week})
    if len(weeks) > 1 and not times and _WHICH.search(folded) and _LOAD.search(folded):
        return brief.say("第{}周和第{}周哪个更忙", "which week is lighter, week {} or week {}?").format(*weeks)
    planned = {row["class_id"] for row in brief.tasks}
    left = [row["name"] for row in brief.classes if row["items"] and row["id"] not in planned]
    if len(left) == 1 and _PLANNED.search(last.answer) and not times and _OTHER.search(folded):
        return brief.say(f"排{left[0]}", f"plan {left[0]}")
    return ""


_PLANNED = re.compile(r"生成初稿|a first plan for")
_DUE = re.compile(r"截止|\b[Dd]ue\b|end date|deadline")
_PUT_OFF = re.compile(r"延|拖|推迟|往后|\b(?:push\w*|postpon\w*|extend\w*|delay\w*)\b")


def add_removed_again(text: str, memory: Memory) -> str:
    """The request that gives a class an item again which was just removed from it; its name and what stood beside it
    are those of the plan as it was told."""
    last, brief, folded = memory.last, memory.brief, fold_text(text)
    if last is None or CLASS_WRITE not in last.wrote or len(folded) > _SHORT or not _AGAIN.search(folded):
        return ""
    owners = classes_in(last.answer, brief.classes)
    owner = brief.class_of(owners[0]) if len(owners) == 1 else None
    if owner is None or not _REMOVED.search(last.text) or items_in(folded, brief, among=all_items(brief)):
        return ""
    held = [one["content"] for one in owner["items"]]
    others = {one["content"] for row in brief.classes if row is not owner for one in row["items"]}
    told = [name for name in memory.told_names if name not in others]
    gone = [name for name in told if name not in held and _is_meant(name, last.text)]
    if len(gone) != 1:
        return ""
    before = [name for name in told[: told.index(gone[0])] if name in held]
    form = ("给{owner}加上{name}", "add {name} to {owner}")
    if before:
        form = ("在{owner}的{before}后面加上{name}", "add {name} to {owner} after {before}")
    return brief.say(*form, owner=owner["name"], name=gone[0], before=before[-1] if before else "")


def _is_meant(name: str, text: str) -> bool:
    """Whether a text names an item of which only the name is known, in full or by the label in front of it."""
    label = _LABEL.match(fold_text(name))
    return fold_text(name) in text or (label is not None and label.group() in text)


_LABEL = re.compile(r"(?:[a-z]+ \d+|[一-鿿\d]+)(?= )")
"""What numbers an item in front of what it is called: 第六章 假设检验, chapter 6 hypothesis tests."""
_AGAIN = re.compile(
    r"[加添放补要恢拿弄捡][^,，]{0,3}回|恢复|还是(?:要|得|留)|又[说要][^,，]{0,4}[考学要]|还要[考学]"
    r"|\b(?:put|add|bring|get|take|want|need|have)\b[^,.;]{0,16}\b(?:back|again|after all)\b|\brestore\b"
)
_REMOVED = re.compile(
    r"[删去拿移]|不[要用考学]|\b(?:delete|remove|drop|take|cut|get rid|scrap|leave)\b|\b(?:don't|no longer|isn't|not)\b"
)


_DROPS_NTH = re.compile(
    r"(?:那|就|先|请|帮我|给我|[把将])*(?P<cut>取消|去掉|删掉?|撤[销掉])?(?:(?P<zh>第\d|最后1?)[个条项]|(?P<every>全部|所有))的?"
    r"(?:规矩|限制|要求|愿望)?(?:都|给我|帮我|先)*(?P<cut2>取消|去掉|删[了掉除]|撤[了销掉]|不要)?[了掉吧呗。!\s]*"
    r"|(?:please |then |ok |just )*(?P<cut3>drop|remove|cancel|delete|forget|lift|clear) (?:the )?"
    r"(?:(?P<en>first|second|third|fourth|last)(?: (?:one|rule|limit|wish))?|(?P<all>all(?: of them)?|them all))"
    r"(?: please)?[.! ]*"
)
_NTHS = {"第1": 1, "第2": 2, "第3": 3, "第4": 4, "first": 1, "second": 2, "third": 3, "fourth": 4}


def drop_told_rule(text: str, last: Exchange, brief: Brief) -> str:
    """The rule that a turn counts on the list of them which was just told, to be dropped: 第一个去掉."""
    found = _DROPS_NTH.fullmatch(fold_numbers(text)) if last.asked and last.intent == "rules" else None
    if found is None or not any(found[one] for one in ("cut", "cut2", "cut3")):
        return ""
    free = [
        row["name"] for row in brief.classes if row["excluded_days"] or row["excluded_blocks"] or row["excluded_cells"]
    ]
    lifted = [brief.say(f"{name}什么时候都可以排", f"{name} can use every time again") for name in free]
    nth, held = found["zh"] or found["en"] or "", len(brief.wishes)
    if not nth and (held or lifted):
        return APART.join([*([brief.say("取消编号0的要求", "forget wish number 0")] if held else []), *lifted])
    number = _NTHS.get(nth, held + len(lifted))
    if held < number <= held + len(lifted):
        return lifted[number - held - 1]
    return brief.say(f"取消编号{number or 1}的要求", f"forget wish number {number or 1}")
