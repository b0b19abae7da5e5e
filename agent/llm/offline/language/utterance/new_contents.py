"""What is to come to the contents of a class, in plain words with its names in quotation marks, so that no name is cut,
left out or taken for anything else: 把翻译练习也加到线代里 -> 给线性代数新增“翻译练习”."""

from __future__ import annotations

import re

from agent.llm.offline.language.normalize import fold_text, has_chinese, widths
from agent.llm.offline.language.spans.classes.item_list import as_written, is_name, split_names
from agent.llm.offline.language.spans.classes.new_lengths import take_length
from agent.llm.offline.language.spans.items.selections import SelectionPlan
from agent.llm.offline.language.spans.mentions import KINDS
from agent.llm.offline.language.spans.times.words import number_of
from agent.llm.offline.language.utterance.phrase_signs import CLASS, ITEM, NUMBERED, TIME, Signed, sign_phrases

_N = r"(?:\d{1,2}|[一两二三四五六七八九十几])"
_KIND_ZH = r"(?:内容|任务项?|项目|章节|步骤|小节|知识点|专题|主题|部分|东西|条目)"
_COUNT_ZH = rf"(?:(?P<n>{_N})(?:个|项|门|条|块|样|种)|个|项)?"
_LEAD_ZH = rf"(?:(?:以下|下面|如下|这|那)(?:的)?)?(?:{_COUNT_ZH})(?:新的?)?{_KIND_ZH}?"
_LEAD_ZH += r"(?:的?名?[叫是]做?|分别是|包括|就是|[:：,，])*\s*"
_MORE_ZH = r"(?:再|又|也|多|还|都|得|要|想|需要|应该|可以|帮我|给我|请|麻烦|另外|额外|新|把|我|\s)*"
_ADD_ZH = (
    rf"{_MORE_ZH}(?:新?增加|新增|添加|补充|增添|加入|加进|放进"
    r"|(?:[加添补塞插列写](?![班油强速快急重深长到紧])|(?<=[多再])放)(?:[上进入]去?)?)"
    r"(?:[了进来去]+|一下)?(?:一?[点些]儿?)?"
)
_STUDY_ZH = r"(?:学习?|复习|看|背|做|练习?|准备|掌握|刷)(?:一下)?"
_IN_ZH = r"(?:这门课|任务类|任务|课)?(?:的(?:内容|清单|列表|任务))?(?:里面?|里头|中间?|上面?|下面?|那边)?"
_TO_ZH = rf"(?:[加放补添列写塞归算]|加入|添加|安排|补充)?(?:到|进|入|在|给|去)+\s*{CLASS}{_IN_ZH}(?:去|来)?"
_TAIL_ZH = r"(?:也?[加添补](?:一下|上|进去)|一下|进去|上去|吧|哦|呗|了|[,，。.!！\s])*"
_THESE_ZH = rf"(?:这{_N}?(?:个|项|些|样|块)?{_KIND_ZH}?)?(?:也|都|一起|再|还|全)*"
_FORMS_ZH = tuple(
    re.compile(form)
    for form in (
        rf"{_MORE_ZH}(?:给|在|往|为|向)?\s*{CLASS}{_IN_ZH}[,，:：\s]*{_ADD_ZH}\s*{_LEAD_ZH}(?P<list>.+?){_TAIL_ZH}",
        rf"{_MORE_ZH}(?:给|在|往|为|向)?\s*{CLASS}{_IN_ZH}[,，\s]*(?:我|还|也|要|得|需要|想|应该)*(?:还|再|也|又|另外|多)"
        rf"(?:还|再|要|得|需要|想|应该|多|必须)*(?:{_STUDY_ZH}|(?<=[要得])有)\s*{_LEAD_ZH}(?P<list>.+?){_TAIL_ZH}",
        rf"{_MORE_ZH}(?:把|将)\s*(?P<list>.+?)\s*{_THESE_ZH}{_TO_ZH}{_TAIL_ZH}",
        rf"(?P<list>(?![把将]).+?)\s*{_THESE_ZH}(?:也|都|还)(?:要|得|需要|应该|想|算|可以|都|一起)*{_TO_ZH}{_TAIL_ZH}",
        rf"{_ADD_ZH}\s*{_LEAD_ZH}(?P<list>.+?)[,，]?\s*{_THESE_ZH}{_TO_ZH}{_TAIL_ZH}",
        rf"{CLASS}{_IN_ZH}(?:好像|是不是|我|还|也)*(?:漏|缺|少|差|忘)(?:[了掉]|加)*\s*{_LEAD_ZH}(?P<list>.+?)"
        rf"(?:没有?[加写放列][上进]?|[,，\s]*{_MORE_ZH}[加补添][一上进]?[下去]?){_TAIL_ZH}",
    )
)
_N_EN = r"(?:\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|an?|some|a few|a couple of|the following|these)"
_KIND_EN = r"(?:items?|topics?|contents?|tasks?|steps?|things?|parts?|chapters?|units?|sections?|subjects?|points?)"
_LEAD_EN = (
    rf"(?:(?P<n>{_N_EN}) )?(?:(?:more|new|extra|other|additional|another) )*(?:{_KIND_EN}\b(?! ?\d) ?)?"
    r"(?:(?:called|named|namely|titled)\b|[:,])*\s*"
)
_WISH_EN = (
    r"(?:(?:can|could|would|will) (?:you|we|i) |please |pls |i(?:'d| would) like to "
    r"|i (?:also )?(?:want|need|have|forgot) to |"
    r"let'?s |also |and |ok |we (?:also )?(?:need|have) to |you (?:can|could|should) )*"
)
_ADD_EN = r"(?:also )?(?:add|put|include|insert|append|throw|stick|tack on|squeeze)(?: in)?"
_CLASS_EN = rf"(?:the |my )?{CLASS}(?: (?:class|course|list|tasks?|plan|topics|items|contents?|syllabus))*"
_TO_EN = rf"(?:to|into|in|under|for|onto) {_CLASS_EN}"
_TAIL_EN = r"(?:,? ?(?:too|as well|also|please|then|(?:please )?add (?:it|them|that|those)(?: all| in)?)|[.!\s])*"
_FORMS_EN = tuple(
    re.compile(form)
    for form in (
        rf"{_WISH_EN}{_ADD_EN} {_LEAD_EN}{_TO_EN}[:,]? (?P<list>.+?){_TAIL_EN}",
        rf"{_WISH_EN}{_ADD_EN} {_LEAD_EN}(?P<list>.+?),? {_TO_EN}{_TAIL_EN}",
        rf"(?:i |we )?(?:(?:also|still|too) )+(?:have|need|want|must|should)(?: to)?"
        r" (?:study|learn|do|cover|revise|practi[sc]e|read)"
        rf" {_LEAD_EN}(?P<list>.+?),? {_TO_EN}{_TAIL_EN}",
        rf"{_CLASS_EN} (?:(?:also|still|is|needs|lacks|should|must|has to|have|covers?|includes?|need|missing) )*"
        rf"(?:(?<=also )\w+|(?<=still )\w+|missing|lacks|needs|covers|includes|include|cover|have) (?:also )?{_LEAD_EN}"
        rf"(?P<list>.+?){_TAIL_EN}",
        rf"(?:in|for|under) {_CLASS_EN},? (?:{_WISH_EN}{_ADD_EN}|i (?:also )?(?:forgot|missed|need))"
        rf" {_LEAD_EN}(?P<list>.+?){_TAIL_EN}",
        rf"{_CLASS_EN}: ?(?:{_ADD_EN}|also|plus|\+) {_LEAD_EN}(?P<list>.+?){_TAIL_EN}",
        rf"also (?!{_ADD_EN}){_LEAD_EN}(?P<list>.+?) {_TO_EN},?(?: please)? add (?:it|them|those){_TAIL_EN}",
    )
)
_ALSO = re.compile(r"\b(?:also|too|as well|still|missing|lacks)\b")
_NEEDS = re.compile(rf"{_CLASS_EN} (?:needs|covers|includes|should|must|has to)")
_BULLET = re.compile(r"(?:^|\n)\s*(?:[-–—•*·]\s+|\d{1,2}\s*[.)、．](?!\d)\s*|[①-⑳]\s*)|\n\s*")
_BULLETED = re.compile(r"^[^\n:：]*[^\s\d:：][^\n]*\n\s*(?:[-–—•*·]\s|1\s*[.)、．]|①)")
_INLINE_NUMBER = re.compile(r"(?:^|(?<=[\s,，;；、:：]))(?:\d{1,2}\s*[.)．](?!\d)|[①-⑳])\s*")
_QUOTED = re.compile(r"[“\"「『《]([^“”\"「」『』《》]+)[”\"」』》]")
_NO_CONTENT = re.compile(
    r"(?:限制|规定|要求|条件|备注|考试|截止|提醒|标签|时间|课时|节数|时长|优先级|难度|强度|休息|缓冲|间隔|复习|学习|练习|内容|任务|东西|油|课|作业)"
    r"|[一二两三四五六七八九十几半\d]+个?(?:小时|分钟|天|周|遍|倍|章|讲|课|单元|部分|篇|[节次点下]$).*|.*[一1]?[点些]"
    r"|[一二两三四五六七八九十几\d]+个?|[一-鿿]|.*(?:漏|忘|落|缺)(?:[掉了下]|记)*"
    rf"|(?:(?:my|an?|the) )?{_KIND_EN}"
    r"|(?:a )?(?:limit|rule|exam|deadline|reminder|time|priority|break|buffer|note|difficulty|it|them|that|this|those"
    r"|everything|all|something|more|rest|others?)(?: .*)?"
    r"|.*\b(?:hours?|minutes?|days?|weeks?|sessions?|periods?|time)\b.*"
)
"""What is added to a class and is none of its contents."""
_KIND_NAMES = frozenset(kind for kinds in KINDS for kind in kinds)
_IS_CALLED = re.compile(r"^(?:它们?|名字)?(?:叫做?|名为)|^(?:it'?s |they'?re )?(?:called|named) ")
_CALLED = re.compile(r"(?:^|\s|(?<=[\d一二三四五六七八九十章讲]))(?:(?:名字?)?叫做?|名为|(?:called|named|titled) )")
"""Behind it is what the one before is called."""
_PLACED = re.compile(
    r"[之以]?[前后]面?|中间|旁边|开头|末尾|最[前后]|\b(?:after|before|between|behind|first|last|end|start|beginning|instead)\b"
)
_DEED = re.compile(
    r"[挪移删换推调改排](?:[到成为掉进好前后]|一下)|取消|提前|去掉|不[要想排用]|别[的排再]"
    r"|\b(?:move|plan|schedule|delete|remove|drop|rename|change|not|don'?t|no)\b"
)
_WRITTEN_EN = ('"{}"', " {} sections", " ")


def spell_new_contents(message: str, plan: SelectionPlan) -> str:
    """The message in plain words where it adds contents to one class by their names; any other as it is."""
    text, zh = spell_listed_lines(widths(message)), has_chinese(message)
    signed = sign_phrases(fold_text(text), plan)
    for form in _FORMS_ZH if zh else _FORMS_EN:
        found = form.fullmatch(signed.text)
        owners = {row["class_id"] for row in signed.items_of(signed.text, CLASS)} if found else set()
        if not found or len(owners) != 1 or (not zh and _NEEDS.match(signed.text) and not _ALSO.search(signed.text)):
            continue
        outside = signed.text[: found.start("list")] + signed.text[found.end("list") :]
        names = read_new_names(found["list"], found.groupdict().get("n") or "", signed, text)
        if names and not re.search(f"{ITEM}|{NUMBERED}|{TIME}", outside) and not _PLACED.search(outside):
            owner = next(row["name"] for row in plan.classes if row["id"] in owners)
            return (
                f"给{owner}新增{quote_names(names, '“{}”', '{}节', '')}"
                if zh
                else f"add {quote_names(names, *_WRITTEN_EN)} to {owner}"
            )
    return message


def quote_names(names: list[tuple[str, int]], quoted: str, sized: str, joint: str) -> str:
    return joint.join(quoted.format(name) + (sized.format(length) if length else "") for name, length in names)


def spell_listed_lines(text: str) -> str:
    """A text whose lines, numbered or not, are divided as a list is."""
    first, *rest = [one for one in _BULLET.sub("\n", text).strip().split("\n") if one.strip()] or [""]
    joint = "、" if has_chinese(text) else ", "
    heads_list = first.rstrip().endswith((":", "：", ",", "，", "、")) or _BULLETED.search(text)
    listed = joint.join(one.strip().rstrip(",，、;；") for one in rest)
    plain = f"{first.rstrip()}{(' ' if heads_list else joint) if rest else ''}{listed}"
    return _INLINE_NUMBER.sub("", plain) if rest or len(_INLINE_NUMBER.findall(plain)) > 1 else plain


def read_new_names(told: str, count: str, signed: Signed, message: str) -> list[tuple[str, int]]:
    """The names of a list with their sections, as far as they are told; none where any of its pieces cannot be one."""
    if quoted := _QUOTED.findall(told):
        joined = _ONLY_BETWEEN.fullmatch(_QUOTED.sub("", told))
        return [(as_written(signed.restore(one), message), 0) for one in quoted] if joined else []
    number, told = number_of(count) if count else 0, _IS_CALLED.sub("", told)
    told = _WORDS_BETWEEN.sub("、" if has_chinese(told) else ", ", _GAPS.sub("、", told))
    names = list[tuple[str, int]]()
    for piece in split_names(told, number):
        name, length, each = take_length(_HEAD.sub("", piece).strip())
        if length and (each or (not name and len(names) + len(split_names(names[0][0] if names else "")) > 2)):
            return []  # of which of them it is, is not told here
        if name and not _is_new(name):
            return []
        names[-1:] = [(names[-1][0], length)] if names and not name else [*names[-1:], (name, length)]
    return [(as_written(signed.restore(name), message), length) for name, length in names if name]


_GAPS = re.compile(r"(?<=[一-鿿]{2})(?<!第.[章讲课])(?<![一二三四五六七八九十]) +(?=[一-鿿]{2})")
"""What divides a list of Chinese names that has no other marks."""
_WORDS_BETWEEN = re.compile(r"\s+plus\s+|\s*[,，]?(?:以及|还有|再加上?)\s*")
_ONLY_BETWEEN = re.compile(r"(?:[、,，;；\s]|和|以及|还有|跟|与|\band\b|\bplus\b|\balso\b)*")
_HEAD = re.compile(r"^(?:还有|以及|再加|和|跟|与|and |plus |also |a |an |the )+")


def _is_new(piece: str) -> bool:
    known = re.fullmatch(f"(?:{ITEM}|{NUMBERED}|{CLASS}|\\s)+", piece)
    other = (
        _CALLED.search(piece)
        or re.search(TIME, piece)
        or _PLACED.search(piece)
        or _DEED.search(piece)
        or _NO_CONTENT.fullmatch(piece)
    )
    return not known and not other and is_name(piece) and piece not in _KIND_NAMES
