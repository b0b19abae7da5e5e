"""Words that turn a request around: a frame that does not hold them is not what was said, however likely it is."""

from __future__ import annotations

import re
from dataclasses import dataclass

from agent.llm.offline.language.lexicon import says
from agent.llm.offline.language.meaning.ellipsis import strip_fillers, unknown_name
from agent.llm.offline.language.normalize import fold_numbers
from agent.llm.offline.language.paraphrase.division import EACH
from agent.llm.offline.language.paraphrase.frames import QUESTIONS, TIMES, Frame
from agent.llm.offline.language.spans.classes.class_times import FITTING
from agent.llm.offline.language.spans.conditions.limit_forms import NOT_TOGETHER
from agent.llm.offline.language.spans.items.beside import CLOSE_BY
from agent.llm.offline.language.spans.mentions import NEGATED

_DENYING = frozenset([
    "leave_items", "leave_time", "nothing_on", "nothing_on_of", "not_two_a_day", "not_two_a_day_of", "classes_apart",
    "not_lesson_days", "not_lesson_days_of", "wish_nothing_on", "forget_wish", "away", "no_fillers", "never_on",
    "missed", "missed_all_on", "not_done", "move_away", "move_all_away", "take_out", "take_all_out", "take_class_out",
    "remove", "remove_of", "lesson_cancelled", "waiting", "why_no_place", "undo", "undo_move", "most_a_day",
    "most_a_day_of", "most_a_week", "most_a_week_of", "wish_most_a_day", "left", "left_of",
])  # fmt: skip
"""Forms that say what is not to be."""
_BESIDE = frozenset(["move_after", "move_before", "order", "order_in", "add_item_after", "add_item_before", "next_of"])
_COUNTING = frozenset(
    ["did_half", "most_a_day", "most_a_day_of", "most_a_week", "most_a_week_of", "undo", "what_changed"]
)
_BOUNDED = frozenset(
    ["finish_by", "finish_by_of", "deadline", "plan_until", "plan_from", "begins", "exam", "create_until"]
)
_RESTRICTING = frozenset(["only_on", "only_on_of", "always_on", "wish_only_on", "finish_by", "plan_until"])


@dataclass(frozen=True)
class Operator:
    """Words that turn a request around, and the forms and modifiers of which one holds them."""

    words: re.Pattern[str]
    forms: frozenset[str] = frozenset()
    modifiers: frozenset[str] = frozenset()


_DENIES = re.compile(
    r"^(?:请|麻烦)?(?:你)?(?:千万|先|暂时)?(?:不要|别|不用|不必|甭)"
    r"|^(?:please |pls |no,? )*(?:don't|do not|never|no need|you needn't)\b"
)
_OPERATORS = (
    Operator(re.compile(r"交替|轮流|轮着|穿插|\b(?:alternat\w+|tak(?:e|ing) turns)\b")),
    Operator(
        re.compile(
            r"除[了去]|除[^,，。]{1,10}[之以]?外|例外"
            r"|\b(?:except|apart from|aside from|other than|excluding|(?:everything|all|anything) but)\b"
        ),
        _RESTRICTING,
        frozenset({"except", "but_not_on"}),
    ),
    Operator(
        _DENIES,
        _DENYING,
        frozenset({"but_not_on", "except", "question_only"}),
    ),
    Operator(
        re.compile(
            r"\b(?:the|all) (?:others?|rest)\b(?!,? (?:\w+ )?(?:stays?|remains?|keeps?|alone|as|where|untouched))"
            r"|(?:其[他余它]|剩下)(?:的|任务|内容)*(?![^,，。]{0,4}(?:不动|别动|照旧|不变|不管|保持))"
        ),
        frozenset(QUESTIONS),
        frozenset({"except"}),
    ),
    Operator(
        re.compile(
            r"如果(?!可以|方便|可能|有空|行)|要是(?!可以|方便|有空)|万一|除非"
            r"|\b(?:unless|provided)\b"
            r"|\bif (?!possible|you\b|u\b|that's|that is|that works|need|it's|it is|free|there's|there is|i could|so\b)"
        ),
        frozenset(QUESTIONS),
        frozenset({"if", "unless", "if_free"}),
    ),
    Operator(
        re.compile(r"每[天周](?:最多|至多|顶多|别超过|不超过|不要超过)|\b(?:at most|no more than|max(?:imum)?)\b"),
        frozenset(one for one in _DENYING if "most_" in one) | frozenset(QUESTIONS),
        frozenset({"most_a_day", "one_a_day"}),
    ),
    Operator(
        re.compile(
            r"最[早晚迟](?!的)|[不别](?:要|能|可以|得|可)?(?:早|晚|迟|先)[于过]"
            r"|\bno(?:t any)? (?:earlier|later|sooner) than\b|\bnot (?:before|after)\b|\bat the (?:earliest|latest)\b"
        ),
        frozenset(QUESTIONS) | _BOUNDED,
    ),
    Operator(re.compile(r"改名|重命名|更名|\brenam\w+"), frozenset({"rename_class", "rename_item"})),
    Operator(re.compile(r"拆成|分成[23456两三四五六]|\b(?:split|break|divide)\b.*\binto\b")),
    Operator(
        re.compile(
            r"[日号月底天]前(?:就|要|得|全部?|都)*(?:[学做弄背看考]|复习)完|\b(?:done|finished|through) (?:by|before)\b"
        ),
        frozenset({*QUESTIONS, "finish_by", "finish_by_of", "deadline", "plan_until"}),
        frozenset({"time"}),
    ),
    Operator(re.compile(r"分别|各自|\brespectively\b"), frozenset(QUESTIONS), frozenset({EACH})),
    Operator(
        re.compile(r"(?:最[后末]|[前后头])\s*\d+\s*[个章项讲次门]|\b(?:first|last|final) (?:\d|two|three|four|few)\b"),
        _COUNTING,
    ),
    Operator(CLOSE_BY, _BESIDE | frozenset(QUESTIONS), frozenset({"close_by"})),
    Operator(re.compile(r"\bone (?:after|before)\b|[前后][面边]那[1一]?[个项章]"), _BESIDE),
    Operator(
        re.compile(
            r"要不要|该不该|应不应该|(?<!when )(?<!where )\b(?:should|shall) (?:i|we)\b|\bis it (?:better|worth|wise)\b"
        )
    ),
    Operator(re.compile(r"不然|否则|要么|\b(?:otherwise|or else|or if)\b")),
)
_ASKS = re.compile(
    r"^(?:and |so |ok )?(?:how (?:many|much|long|full)|which|when|where|who|why(?! (?:not|don't))"
    r"|what(?! about)(?!'s more))\b|干[嘛吗啥](?=[不没排放])"
    r"|(?:多少|几[项个天节门章]|哪[一些几天门周]?(?![都也]|无所谓|随)|什么时候|为什么|是不是|有没有)[^,，。]{0,12}[?？吗呢]?$"
)
"""What asks, and wants no change."""
_DENIED = re.compile(r"没|忘|未|快要?[做学看背写弄]完|\b(?:almost|nearly|not|forgot|forgotten|missed|skipped|\w+n't)\b")
"""What was not done after all."""
_TO_BE_DONE = re.compile(r"前[^,，。;；]{0,12}[做学看背写弄]完(?![了的])|^(?:finish|complete|get)\b.*\b(?:before|by)\b")
"""What is to be done until a day, and is not done yet."""
_EXTREME = re.compile(
    r"最[空满闲忙少多]的|最[空满闲忙]"
    r"|\b(?:emptiest|fullest|busiest|quietest|lightest|least busy|the (?:least|most))\b"
)
"""What has to be looked up before anything is moved there."""
_ONLY_ASKED = re.compile(
    r"只(?:告诉|回答|说)|先(?:别|不要)改|\b(?:just|only) (?:tell|answer)\b|\bdon't (?:change|touch|move) any"
)
_SELECTS = re.compile(
    r"第[1-9]个|[最末头尾][后1]|其中|[后前][面边]那?[1一]?个|^(?:that|the) \w+ one\b"
    r"|\b(?:first|second|third|last|next|other) (?:one|two)\b|\bone (?:after|before)\b"
)
"""What picks some of several, of which a frame that takes all over knows nothing."""
_OBJECT = re.compile(
    r"[把将](?!它|他|她|这|那|其|所有|全部|都|剩|任务|内容)[^,，。]{2,12}?[移挪换放排改调推提拿删撤]"
    r"|^(?:please |pls |can you |could you )*(?:move|put|shift|take|push) "
    r"(?!it|them|this|that|those|these|both|all|the)\w{4,}"
)
"""What names something, known or not."""
_LISTS = re.compile(r"\b(?:of )?(?:them|those|these)\b|其中|它们|这些|^[^课]{0,6}有哪些(?!课|任务类|要求|内容)")
"""What asks for some of a list that was told."""
_COUNTED = ("plan", "move_all", "put_in_waiting", "catch_up", "create", "nothing", "only", "days_between", "in_order")
"""Forms of which a number a day or a condition can be held."""
_NAMED = frozenset({"item", "items", "class"})
_ONE_OF_IT = re.compile(
    r"(?:第[1-9]|[最末头][后1]?)[1一]?[个项章](?!星期|月|周)|\[\d+\]"
    r"|\b(?:first|second|third|last) (?:item|chapter|lab|unit|one|topic)\b"
)
"""What picks one of the items of a class, of which a frame of the class alone knows nothing."""
_LASTS = frozenset({"add_item", "order", "order_in"})
_DONE = frozenset({"did", "did_all_on", "done"})
_MARKING = frozenset({*_DONE, "missed", "missed_all_on", "did_half", "catch_up_items", "left", "left_of"})
"""Forms that tell what became of items, of which none is begun."""
_NOT_THEN = re.compile(
    r"(?:不想|不要|不能|不可以|不希望|不愿意?|不许|不|别)(?:再|给我|把它|排|放|安排|挪|移|学|在|到|于)*$"
    r"|\b(?:not|never|cannot|\w+n't|without)"
    r"(?:\s+(?:do|put|have|be|go|want|study|learn|on|in|at|to|it|the|any|move|place|plan|schedule|like)){0,5}\s*$"
)
"""What stands right in front of a time that is not wanted."""
_NOT_TOGETHER = re.compile(
    rf"{NOT_TOGETHER}|最多[^,，。;；]{{0,6}}[1一][个项]|\b(?:at most|maximum|max)\b[^,.;]{{0,40}}\b(?:same|one|a) day\b"
)


_CHANGES_PLACE = ("move_", "swap_items", "take_out", "put_in", "catch_up_items")
_CLAUSE = re.compile(r"[,，。;；!！?？]|\.(?:\s|$)|\b(?:and|but)\b")
_REFUSES = re.compile(r"\b(?:no|not|never|\w+n't|except|without|skip|avoid|but)\b|别|不(?!错)|除|没")


_OFF = re.compile(r"\boff (?:the |my )?$")
"""In front of a time from which something is to be gone."""
_FREES = frozenset(["nothing_on", "nothing_on_of", "never_on", "wish_nothing_on"])
_FILLS = re.compile(
    r"[排放塞][1一]?[点些]"
    r"|\b(?:put|place|schedule|fit|add|squeeze) (?:something|sth|some\b|stuff|a (?:task|session|chapter))"
)
"""What puts something at a time that a frame leaves free."""
_REFUSES_TWICE = re.compile(r"\b(?:no|not|nothing|never)\b.* (?:and|nor) (?:no|not|nothing|never)\b")
"""What refuses two times, of which neither bounds the other."""
_TIMED = re.compile(
    r"周[一二三四五六日天末]|[早上下]午|早上|晚上|\b(?:morning|afternoon|evening|night|weekend|\w+day)s?\b"
)


def holds_operators(frame: Frame, text: str) -> bool:
    """Whether a frame holds the words of its folded text that turn a request around."""
    held = {*frame.modifiers, *frame.slots}
    if frame.changes and not held & {*TIMES} and says("softly", text) and _TIMED.search(text):
        return False  # the time that is to be tried is lost
    if held & {"unless", "if"} or (held & {"most_a_day", "one_a_day"} and not frame.form.startswith(_COUNTED)):
        return False
    if frame.form in ("move_to", "put_in_on") and any(
        _OFF.search(text.partition(time)[0]) for time in frame.slots.get("time", ())
    ):
        return False
    taken_over = {"items", "item"} & {*frame.slots} - frame.filled
    named = _SELECTS.search(text) or _OBJECT.search(text) or unknown_name(text)
    if (taken_over and named) or (not frame.changes and not frame.filled & _NAMED and _LISTS.search(text)):
        return False
    if frame.changes and (_ASKS.search(text) or _EXTREME.search(text) or _ONLY_ASKED.search(text)):
        return False
    if frame.form in _DONE and _DENIED.search(text):
        return False
    if {*frame.slots.get("items", ())} & {*frame.slots.get("item", ())}:
        return False  # nothing is put beside itself: what it is taken over from was misread
    if frame.form in _MARKING and says("not_begun", text):
        return False
    if is_contrary(frame, text):
        return False
    whole = frame.filled & _NAMED == {"class"} and frame.form not in _LASTS and "except" not in held
    if frame.changes and whole and _ONE_OF_IT.search(text):
        return False
    return all(
        frame.form in one.forms or held & one.modifiers
        for one in _OPERATORS
        if (found := one.words.search(text)) and not _in_slot(frame, found.group())
    )


def is_contrary(frame: Frame, text: str) -> bool:
    """Whether a frame would do what its folded text does not want, or put something at a time that it does not."""
    if _is_only_to_stay(frame, text) or (frame.form in _DONE and _TO_BE_DONE.search(text)):
        return True
    if frame.form in _FREES and (_REFUSES_TWICE.search(text) or (_FILLS.search(text) and not _REFUSES.search(text))):
        return True
    if not frame.changes or frame.form in _DENYING:
        return False
    if frame.form in ("move_same_day", "classes_together") and _NOT_TOGETHER.search(text):
        return True
    if any(_is_wanted_then(piece, text) for piece in frame.slots.get("but_not_on", ())):
        return True
    plain = _without_names(frame, text)
    denied = any(_NOT_THEN.search(plain[: plain.find(one)]) for one in _times_in(frame))
    return denied or (_DENIES.search(text) is not None and not {"but_not_on", "except"} & frame.slots.keys())


def _without_names(frame: Frame, text: str) -> str:
    """A text without the names that fill slots: don't want to do matrices on friday."""
    named = [piece for name in ("items", "item", "class") if name in frame.filled for piece in frame.slots[name]]
    for piece in named:
        text = text.replace(fold_numbers(piece), "")
    return text


def _is_only_to_stay(frame: Frame, text: str) -> bool:
    """Whether all items that a frame would change are named only in what is to stay where it is: 别把行列式挪走."""
    named = [piece for name in ("items", "item", "item2") if name in frame.filled for piece in frame.slots[name]]
    if not frame.form.startswith(_CHANGES_PLACE) or not named or NEGATED.search(text) is None:
        return False
    rest = NEGATED.sub(" ", text)
    return not any(piece in rest for piece in named)


def _is_wanted_then(piece: str, text: str) -> bool:
    """Whether a time that a frame leaves free stands in a clause that only tells it to be used (晚上就行), or names it
    and no more where nothing is refused: on a tuesday or thursday."""
    before, _, behind = text.partition(piece)
    clause = _CLAUSE.split(before)[-1] + piece + _CLAUSE.split(behind)[0]
    if strip_fillers(clause) == strip_fillers(piece) and _REFUSES.search(text) is None:
        return True
    return FITTING.search(clause) is not None and _REFUSES.search(clause) is None


def _times_in(frame: Frame) -> list[str]:
    return [one for name in ("time", "time2") if name in frame.filled for one in frame.slots[name]]


def _in_slot(frame: Frame, words: str) -> bool:
    return any(words in piece for name in frame.filled for piece in frame.slots[name])
