"""The pieces of which a time is said, Chinese and English: what each looks like, and who reads it.

A piece is a day, some days, a week, weekdays, a part of the day, sections, an hour, or how often. How pieces side by
side make ranges and lists, and what stands before and behind them, is told in `reading`.
"""

from __future__ import annotations

from agent.llm.offline.language.spans.times.piece_readers import (
    DOTTED,
    Reader,
    read_bare_hours,
    read_clock,
    read_day_alone,
    read_days_ahead,
    read_dotted,
    read_en_day_month,
    read_en_month_day,
    read_en_week,
    read_en_weekday,
    read_en_weekend,
    read_every,
    read_iso,
    read_last_day,
    read_last_week,
    read_month_day,
    read_month_stretch,
    read_now,
    read_numbers,
    read_offset_day,
    read_part,
    read_relative_day,
    read_rest_of_week,
    read_section,
    read_sections,
    read_slashed,
    read_week_on,
    read_weekends,
    read_workdays,
    read_zh_week,
)
from agent.llm.offline.language.spans.times.words import (
    COUNT,
    DAY_NAME,
    EN_COUNTS,
    EN_DAY,
    ITEM_KINDS,
    MONTH,
    NUM,
    ORDINALS,
    PARTS,
    SUFFIX,
    WEEK,
)

_MAY = (
    r"(?:(?<!\bmay)|(?<=and \d may)|(?<=and \d\d may)|(?<=to \d may)|(?<=to \d\d may)|(?! (?:i|have|we|need|take)\b))"
)
"""What stands behind a number and "may": the month ends a range whatever follows, else a verb may; no other month is
a verb."""
_MONTH_SAID = (
    rf"(?!may\b|mar\b|march\b){MONTH}|(?:(?<=\bin )|(?<=\bof )|(?<=\bby )|(?<=before )|(?<=until )|(?<=till )"
    rf"|(?<=after )|(?<=since )|(?<=during )|(?<=\ball )|(?<=from )|(?<=mid-)|(?<=mid )|(?<=early )|(?<=late )"
    rf"|(?<=this )|(?<=next )|(?<=\bto )|(?<=into ))(?:may|mar|march)(?![a-z])|\bmay(?= (?:off|free)\b)"
)
_NO_HOUSE = r"(?!\s*(?:楼|线(?![性代])|实验|题|教室|机|店|书))"
"""Behind a number with 号 that is no date: 5号楼."""
_NO_NOUN = (
    r"(?=\s*(?:$|[^\sa-z]|(?:to|and|or|at|in|on|is|as|too|please|instead|if|for|so|then|but|when|because|until|till|between"
    r"|through|thru|from|with|by|would|will|works?|does\w*|isn|can\w*|mornings?|afternoons?|evenings?|nights?|onwards?"
    r"|off|free|out|was|are|of (?:the|this|next) month|after|before|not|i|we|pm|am|weekend|now|only|also"
    r"|already|actually|anyway|again|though|really)\b))"
)
"""Behind an ordinal that counts nothing: the 22nd, not the 3rd chapter."""
_NEXT = r"(?:这|今后|接下来|未来|往后|(?<![往它那天项章的])后面|(?<![周号日月末底拜期])之后|下面)"
_SHIFTS = "挪移推调放动排延改赶拉提拖迟后前晚早隔差长顺"
_THINGS = "次章个节项点门遍份"
_NO_NUMBER = r"(?!\s*(?:天(?![气黑亮])|周(?![一二三四五六日天末1-7])))"
"""Behind a weekday: in 第5周一天最多两项 it is the number of a day, in 第5周一周两项 of a week."""
_DAY_OF_WEEK = rf"(?:一(?![直定共样些]){_NO_NUMBER}|[二三四五六日天]|末)(?!\s*[{_THINGS}]|小时|单元)"
_DIGIT_OF_WEEK = rf"[1-7]{_NO_NUMBER}(?!\s*[个项次遍])(?=\s|$|[^\d\s节.:/月~到至、,和课-]|[到至-]\s*(?:周|星期|礼拜))"
_NO_ITEM = "".join(f"(?<!{kind}{more} )" for kind in ITEM_KINDS for more in ("", "s"))
_HOURS_BEHIND = f"{DAY_NAME}[零一二两三四五六七八九十]"
_NO_WEEKDAY = rf"(?!(?<=周){_HOURS_BEHIND})(?!(?<=星期|礼拜){_HOURS_BEHIND})"
"""Before an hour: the weekday in front of it is none of its numerals, 周五十点."""
_EN_HOURS = "|".join(EN_COUNTS[2:])
_EDGE_EN = "beginning|start|first half|middle|second half|end"
PIECES: tuple[tuple[str, Reader], ...] = (
    (r"(?<!\d)(\d{4})\s*[-/.年]\s*(\d{1,2})\s*[-/.月]\s*(\d{1,2})(?!\d)日?", read_iso),
    (r"(?<![\d/.])(\d{1,2})[/.](\d{1,2})[/.](20\d\d)", read_numbers),
    (r"(?<=从)现在|(?<=from )now(?= (?:until|till|to|on)\b)", read_now),
    (rf"(?:学期的?)?最后[一1]个?(?:教学)?{WEEK}|\b(?:the )?(?:last|final) week of (?:the )?(?:term|semester)\b",
        read_last_week),
    (r"学期(?:的?末尾?|结束|底|的?最后[一1]天)|(?<=到)期末(?=$|[\s,，。之以前为排学])"
        r"|\b(?:the )?(?:very )?(?:end|last day) of (?:the )?(?:term|semester)\b", read_last_day),
    (rf"每隔\s*(?:{NUM})?\s*个?(?:天|日|{WEEK})|隔\s*[一1]?\s*个?(?:天|日|{WEEK})|每\s*{NUM}\s*个?(?:天|{WEEK})|每[天日]"
        rf"|[每逢](?:个|逢)?(?={WEEK}{DAY_NAME}|{WEEK}\d|{WEEK}末|晚|上午|下午|早)"
        rf"|每个?{WEEK}(?!末)|\b(?:every|each) (?:single )?(?:day|week)\b"
        rf"|[单双]周(?=的?{WEEK})"
        r"|\bevery (?:other|second)(?: day\b| week\b)?|\balternate\b|\b(?:daily|fortnightly)\b"
        rf"|\bevery {COUNT} (?:days?|weeks?)\b"
        rf"|\b(?:every|each)(?= (?:{EN_DAY}|weekend|weekday|evening|morning|afternoon|night)s?\b)", read_every),
    (rf"[这本]个?{WEEK}的?(?:剩下|余下|剩余)的?(?:几天|日子|时间|天|日)?"
        r"|\b(?:the )?(?:rest|remainder) of (?:the|this) week\b|\blater (?:on )?this week\b", read_rest_of_week),
    (rf"{_NEXT}的?\s*({NUM})\s*个?周末|\b(?:the )?(?:next|coming|following) ({COUNT}) (?:weekends|wkends)\b",
        read_weekends),
    (rf"{_NEXT}的?\s*(几|{NUM})\s*个?(天|{WEEK})(?!末)|(?<![第\d{_SHIFTS}])(几|{NUM})\s*个?(天|{WEEK})(?:之|以)?内"
        rf"|\b(?:within|in|over|for) (?:the )?(?:next|coming|following) (?:({COUNT}) )?(day|week)s\b"
        rf"|\bwithin ({COUNT}) (day|week)s?\b|\b(?:the )?(?:next|coming|following) (?:({COUNT}) )?(day|week)s\b",
        read_days_ahead),
    (rf"(?<!once )(?<!twice )(?<!times )(?<!hours )(?<!sections )"
        rf"\b(an?|one|two|three) weeks? (?:on|from) (?:the )?(?:coming )?({EN_DAY}|tomorrow)\b"
        rf"|\b(?:this |coming )?({EN_DAY}|tomorrow) week\b(?! (?:\d|(?:after|before|of|beginning|starting)\b))",
        read_week_on),
    (rf"再?过\s*(几|{NUM})\s*个?(天|{WEEK})|(?<![第\d{_SHIFTS}])(几|{NUM})\s*个?(天|{WEEK})(?:之|以)?后"
        rf"|\bin ({COUNT}) (day|week)s?(?:'s? time)?\b|\b({COUNT}) (day|week)s? from (?:now|today)\b", read_offset_day),
    (rf"(?<![\d第])(?:({NUM})月份?|([这本上下]个?月))的?\s*({NUM})"
        rf"(?:[日号]{_NO_HOUSE}|(?![\d个章节项周天点月]))", read_month_day),
    (r"(?<![\d/.了完])(\d{1,2})/(\d{1,2})(?![\d/]| of\b)", read_slashed),
    (DOTTED, read_dotted),
    (rf"(?<![\d第])(?:{NUM}月份?|(?:[这本]个?|[上下]个?)月|(?<![个\d一二三四五六七八九十每几])月(?=[底末初中]))"
        rf"的?(?:底|末|初|[上中下]旬|[上前头下后]半个?月|中(?!午)|(?:剩下|余下|剩余)的?(?:几天|日子|时间)?|(?:最后\s*[一1]?|第\s*{NUM})\s*个?{WEEK}(?:{DAY_NAME}|末)?)?(?![\d一二三四五六七八九十])"
        rf"|\b(?:the )?(?:(?:last|first|second|third|fourth) (?:week(?:end)?|{EN_DAY})"
        rf"|(?:first|last) (?:day|{COUNT} weeks)|(?:first|1st|second|2nd|latter|last|other) half"
        r"|beginning|start"
        r"|middle|end|rest|remainder) (?:of|in) "
        rf"(?:(?:the|this|next|last) month\b|{MONTH})(?! \d)"
        rf"|\b(?:early|late|mid)(?:-| in | )(?:(?:this|next) month|{MONTH})(?! \d)"
        rf"|\b(?:this|next|last) month\b|\b(?:{_MONTH_SAID})(?!\s?-?\d)", read_month_stretch),
    (rf"\b({MONTH})\s+(?:the )?(\d{{1,2}}){SUFFIX}?\b(?!\s*(?:am\b|pm\b|:\d))(?:,? 20\d\d)?", read_en_month_day),
    (rf"\b(?:the )?(\d{{1,2}}){SUFFIX}?\s+(?:of\s+)?({MONTH})(?! (?:be|not|also)\b){_MAY}(?:,? 20\d\d)?",
        read_en_day_month),
    (rf"(?<![\d月/.第])({NUM})号{_NO_HOUSE}|(?<![\d月/.后前迟早晚延挪移推隔每第])({NUM})日"
        r"(?=$|[,，。!\s?？、]|上午|下午|晚上|早上|吧|之?[前后]|以|[到至-]|那|[和与])"
        rf"|\b(?:the )?(\d{{1,2}}){SUFFIX}\b{_NO_NOUN}|(?<=day )(?:the )?(\d{{1,2}}){SUFFIX}\b"
        rf"|\b(?:the )?({'|'.join(reversed(ORDINALS))})(?= of (?:{MONTH}|(?:the|this|next) month))",
        read_day_alone),
    (r"(大[前后]天|[前后]天|后儿|[今明昨](?=[天儿日早晚]))[天儿日]?(?:[早晚](?!上|间))?"
        r"|\b(?:the )?(day after tomorrow|day before yesterday|tomorrow|today|tonight|last night|yesterday)\b",
        read_relative_day),
    (rf"(第\s*{NUM}\s*个?(?:教学)?|(?:(?<![早晚以加])上+|下+|[这本])\s*[一1]?\s*个?){WEEK}"
        rf"(?:(前半周?|上半周?|后半周?|下半周?|初|中(?!午))|的?{WEEK}?({_DAY_OF_WEEK}|{_DIGIT_OF_WEEK}))?"
        rf"|(?:(?<![第\d])|(?<=[周期拜][1-7])){WEEK}({_DAY_OF_WEEK}|[八九](?![{_THINGS}])|{_DIGIT_OF_WEEK})",
        read_zh_week),
    (r"\b(?:(?:the )?(early|late|(?:beginning|start|first half|middle|second half|end) of|mid)[ -](?:in )?(?:the )?)?"
        r"(?:(this|next|last|coming|following) (?:week|wk)\b|(?:week|wk)\.?\s*(\d{1,2})(?!\d))"
        rf"|\b(?:the )?({_EDGE_EN}) of the week\b|\b(?:the )?week(?:end)? (?:after next|before last)\b", read_en_week),
    (rf"\b(?:(next|this|last|coming) )?(?!(?<=it )sat\b|(?<=\bi )sat\b|(?<=he )sat\b)({EN_DAY})s?\b", read_en_weekday),
    (r"\b(?:the )?(?:(this|next|last|coming) )?(?:weekends?|wkends?|wknd)\b|双休日", read_en_weekend),
    (r"工作日|平日|\b(?:weekdays?|workdays?|working days)\b", read_workdays),
    (rf"\bthis (?:morning|afternoon|evening)\b|白天|\bdaytime\b"
        rf"|\bduring the day\b(?! (?:of|before|after|when|that)\b)|{'|'.join(PARTS)}", read_part),
    (rf"(?<![\d.:])第?\s*({NUM})\s*节?\s*[-~–—到至、,和]\s*第?\s*({NUM})\s*节(?!课?[时次])"
        r"|\b(?:sections?|periods?)\s*(\d{1,2})\s*(?:to|through|until|and|-|–|~)\s*(\d{1,2})\b"
        rf"|(?<![\d./:月第-]){_NO_ITEM}(\d{{1,2}})\s*[-~–—到至]\s*(\d{{1,2}})"
        r"(?=$|[^\d/月日号周.:章项个讲单点天-])(?!\s*(?:[ap]m\b|[章项个讲单点天周]|chapters?|units?|items?|days?|weeks?|hours?))",
        read_sections),
    (r"(?:(?<=day )|(?<=days )|(?<=ends )|(?<=end )|(?<=ing )|(?<=ings )|(?<=daily ))"
        r"(?:from |between )(?P<begin>\d{1,2}) ?(?:to|till|until|and|-|–) ?(?P<end>\d{1,2})"
        rf"(?![\d:/.-]|{SUFFIX}|\s*(?:[ap]\.?m|{_MONTH_SAID}|days?|weeks?|hours?|sections?|periods?|items?|chapters?))",
        read_bare_hours),
    (rf"第\s*({NUM})\s*大?节(?!课?[时次])|\b(?:section|period)\s*(\d{{1,2}})\b"
        rf"|(?<![\d第])({NUM})\s*节(?!课(?!后|之后|以后)|[时次点])",
        read_section),
    (rf"早[八8](?![天周个节点:])|(?<![快慢少多差几有\d:]){_NO_WEEKDAY}"
        rf"(?![一1]\s*点[都也])(?:(?<=午)|(?<=[早晚]上)|(?![一1]\s*点(?!钟|半))){NUM}\s*(?:点(?!儿)|时(?!间|段|候))钟?(?:半|[一1]刻|{NUM}分)?"
        rf"|(?:(?<=before )|(?<=after )|(?<=until )|(?<=till )|(?<=\bby )|(?<=\bat )|(?<=past )|(?<=than )"
        r"|(?<=\bto )|(?<=\bfrom ))"
        rf"(?:\d{{1,2}}(?::\d\d)?|{_EN_HOURS})(?: o'clock)? (?:in the (?:morning|afternoon|evening)|at night)\b"
        r"|(?<![\d:])\d{1,2}:\d{2}(?:\s*[ap]m\b)?|\b\d{1,2}\s*(?:am|pm|o'clock)\b|\bnoon\b"
        r"|(?:(?<=before )|(?<=after )|(?<=until )|(?<=till )|(?<=\bby )|(?<=\bat )|(?<=than )|(?<=past ))\d{1,2}"
        r"(?=\s*(?:$|[,.;!?])|\s+(?:and|or|on|i|we|i've|free|open|busy|taken|in the|either|too|also|for|please|as well"
        r"|every|each|any ?more)\b)"
        rf"|(?:(?<=before )|(?<=after )|(?<=until )|(?<=till )|(?<=past ))(?:{_EN_HOURS})(?=\s*(?:$|[,.;!?])|\s+on\b)",
        read_clock),
)  # fmt: skip
"""What a piece looks like and how it is read; of two that begin at the same place the first is meant."""
