"""What is read otherwise than it is written: the words of the page, its dates with blanks, in English its steps, tasks
and periods, in which answers are written too; and what a message wraps its request in: I would be most grateful if you
could ..., 不知道能不能麻烦您 ...

The page calls an item a step, a task class a task and a section a period; reading goes on with the words of the rest.
The words of a courtesy look like a condition or a question; without them the request is the one that it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

_APART = re.compile(r"(?<=\d) (?=[年月日号节])|(?<=[年月每天日周次项回]) (?=\d)")
"""4 月 22 日, 每天 1 节: a date or a rate as the page writes it."""
_DATE_APART = re.compile(
    r"(?<!\d)(?:\d{4} ?年 ?)?\d{1,2} ?月(?: ?\d{1,2}(?: ?[日号])?)?|(?<!\d)\d{1,2} [日号](?![语本文记常报])"
    r"|每[天日周次项回] ?\d{1,2}(?: ?节)?"
)
_STEP = re.compile(r"\bstep(s?)\b(?! by step)(?<!by step)", re.IGNORECASE)
_NO_ITEM = re.compile(
    r"\b(?:undo|redo|revert|back)\b|\bin (?:\w+ )?steps\b|\bsteps? (?:to take|should i take|i should take)\b",
    re.IGNORECASE,
)
"""Steps of what was done, or of doing it."""
_NEW_TASK = re.compile(
    r"\b((?:(?:creat|mak|add|start)\w*|set up) (?:an? |another |the )?(?:new )?|new )task"
    r"(?=:| (?:called|named)\b| [\"“]|(?-i: [A-Z])(?![^,.;]*\b(?:to|into|in|on)\b))",
    re.IGNORECASE,
)
"""What has a name, and is put nowhere: create a task French; not add a task Review to Algebra."""
_NOT_PLACED = re.compile(r"(?<=\bis )not (?:yet )?placed\b(?= ?(?:yet)?[?.!]*$)", re.IGNORECASE)
_ALLOW_IT = re.compile(r"\blectures that allow it\b", re.IGNORECASE)
_PERIOD = re.compile(r"(?<=\d )period(s?)\b|\bperiod(s?)(?= \d)", re.IGNORECASE)


def read_page_words(said: str, names: tuple[str, ...]) -> str:
    """Returns a message with the words of the page in the place of its own; what `names` contain stays as it is."""
    said = _ALLOW_IT.sub("filler courses", _NOT_PLACED.sub("unplaced", said))
    said = _DATE_APART.sub(lambda date: date[0] if _is_named(date[0], names) else _APART.sub("", date[0]), said)
    said = _PERIOD.sub(r"section\1\2", _NEW_TASK.sub(r"\1task class", said))
    return said if _NO_ITEM.search(said) or _is_named("step", names) else _STEP.sub(r"item\1", said)


_OWN = r"\b(?P<an>an )?(?:task )?(?P<word>class|item|section)(?P<more>e?s)?\b"
_OWN_PHRASE = r"\b(?P<phrase>unplaced|filler (?:course|lesson)s?)\b"
_OF_PAGE = {"class": "task", "item": "step", "section": "period"}
_PHRASES = {"unplaced": "not placed", "filler course": "lecture that allows it",
            "filler courses": "lectures that allow it", "filler lesson": "lecture that allows it",
            "filler lessons": "lectures that allow it"}  # fmt: skip
_QUOTED = re.compile(r"\"([^\"\n]+)\"")


def write_page_words(told: str, names: Iterable[str], said: Iterable[str]) -> str:
    """Returns an English answer with the words of the page in the place of those that reading goes on with; `names`
    and what is quoted of the student's own words (`said`) stay."""
    heard = "\n".join(said).lower()
    quoted = (one[0] for one in _QUOTED.finditer(told) if one[1].lower() in heard)
    lessons = (one[0] for one in _CLASS_SAID.finditer(told) if one[0].lower() in heard)
    kept = _find_touched({*names, *quoted, *lessons})
    return re.sub("|".join([*kept, f"(?i:{_OWN})", _OWN_PHRASE]), _write_page_word, told)


_ANY_WORD = re.compile("class|item|section|task|step|period|placed|filler|lecture", re.IGNORECASE)


def _find_touched(words: Iterable[str]) -> list[str]:
    """The patterns of the words that have one to be exchanged, the longest first: of ten thousand names few do."""
    return [re.escape(one) for one in sorted(filter(_ANY_WORD.search, words), key=len, reverse=True)]


_CLASS_SAID = re.compile(r"\b(?:have|has|got|is|there|no|any|in|to|after|before|during) class(?:es)?\b", re.IGNORECASE)
"""A lesson, where the student calls it so."""


def _write_page_word(found: re.Match[str]) -> str:
    if found["word"] is None:
        return _PHRASES[found[0]] if found["phrase"] else found[0]
    begins = found[0][0].isupper()
    whole = ("a " if found["an"] else "") + _OF_PAGE[found["word"].lower()] + ("s" if found["more"] else "")
    return whole[:1].upper() + whole[1:] if begins else whole


_PAGE = re.compile(r"\b(?P<a>a )?(?P<word>task|step|period)(?P<more>s?)\b", re.IGNORECASE)
_OWN_PHRASES = {page: own for own, page in reversed(_PHRASES.items())}
_OWN_WORDS = {"task": ("task class", "es"), "step": ("item", "s"), "period": ("section", "s")}


def read_answer_back(told: str, names: Iterable[str]) -> str:
    """Returns an English answer that was written in the words of the page with those that reading goes on with."""
    kept = _find_touched({*names, *_OWN_PHRASES})
    return re.sub("|".join([*kept, f"(?i:{_PAGE.pattern})"]), _read_own_word, told)


def _read_own_word(found: re.Match[str]) -> str:
    if found["word"] is None:
        return _OWN_PHRASES.get(found[0], found[0])
    word, plural = _OWN_WORDS[found["word"].lower()]
    whole = ("an " if found["a"] and word == "item" else found["a"] or "") + word + (plural if found["more"] else "")
    return whole[:1].upper() + whole[1:] if found[0][0].isupper() else whole


def _is_named(words: str, names: tuple[str, ...]) -> bool:
    return any(words in name.lower() for name in names)


_FIRST = re.compile(
    r"^(?:(?:but|wait|ok|hm+),? )*first,? (?=(?:tell|show) me\b)|^先(?=告诉我|跟我说|说说|给我看)", re.IGNORECASE
)
_GREETING = re.compile(
    r"^(?:dear [^,\n.]{2,24}|good (?:morning|afternoon|evening)|hello(?: there)?|hi(?: there)?)\s*[,.!]+\s*(?=\w+ \w+)"
    r"|^(?:您好|你好|老师好|亲爱的[^,，。!！]{1,8})\s*[,，。!！~]+\s*(?=.{4})",
    re.IGNORECASE,
)
_GLAD = r"(?:grateful|obliged|thankful|glad|happy|delighted|pleased|appreciative)"
_FRAMES = re.compile(
    # How glad somebody would be if ...
    rf"\b(?:(?:i|we)(?:'d| would| should)?(?: be| really| very much| most| much| truly| greatly| so){{0,4}}"
    rf" (?:{_GLAD}|appreciate(?: it)?) if"
    r"|it would be (?:\w+ ){0,2}(?:great|lovely|nice|wonderful|kind|helpful|good|cool)(?: of you)? (?:if|to))"
    r"(?: you (?:could|would|might|can))?(?: (?:please|possibly|perhaps|kindly|maybe))*\s+"
    r"(?=\w+ (?!be\b|is\b|are\b))"
    # Whether it can be done ...
    r"|\b(?:i (?:was|am|'m)(?: just)? wondering|i wonder|may i ask|could i ask you|i wanted to ask)"
    r"(?: (?:if|whether))?(?: you (?:could|would|might|can))?(?: (?:be|possibly|please|perhaps|maybe)){0,2}"
    r"(?: (?:so|very|that) (?:kind|good)(?: as)?)?(?: to)? +"
    r"(?=(?:please )?(?:plan|schedule|put|move|place|set|shift|add|swap|remove|take|keep|leave|arrange|find|make"
    r"|give|mark)\b)"
    r"|\b(?:would|could) (?:it be (?:at all )?possible(?: for you)?|you be (?:so|very) (?:kind|good)(?: as)?) to +"
    r"|\bif (?:it is|it's|that's|that is) (?:not too much|no) (?:trouble|bother),? *(?=\w)",
    re.IGNORECASE,
)
_FRAMES_ZH = re.compile(
    r"(?:不好意思|抱歉|打扰(?:一下|您了|你了)?)[,，、\s]*(?:打扰(?:一下|您了|你了)?[,，\s]*)?"
    r"|(?:不知道?|想问(?:一下|下)?|请问)(?:您|你)?(?:是否|能不能|能否|可不可以|可否|方不方便)(?=(?:麻烦|请|劳烦|帮))"
    r"|(?:能不能|能否|可不可以|可否|可以)?(?:麻烦|劳烦|拜托)(?:您|你|一下)*(?:帮(?:我|忙))?(?=把|将)"
)
"""The words in which a request is wrapped, each up to the request."""
_LIKED = re.compile(
    r"[,，]\s*(?:and )?(?:ideally|preferably|if possible|best|(?:最好|尽量|优先)(?:是|能|放|排|在)*)\s*"
    r"(?=(?:on|in|at)?\s*(?:the |an? )?(?:weekend|mon|tue|wed|thu|fri|sat|sun|morning|afternoon|evening|\d|周|星期|礼拜"
    r"|[上下]午|晚上|早上))",
    re.IGNORECASE,
)
"""Before the time that is liked best, in a clause of its own."""
_TAG = re.compile(
    r"(?<=.{4})[,，]\s*(?:你看)?(?:行不行|好不好|成不成|可不可以|中不中)\s*[?？]?\s*$"
    r"|(?<=.{4})(?<![这那][样么])(?<![这那][样么].)[,，\s]*(?<![还能会也])(?:行|好|成|中|可以)不[?？\s]*(?=$|[,，。!！])"
)
"""Behind a request that only asks to be granted."""
_NOT_KNOWN = re.compile(
    r"^(?:(?:so|hey|hm+|well|and),? )*(?:i(?:'m| am|'ve| have)? )?(?:(?:really|quite|just|kinda?|a bit) )*"
    r"(?:(?:not|never) (?:(?:really|quite|so|entirely) )?sure|unsure|(?:have )?no (?:idea|clue)|(?:don't|do not)"
    r" (?:really )?(?:know|remember|recall)|forgot|forget|can't remember|wonder(?:ing)?)(?: about)? "
    r"(?:(?P<to>(?:what|when|where|which|how)(?: \w+)?) to |(?:whether|if) "
    r"|(?=(?:what|when|where|which|how|why|who)\b))"
    r"|^我?(?:也|都|还|有点|现在)*(?:不(?:太|大|是很)?(?:知道|清楚|确定|记得)|拿不准|忘记?了|记不(?:清|得)了?|[没搞]不?清楚?了?)"
    r"(?=[^,，。;；]*(?:什么|啥|哪|几[个项节章天点号周]|多少|怎么|是不是|有没有|会不会|谁|多久))",
    re.IGNORECASE,
)
"""Before what somebody does not know, which is a question: not sure where to begin."""
_TOLD_TOO = re.compile(
    r"(?P<en>\b(?:and|then) (?:(?:then|also|please) )*)(?:(?:tell|show) me|let me know) "
    r"(?=(?:what|which|when|where|how)\b[^,.;?]*[.!?]*$)"
    r"|(?<=[,，;；])\s*(?:然后|再|并|顺便|另外|也)*请?(?:告诉我|(?:跟我)?说|给我看)(?:一?下)?"
    r"(?=[^,，。;；]*(?:什么|啥|哪|几|多少)[^,，。;；?？]*[。?？]*$)",
    re.IGNORECASE,
)
"""Before what is asked behind a request: move it and tell me what else is on that day."""
_OF_WEEK = re.compile(
    r"\bweek (?:of\b|\d)|\b(?:next|this) week\b"
    r"|(?:第\s*[\d一二三四五六七八九十]+\s*|[下这本那][一1]?个?)(?:周|星期|礼拜)(?![一二三四五六日天末])",
    re.IGNORECASE,
)


def unwrap_request(message: str) -> str:
    """A message without its courtesies; a time that is liked best within a week is one of that week."""
    rest = _TAG.sub("", _FRAMES_ZH.sub("", _FRAMES.sub("please ", _FIRST.sub("", message))))
    rest = _GREETING.sub("", rest) if rest != message else rest
    if unknown := _NOT_KNOWN.match(rest):
        asked = rest[unknown.end() :].rstrip(" .。!！?？")
        rest = f"{unknown['to']} should I {asked}?" if unknown["to"] else asked + ("?" if rest.isascii() else "？")
    if (asked := _TOLD_TOO.sub(lambda told: told["en"] or "", rest)) != rest:
        rest = asked.rstrip(" .。!！?？") + ("?" if rest.isascii() else "？")
    if _OF_WEEK.search(rest):
        rest = _LIKED.sub(lambda liked: " " if rest.isascii() else "的", rest, count=1)
    return rest if rest.strip(" .,，。") else message
