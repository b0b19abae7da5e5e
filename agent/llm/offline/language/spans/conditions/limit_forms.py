"""The words that tell conditions on places, Chinese and English: how much, how far apart, which times, for how long."""

from __future__ import annotations

import re

from agent.llm.offline.language.spans.times.words import MONTH_NAMES

_NO_LABEL = "".join(f"(?<!{word} )" for word in ("chapter", "unit", "lab", "part", "week", *MONTH_NAMES))
N = rf"(?:{_NO_LABEL}\d{{1,2}}|\ban?\b|\bone\b)"
"""A number that is none of a label or a date, as in chapter 5, April 2."""
DAY_EN = r"(?:(?:single |given |one )?(?:day|evening|night)|weekday|weekend day)"
PER_EN = (
    rf"(?:(?:a|per|each|every|any|in (?:a|one|any)|on (?:a|any|each|one|every|the same)|for each"
    rf"|in the same) (?:{DAY_EN}|(?:single |given )?week)(?!s? (?:off|free|between|in between|apart|later|earlier"
    rf"|after"
    r"|before|ago|sooner|early|late|ahead))|daily|weekly)"
)
MOST_EN = (
    r"(?:at most|(?:no|not|never) (?:do )?more than|more than|max(?:imum)?\.?(?: of)?|up to|only|just|not over"
    r"|capped? (?:\w+ ){0,2}at"
    r"|(?:limit(?:ed)?|restrict|keep|reduce|cut) (?:\w+ ){0,3}to|limit of|a cap of)"
)
_OF_WHAT_EN = (
    r"(?:(?!(?:of|on|in|at|for|from|to|an?|per|each|every|and|or|more|less|than|days?|weeks?|hours?|times?)\b)"
    r"[a-z][\w-]* )"
)
"""A word of the name of what there are so many of: one probability chapter."""
UNIT_EN = (
    r"(?: (?:(?:study|of (?:my|the|them|these|those)(?: [a-z][\w-]*)?) ?)*"
    + _OF_WHAT_EN
    + r"{{0,3}}(?P<unit{0}>items?|things?|tasks?|sections?"
    r"|periods?|sessions?|blocks?|chapters?|units?|labs?|subjects?|topics?|ones?|lots|thing|them|these"
    r"|of (?:them|these|those))"
    r"(?: of (?:the same class|(?:my )?(?:study|studying|stud(?:y )?tasks?|work)))?)?"
)
PER_ZH = (
    r"(?:(?:每|1|单|同1|任何1|任意1)(?:天(?:晚上|早上|上午|下午|中午)?|日|晚上?|个?晚上|周|个?星期"
    r"|个?礼拜)(?:的?任务|都|里|内|就|也|总共|1共)*"
    r"|天天)"
)
MOST_ZH = (
    r"(?:最多|至多|顶多|不(?:要|能|可以|得|许|准|想)?(?:排|放|安排)?(?:超过|多于|大于)|别(?:排|放|安排)?(?:超过|多于)"
    r"|控制在|限制?(?:在|为|到)|上限(?:是|为)?|只(?:能|许|要|准|想)?|仅|不超)"
)
VERB_ZH = r"(?:可以|能|要|许|给我|帮我)*(?:放|排|安排|学|做|看|背|搞|弄|上|来|有|出现|复习)?(?:到|在)?"
UNIT_ZH = (
    r"(?P<zu{0}>个?单元|科(?!学)|个?实验|个?任务|项|个(?!月|小时|周|星期|礼拜)|样|次|章|小?节(?:课)?(?![之以]?[前后])|课时|门|件"
    r"|段|讲|份|篇)"
)
NO_HOUR = r"(?<!\bby )(?<!\bat )(?<!\bbefore )(?<!\bafter )(?<!\buntil )(?<!\btill )(?<!\bpast )"
COUNTS = tuple(
    re.compile(form)
    for form in (
        rf"(?P<per>{PER_ZH})(?:{VERB_ZH})?(?:{MOST_ZH})?{VERB_ZH}(?:{MOST_ZH})?\s*(?P<n>\d{{1,2}})\s*{UNIT_ZH.format('')}(?:任务"
        rf"|内容|学习任务)?(?:以内|以下|之内|封顶|为止|就[行好够]了?|足够)*",
        rf"{MOST_ZH}(?P<per>{PER_ZH}){VERB_ZH}\s*(?P<n>\d{{1,2}})\s*{UNIT_ZH.format('')}",
        rf"(?P<per>{PER_EN})\s*,?\s*(?:i want |i'd like |do |have "
        rf"|with )?{MOST_EN} (?P<n>{N}){UNIT_EN.format('')}",
        rf"(?:{MOST_EN} )?{NO_HOUR}(?P<n>{N}){UNIT_EN.format('')},? ?(?P<per>{PER_EN})(?:,? (?:at most|max(?:imum)?"
        rf"|tops|at the most|only))*",
        rf"{MOST_EN} (?P<n>{N}){UNIT_EN.format('')}(?P<per>(?= ?(?:on|at|during) (?:\w*days?\b|weekends?)"
        rf"| ?[,.;!]| ?$| and\b| (?:(?:in|for|during) )?(?:week \d|(?:this|next|that|the \w+) week)))",
        rf"(?P<n>{N}){UNIT_EN.format('')},? (?:tops|max(?:imum)?|at (?:the )?most)(?P<per>)",
        rf"(?P<n>\d{{1,2}})\s*{UNIT_ZH.format('')}(?:封顶|为限|就够了?|足够了?|顶天了?)(?P<per>)",
        rf"{MOST_ZH}{VERB_ZH}\s*(?P<n>\d{{1,2}})\s*{UNIT_ZH.format('')}(?:学习)?(?:任务"
        rf"|内容)?(?P<per>)(?=\s*(?:[,，。;；!]|$))",
    )
)
"""So many a day or a week at most."""
BARE_COUNTS = tuple(
    re.compile(form + r"(?P<per>)(?=\s*(?:[,，。;；.!]|$|on (?:the )?(?:week(?:end|day)s?|\w+days)\b))")
    for form in (
        rf"{VERB_ZH}\s*(?P<n>[1-9])\s*{UNIT_ZH.format('')}(?:学习)?(?:任务|内容)?",
        rf"\b(?P<n>one|{_NO_LABEL}[1-9]){UNIT_EN.format('')}",
    )
)
"""So many of what another clause counts by the day, which is a limit only where it is refused, or told of other days:
one a day, not two; one a day on weekdays, two on weekends."""
TOGETHER = tuple(
    re.compile(form)
    for form in (
        r"(?P<unit>同1?[天日周])(?:不(?:要|能|许|可以|准)?|别|避免)(?![超多])(?:再)?(?:排|放|安排|有|出现|学|做|上)*"
        r"\s*(?P<n>[2-9])?\s*(?:个|项|章|节|次|门)?",
        r"(?P<unit>1[天日](?:里|内)?)(?:不(?:要|能|许|可以|准)?|别|避免)(?![超多])(?:再|给我)?(?:排|放|安排|塞|有"
        r"|出现|学|做"
        r"|上)*\s*(?P<n>[2-9])\s*(?:个|项|章|节|次|门)?",
        r"(?:不(?:要|能|许)?|别|避免)(?:把|让)?\s*(?P<n>[2-9])?\s*(?:个|项|章|节|次"
        r"|门)?[^,，。;；]{0,10}?(?P<unit>同1[天日周]"
        r"|(?:在|到|[挤堆凑])1[天日])",
        r"(?:不同|不1样)的?(?P<unit>天|日子)(?P<n>)(?!数)",
        r"\bon (?:\d )?(?:different|separate) (?:week)?(?P<unit>day)s\b(?P<n>)",
        r"\b(?:not|no|never|don't|avoid)\b(?: (?!more\b)\w+){0,3}? (?P<n>[2-9])(?: \w+){1,5}? (?:on"
        r"|in) (?:the same|one|a single|any|any one|a) (?P<unit>day|week)",
    )
)
"""Two of a kind never on one day."""
DAYS_BETWEEN = tuple(
    re.compile(form)
    for form in (
        r"(?:(?:相互|彼此|各章|每[个项次]|每?[两2]\s*(?:个|章|项)?|中间|之间)+)?(?:至少|起码|最少|都?要|得)*(?:间隔"
        r"|相隔|隔开?|空开?)(?:着)?(?:至少|起码|最少)?\s*(?P<n>\d)\s*(?:整)?天(?:以上)?(?:做|学|排|1次|1个|再)*",
        r"每(?:学|做|看|背|复习|弄)?完?1?[个项章节次](?:[^\d,，。;；每]{0,6}?)(?:之后|以后|后面?|完)?(?:都|要|得|想|给我|让我|我)*"
        r"(?:(?:休息|歇|空|留)(?:出|个)?(?=\d)|(?=\d个?整?天的?(?:休息|空|假)))(?P<n>\d)个?整?天(?:的?(?:休息|空|假))?",
        r"(?P<n1>隔天|每隔?1天(?=[^多]{0,4}(?:休|歇|空))|(?:不|别)(?:要|能|许)?(?:连着|连续"
        r"|接连)\s*(?:的)?(?:[2-9]\s*天|天)?(?:出现|做|学|排|上)?(?!\s*[排上节]|\s*[2-9]?\s*[次个项]都?是)|(?:不|别)(?:要)?(?:在"
        r"|排在)?相邻(?:的)?(?:[2两]天)?)",
        rf"(?:at least |a minimum of |min(?:imum)? )?(?P<n>{N})(?: full| free| whole| clear| empty"
        rf"| rest| break)* days? (?:(?:off|free|rest|break|gap|to rest|to relax) )?"
        r"(?:(?:in )?between|(?:after|before) (?:each|every))",
        rf"(?:at least |a minimum of )?(?P<apart>\d|one) days? apart|(?:a "
        rf"|an? )?gap of (?:at least )?(?P<n>{N}) days?",
        r"(?P<n1>every (?:other|second|2nd) day|(?:not|never|no)(?: \w+){0,4} (?:on )?(?:consecutive"
        r"|neighbou?ring|adjacent|successive|back[- ]to[- ]back) days|(?:not|never|no)(?: \w+){0,4} (?:(?:two"
        r"|2) )?days (?:in a row|running)|a (?:free |rest )?day (?:off )?(?:in )?between|a day's (?:break|gap))",
        r"每?(?P<apart>[2-9])[天日](?:[学做看背弄来排]|复习|安排)?1[次个章项]",
        r"(?:\bonce )?\bevery (?P<apart>[2-9]) days\b",
        r"(?P<n2>every third day|(?:a few|some|several) days (?:(?:in )?between(?: them| each)?|apart))",
        r"(?P<n1>(?:[跟和与](?:它们?|那个|前1?个)|彼此|互相|相互|[之中]间|每[个项次]|稍微|尽量|最好|都)*"
        r"(?:(?<!不)(?<!不要)隔开|(?:错开|分开|拉开|间隔)(?=1?[点些下]|距离))(?:1?[点些下]|距离|时间|着?排)*"
        r"|(?:不|别)(?:要)?(?:太|都|全)?(?:挤在1起|[挤挨离凑]?得?太[近紧密]))",
        r"(?P<n1>(?:some|enough|more|plenty of|a (?:bit|little)(?: of| more)?) (?:room|space|distance|time"
        r"|breathing \w+) (?:in )?between(?! (?:my )?(?:lessons?|lectures?|classes))"
        r"(?: (?:them|each(?: (?:of them|one))?|it)\b)?"
        r"|(?:not|n't)(?: \w+){0,3} (?:too close|bunched)(?: up)?(?: together| to each other)?"
        r"|(?:well |nicely )?space[d]? (?:(?:it|them|these|those) )?out(?: a (?:bit|little))?)",
    )
)
SECTIONS_BETWEEN = tuple(
    re.compile(form)
    for form in (
        rf"(?:at least )?(?P<n>{N})(?: free| empty| whole)* (?:sections?"
        rf"|periods?) (?:free )?(?:in )?between(?: (?:tasks|items|them|two))?(?: on the same day"
        rf"| of the same day)?",
        r"(?:至少)?(?:间隔|隔|空)(?:开)?(?:至少)?\s*(?P<n>\d)\s*小?节",
        r"(?P<n1>(?:nothing|not|no|never|don't)(?: \w+){0,5} back[- ]to[- ]back"
        r"|back[- ]to[- ]back(?: \w+)? (?:never|is out)|(?:a |some )?(?:break|breather|pause"
        r"|gap)s? (?:in )?between(?! (?:my )?(?:lessons?|lectures?|classes))|(?:not|never"
        r"|no)(?: \w+){0,4} (?:right|directly|immediately) after (?:each|one an)other|(?:not"
        r"|no)(?: \w+){0,3} in a row(?! for))",
        r"(?P<n1>(?:不|别)(?:要|能|想)?(?:给我)?(?:连着|连续|接连|连在1起|背靠背|紧?挨着|紧接着|连排"
        r"|连堂)(?!\s*(?:[2-9]\s*)?天|\s*[2-9]?\s*[次个项]都?是)(?:排|上|学|做|放)?|(?:任务|两项|2\s*项|它们)?(?:之间|中间)(?:都)?(?:要|得"
        r"|至少)?(?:留|空|有|歇|休息)(?:有|出|点|1?[点些个下]|够)*(?:休息|空|间隔|间歇|时间|空档|喘息)*)",
    )
)
NOT_SO_MANY = re.compile(
    r"(?:不(?:要|能|想|许|准|可以)?|别|避免)(?:再|给我|让我|叫我|在|排|放|安排|出现)*$"
    r"|\b(?:never|not|no|avoid|don't|dont|do not)(?: (?!more\b|over\b|less\b)[a-z']+){0,2} $"
)
"""What in front of a number refuses so many: one less is allowed."""
AFTER_LESSONS = re.compile(
    r"(?:不|别)(?:要|能)?(?:再|马上|立刻)?(?:紧跟|紧接|紧挨|接|跟)(?:着"
    r"|在)*[^,，。;；]{0,8}课[^,，。;；]{0,3}(?:后面?|之后|完)"
    r"|(?:not|nothing|no \w+|never)(?: \w+){0,4} (?:right|straight|directly|immediately) after (?:a |my |the "
    r"|any )?(?:\w+ )?(?:lessons?|lectures?|class(?:es)?)"
)
AT_MOST_APART = re.compile(
    r"(?:最多|至多|顶多|不(?:要)?超过|\b(?:at most|no more than|max(?:imum)?|not more than))[^,，。;；\d]{0,6}$"
)
"""Behind which no space between items is told that is wanted, but how long it may be."""
BETWEEN_LESSONS = re.compile(
    r"(?:只|仅)(?:用|在|排|利用|放)*(?:两?节?课(?:与课|和课)?(?:之间|中间)|课间)(?:的)?(?:空档|空隙|间隙|空余|空闲)?"
    r"|only (?:in |use )?(?:the )?(?:gaps?|breaks?|free (?:time|slots|sections)) between (?:my |the )?(?:lessons"
    r"|lectures|classes)"
)
EVENLY = re.compile(
    r"扎堆|每天都?(?:学|看|做|复习)[1一]?[点些]|均匀|匀[1一]?[匀开下]|平[均摊]|分[散摊]|摊[开平匀到]|[散排拉隔]得?开|散1|[太好]密"
    r"|(?:中间|之间)[^,，。;；]{0,6}(?:[喘缓空歇]|间隔)|(?:别|不要)(?:太|都)?(?:集中|挤)|太(?:集中|挤)"
    r"|\b(?:a (?:bit|little)|something) (?:each|every) day\b"
    r"|\b(?<!more )(?:pil(?:e|ed|ing)|bunch(?:ed|ing)?|clump\w*|cramm?ed) (?:\w+ )?(?:up|together)\b"
    r"|\b(?:evenly|even (?:\w+ )?out|spread (?:\w+ ){0,4}(?:out|over|across|evenly|more)|(?:too|so"
    r"|less) (?:bunched|clustered|clumped|concentrated|crowded)|balanced?)\b"
)
ONE_DAY = re.compile(
    r"(?:都|全部?|1起|1块|统统)[^,，。;；]{0,4}(?:(?:到|在|放|排|进)?同1天|(?:到|在|进)1天(?:里|内)?)(?!的"
    r"|1[项个]|只|最)|(?:到|放在?|排在?|移到|挪到)(?:同1天|1天里)(?!的)"
    r"|\b(?:all|both|them|together|everything|these|those)\b(?: \w+){0,4}? (?:to|on|onto|in|into) (?:the same|one"
    r"|a single) (?:single )?day(?! (?:before|after|of))"
)
IN_ORDER = re.compile(
    r"按(?:照)?(?:这个|以上|上面|给出的|我说的|所列)?的?(?:先后)?(?:顺序|次序)|依次|\b(?:in (?:that|this"
    r"|the given|exactly this) order)\b"
)
NOT_TOGETHER = (
    r"(?:别|不(?!动)|讨厌)[^,，。;；]{0,20}?(?:同|在)[1一]?[天日]|[天日][^,，。;；]{0,16}?(?:受不了|太累|吃不消|不行|不要)"
    r"|\b(?:not|never|no|\w+n'?t|cannot|hat(?:e|ing)|dislike|loathe|avoid|sick of|too (?:much|hard))\b[^,.;]{0,60}?"
    r"\b(?:the same|one|an? single|a) day\b"
)
"""That two are not wanted on one day."""
APART = re.compile(rf"错开|{NOT_TOGETHER}|\bon different days\b|\bapart\b")
SAME_DAYS = re.compile(
    r"(?:放|排|安排|凑|搬|移|挪)(?:在|到)?同1天(?!不|别|最|只)|\bon (?:the same|one) day(?:s)?\b"
    r"|\b(?:put|keep|place|have|do|study|move)\b.*\btogether\b"
)
AS_WELL = re.compile(r"\b(?:plan|schedule|arrange)\b[^,.;]*\btogether\s*(?:please|pls|now)?\s*$")
"""Two classes that are planned at once, on whichever days."""
WHOLE_BEFORE = re.compile(
    r"先于|(?:全部?|都|1起)?(?:放|排|学|安排)?(?:在|到)(?P<zh>[^,，。;；]{1,24})(?:之前|前面|前头|以前)"
    r"|先(?:学|排|做|上)[^,，。;；]{1,24}[,，]?(?:然?后|再|才)(?:学|排|做|上)?"
    r"|\b(?:before|ahead of|precedes?|comes? first)\b"
)
"""What is said of two classes: on no day both, both on the same days, one as a whole before the other."""
POINTS = re.compile(r"它们?|[这那](?:些|几[项个章])|其中|\b(?:it|they|them|these|those)\b")
ALL_OF = re.compile(
    r"任务|内容|[项样件]|所有|全部|\b(?:items?|things?|tasks?|stuff|sections?|periods?|everything|all|nothing"
    r"|anything)\b"
)
EVERYTHING = re.compile(
    r"所有|全部|整个|1切|\b(?:everything|anything|(?:whole|entire) plan"
    r"|all (?:of )?(?:my|the) (?:\w+ )?(?:stuff|study|studies|things?|items?|work|classes))\b"
)
"""That a condition is about all that is planned, not about the class that is to be planned alone."""
ALL_ITEMS = re.compile(r"任务|内容|所有|全部|都|\b(?:everything|all)\b")
ADJUST = re.compile(
    r"(?:并|并且|且|再)?(?:请|帮我)?(?:据此|按此|照此|按这(?:个|条)[^,，。;；]{0,6}"
    r"|相应地?)(?:来)?(?:重新)?(?:调整|安排|排|修改|改)[^,，。;；]*"
    r"|\b(?:and )?(?:please )?(?:adjust|re-?plan|re-?arrange|change|update|fix) (?:the |my )?(?:current )?(?:plan"
    r"|draft|schedule|it|everything)(?: accordingly)?\b|\b(?:and )?(?:show|tell) me (?:what"
    r"|which)(?: \w+){0,3} (?:moves?|changes?|moved|changed)\b"
)
"""That the plan is to follow, and that it is to be told, is done anyway."""
EACH_CLASS = re.compile(
    r"同1?[门类科个]|每[1个]?[门类科]|各[门类科]|\b(?:same class|each class|per class|of one class|same subject"
    r"|each subject)\b"
)
AT_LEAST = re.compile(r"(?:至少|起码|最少|不少于|\bat least|\bminimum(?: of)?)\s*$")
CLAUSE_BREAK = re.compile(
    r"[,，。;；!！\n\u2063]|\.(?:\s|$)|\s(?=但|不过|而且|并且)|\b(?:but|while)\b"
    r"|(?<=[\u4e00-\u9fff])\s+(?=[\u4e00-\u9fff\d])"
    r"|\band (?=(?:always|only|never|no|keep|all|at most|not? more than|max(?:imum)?"
    r"|not (?:on|in|at|before|after|past|until))\b)"
    r"|(?<!\d )\band (?=(?:\d{1,2}|one|an?) (?:\w+ ){0,2}(?:on|per|every|each) (?:week(?:end|day)s?|\w+days)\b)"
    r"|(?<!\w\wday )(?<!days )\band (?=(?:no (?:study\w*|work|tasks?|items?)|nothing|\w+days? (?:free|off))\b)"
)
END_OF = re.compile(r"底(?:之|以)?前")
PUT_ON = re.compile(r"(集中|[放排挪移调推]|安排)到(?=(?:每个?)?(?:周|星期|礼拜|工作日|上午|下午|晚上))")
OPEN = re.compile(
    r"还空着|(?:可以|也能|都能)(?:往|用|排|放|占)|随便|也[行可]|无所谓|不用全"
    r"|\bif (?:you|needed|necessary)\b|\b(?:is|are) (?:fine|ok|okay)\b|\b(?:may|can|could) (?:also )?(?:be )?use\w*\b"
)
"""What allows times limits nothing."""
IF_NEEDED = re.compile(r"\bif (?:you|needed|necessary)\b")
OTHER_DAYS = re.compile(
    r"(?:其[他它余]|别的)(?:的)?(?:天|日子|时间|时候)(?:都|就)?(?:别|不|空|休息)[^,，。;；]*"
    r"|\b(?:the )?other days (?:\w+ )?(?:off|free)\b"
)
EXCEPT = re.compile(r"除了?|以外|之外|\b(?:except|apart from|other than|but not|unless)\b")
STAYS = re.compile(
    r"(?:别动|不要?动|保持|留着|不变)|\b(?:do not|don't|without) (?:touch|mov|chang)\w*|\b(?:leave"
    r"|keep)\b[^,.;]*\b(?:as|where|alone)\b"
)
ALL_ELSE = re.compile(r"其[他它余]|别的|剩下|\b(?:others?|the rest|(?:any|every|no)thing else)\b")
BUSY_THEN = re.compile(
    r"出去|出门|回家|有事|出差|旅[游行]|打工|上班|社团|开会|值班|生日|聚会|\b(?:away|trip|travel\w*|work(?:ing)?"
    r"|busy|out of town|holiday)\b"
)
THOSE_DAYS = re.compile(r"[那这](?:[几两三]?天|段时间|个?时候|时)|\b(?:those days|that day|then|that time)\b")
THEM = re.compile(r"\b(?:keep|leave) (?:them|it|those|these|that)\b|\bon (?:them|those|these)\b")
"""The times of the clause before, pointed to where they are to stay free."""
DONE = re.compile(
    r"(?:前|之前|以前|底|内)?(?:全部?|都|要|就|能|得|必须|1定)*(?:完成|搞定|弄完|学完|做完|排完|背完|复习完|结束"
    r"|收工|干完)"
    r"|[要得须应]在|\b(?:done|finish\w*|complete\w*|over with|through"
    r"|(?:should|must|(?:ha(?:s|ve)|needs?) to) (?:all )?be)\b"
)
SPAN = re.compile(
    r"(?:在|到|用)?(?<![第\d来后往这])(?P<n>\d{1,2}|[一二两三四五六七八九])\s*(?:个?(?P<unit>天|周|星期|礼拜)|个(?P<zm>月))(?:之|以)?内(?:全部?|都|就)?"
    r"|\b(?:within|into|in) (?:no more than )?"
    r"(?:(?:a|one)(?: single)?|(?P<k>\d{1,2}|two|three|four|five|six)) "
    r"(?P<en>day|week|month)s?\b(?! (?:of|from|before|after)\b)"
)
"""So many days, weeks or months in which something is to be done."""
BOUND = re.compile(r"前|之后|以后|起|开始|(?:until|till|before|after|by|from|since|onwards?|later than|earlier than)\b")
ALWAYS_THEN = re.compile(r"一律|[都全]部?(?:要)?(?:放|排|安排)|\b(?:always|all)\b")
"""That what a clause names are the only times."""
THAT_VERY_DAY = re.compile(r"(?:那|当)[1一]?天")
ONWARDS = re.compile(r"开始|起(?!来)|以后|之后|\bfrom\b[^,.;]*\bon(?:wards?)?\b|\bafter\b|\bstarting\b|\bonwards\b")
EXAM_BEFORE = re.compile(
    r"(?:考试?|截止|它|那天|交)之?前(?:至少|起码)?\s*(?P<n>\d)\s*天"
    rf"|(?P<n3>{N}) days? (?:or more )?(?:before|ahead of) (?:it|that|the exam|the test|then|the deadline)"
)
WISHED = re.compile(
    r"只(?:排|放)(?!在)|只留|只学|只做|\b(?:only(?! (?:on|in|at|during|from|between|until)\b)(?!(?:(?<=\d only)"
    r"|(?<=day only)|(?<=days only))\W*$)"
    r"|nothing but)\b"
)
FREES = re.compile(
    r"[空腾]出?|不[要想学排用]|(?<!行)不行|(?<![分特区级])别(?!的)|挪[开走]|移[开走出]|避开|[移挪换改调]到?(?:其[他它]"
    r"|别的?)(?:的)?(?:周"
    r"|星期|天|日子|时间|地方)|\b(?:free|clear|off|empty|away|block(?:ed)?|nothing|never|none|no|not|without|avoid"
    r"|skip)\b"
    r"|\bto (?:an)?other (?:weeks?|days?|times?)\b"
)
LASTING = re.compile(
    r"(?:以后|今后|从今|往后)(?:都|就|每|1直)|1直|永远|长期|记住|始终|总是|\b(?:always|from now on|permanent\w*"
    r"|for good|in general|generally|remember)\b"
)
FROM_NOW_ON = re.compile(
    r"(?<![一-鿿\d])(?:从今|从此|今|往|自此)?[以之往]?后(?!面)|\bfrom now on(?:wards)?\b|从(?:现在|今天)(?:开始|起)"
)
"""What holds from today on has no first day."""
ONCE = re.compile(
    r"(?:不|别)(?:用|要|必)?(?:以后)?(?:都|一直|1直)?(?:记|保存|存)|(?:就|只)(?:这|限)(?:1?次|回)|仅?这[1一]?次"
    r"|\b(?:don't|do not|not|without) (?:\w+ )?(?:save|saving|keep|remember|store|permanent)\w*|\b(?:just"
    r"|only) (?:for )?this (?:plan|once|time|re-?plan)\b|\bfor this (?:plan|time|re-?plan)(?: only)?\b"
)
FEELS = re.compile(
    r"\b(?:feel\w*|mood|motivat\w*|bothered|tired|energy|fancy|up for|exhausted|knackered)\b"
    r"|心情|好烦|没劲|提不起|(?:不想|懒得)(?:学|干|动|做|看)(?!完|到|在)|好累|累死"
)
PLANS_THEN = re.compile(r"\b(?:plan|schedul\w*|put|keep|leave|free|block|clear|off)\b|排|安排|空[出着]|留空|塞|挪|别")
"""How somebody feels, which limits nothing by itself, and what makes a limit of it."""
HABIT = re.compile(
    r"躺平|睡懒觉|打游戏|社团|打(?:工|.?球)|兼职|上班|训练|练[习琴球舞歌]|健身|跑步|瑜伽|家教|早八|固定|都(?:要|得|会|有|在"
    r"|去|回)"
    r"|\b(?:choir|club|practi[cs]e|training|gym|yoga|church|mosque|synagogue|rehears\w*|shifts|job|football"
    r"|soccer|basketball|volleyball|tennis|hockey|rugby|swim\w*|band|orchestra|tutor\w*|babysit\w*|volunteer\w*"
    r"|rowing)\b"
)
"""What a student does then that comes again every week."""
EVENT = re.compile(
    r"\bthere(?:'s| is)\b|\b(?:meeting|party|match|game|concert|exam|test|interview|appointment|trip|tournament|wedding"
    r"|birthday|dinner|movie|hang(?:ing)? out|out with|going out)\b"
    r"|开会|聚会|比赛|面试|考试|活动日|体检|生日|演唱会|电影|出去|玩|约[了会好]|吃饭|回[家老]|看病"
)
"""What is held once."""
PASTIME = re.compile(
    r"\b(?:training|practi[cs]e|rehearsals?|shifts?|choir|band|orchestra|gym|club|society|football|soccer|basketball"
    r"|tennis|rowing|swimming|yoga|volunteering|(?:my|the) job)\b"
    r"|训练|排练|社团|兼职|班次|打工|健身|合唱团?|乐队|球队|值班|瑜伽|志愿"
)
"""What one does besides learning, at certain times of every week."""
EVERY = re.compile(
    r"每|\b(?:every|each|(?:mon|tues|wednes|thurs|fri|satur|sun)days"
    r"|(?:mon|tue|wed|thu|fri|sat|sun)[a-z]* (?:mornings|afternoons|evenings|nights))\b"
)
DAY_LIST = re.compile(
    r"(?<=day|ays|ngs|hts|oon)\s*,\s*(?=(?:(?:and|or) )?(?:mon|tues|wednes|thurs|fri|satur|sun)day)"
    r"(?![a-z]+ (?:is|are|would|works?|will|seems?)\b)"
)
"""The comma between weekdays of one list."""
NO_MORE = re.compile(r"\b(?:no|not) (?:more|fewer|less) than(?= \d| one| two| three| four| five)")
"""A number, not a refusal."""
ONLY_PART_OF_DAYS = re.compile(
    r"\bonly (?:in the )?(?:mornings?|afternoons?|evenings?)\b[^,.;]{0,6}\bon (?:\w+days?|weekends)\b"
    r"|\b(?:\w+days?|weekends?)\b[^,.;]{0,14}\bonly\b[^,.;]{0,20}\b(?:mornings?|afternoons?|evenings?)\b"
    r"|(?:周末|(?:周|星期|礼拜)[1-6一二三四五六日天])[^,，。;；]{0,3}只(?:能|在|排|留|要|有|用|学)*(?:早上|上午|下午|晚上)"
)
"""A part of some days is all that is used of these days; the others stay as they are."""
AND = re.compile(r"\s*(?:and|n?or|&|,|[、和跟及与]|或者?)\s*(?:on |every |each |每)?\s*")
"""Between days that share a time of the day."""
JOINED = re.compile(r"\s*(?:on|in|at|of|的)?\s*(?:the )?\s*")
"""Between a time of the day and the days that it is of."""
MOST_OF = re.compile(rf"{MOST_EN}|{MOST_ZH}")
LIMITS = re.compile(rf"{MOST_EN}|{MOST_ZH}|至少|起码|隔|同1天|要求|\b(?:at least|between|plan)\b")
"""A clause that limits, so that what follows goes on about its items."""
AT_ONCE = re.compile(r"(?:连续|1次|每次|1口气)\s*$")
DAYS_NAMED = re.compile(r"周末|工作日|周[1-7日天]|星期|\b\w+days\b|weekends?")
CATCHES_UP = re.compile(
    r"我?(?:生病|病了|感冒|发烧)|没[做干学完]|落下|耽误|\b(?:(?:was|am|been|got|i'm) (?:sick|ill)|missed"
    r"|catch (?:me |it )?up|got done|fell behind)\b"
)
"""What was missed is caught up by roads of its own."""
DATES_CHANGED = re.compile(
    r"(?:截止|结束|开始|考试|期限|日期|ddl)[^,，。;；]{0,8}(?:改|推|延|提前|调|移|换|变)"
    r"|(?:延期|推迟|提前)到"
    r"|\b(?:deadline|end date|start date|exam|due date|last day)\b[^,.;]{0,24}\b(?:is|to|moves?|moved|becomes)\b"
    r"|\b(?:change|move|push|set)\b[^,.;]{0,30}\b(?:deadline|end date|start date|exam|due date|last day)\b"
)
"""That a class gets another first or last day: what follows is about that class."""
