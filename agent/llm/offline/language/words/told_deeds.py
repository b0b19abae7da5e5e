"""Words in front of a deed, and behind it, that tell that it is not asked for: it is weighed, refused, supposed, given
up, advised by others, or told of them."""

from __future__ import annotations

import re

from agent.llm.offline.language.words.speech_acts import BASES

_VERB = "|".join(sorted({*BASES} - {"get", "gets", "got", "getting", "fit", "fits"}, key=len, reverse=True))
_HAPPENS = r"(?:finish|complet|skip|miss|fail)\w*|(?:did|done|does)(?! (?:i|you|we|he|she|it|they|my|that|this)\b)"
DEED = re.compile(
    r"(?<!\bmy )(?<!\bthe )(?<!\ba )(?<!\bthis )(?<!\bthat )(?<!\bher )(?<!\bhis )"
    r"(?<!\btheir )(?<!\bour )(?<!\byour )(?<!\bwhole )(?<!\bstudy )"
    rf"\b(?:{_VERB}|(?:get|gets|got|getting)(?= rid of\b))\b(?! (?:to|if|when|going|sense|sure|up my)\b)(?= ?\S)",
    re.IGNORECASE,
)
DEED_OR_PROGRESS = re.compile(rf"{DEED.pattern}|\b(?:{_HAPPENS})\b(?= (?:with )?\S)", re.IGNORECASE)
"""Where a deed begins, or what somebody has done of the contents."""
DEED_ZH = re.compile(
    r"[把将](?!来|近|要)|给(?=[^,，。我]{1,14}(?:加|添|改|换))|重新|重排|排(?![名队除的得])|安排(?!的)|删|移|挪|对调"
    r"|交换"
    r"|互换|调[到换整]|换成|改[到成名]|标[成为记]"
    r"|加[上一入]|添加|新建|取消|清空|推迟|延[后期长]|推后|提前|往[前后]|拆|合并|[学做背看写复]习?[完好]|完成|跳过"
    r"|没[学做写]"
)
APART = re.compile(r"[,，;；:：.。!！?？\n]+|\b(?:so|but|therefore)\b|所以|因此|因为", re.IGNORECASE)
"""Between the clauses of a message: what is said in front of them tells nothing of the deed behind."""

_NEAR = (
    r"room-?mates?|flat-?mates?|house-?mates?|class-?mates?|team-?mates?|mates?|friends?|bestie|buddy|buddies"
    r"|colleagues?"
    r"|partner|girlfriend|boyfriend|husband|wife|brothers?|sisters?|siblings?|cousins?|mum|mom|mother|dad|father"
    r"|parents?"
    r"|uncle|aunt|neighbou?rs?|students?|guys?|girls?|people|folks|kids?"
)
_PEER = rf"(?:\b(?:{_NEAR})\b|\b(?:others|every(?:one|body)|some(?:one|body)|he|she)\b)"
_OURSELVES = r"(?!.*\b(?:i|we|you|me|us|please|let's)\b)"
OTHERS = re.compile(
    r"^(?!.*\b(?:because|since|as|when|while|after|before|until)\b)(?:"
    rf"|.*?(?<!with )(?<!for )(?<!from )(?<!of )){_PEER}{_OURSELVES}",
    re.IGNORECASE,
)
"""Somebody whose plan is not the student's: no teacher, whose word changes what is to be studied and when."""
NAMED = re.compile(r"^(?:.*\b(?:apparently|out|says|heard|that|think) )?[A-Z][a-z]+(?: (?:has|just|already|also))* ?$")
OTHERS_ZH = re.compile(
    r"(?:室友|舍友|同学|朋友|闺蜜|哥们|兄弟|同桌|[哥姐弟妹爸妈]|父母|家里?人|对象|邻居|学长|学弟|学霸|班长|伙伴"
    r"|队友|搭子|研友|别人|人家|大家|有人|的人|小组|们班|隔壁"
    r"|^(?:听说)?[他她](?!们?把课)|^小(?![时组节章测的假])[一-鿿])(?!.*(?:帮我|请|麻烦|替我|让我|叫我))"
)
ADVISES = re.compile(
    rf"{_PEER}.*\b(?:me (?:to|that i should)|(?:i|we) (?:should|could|ought to|might|must|need to|have to))\b",
    re.IGNORECASE,
)
"""What somebody else would have the student do."""
ADVISES_ZH = re.compile(rf"{OTHERS_ZH.pattern.rsplit('(?!', 1)[0]}.*(?:[让叫劝要催逼求]|建议|推荐|鼓励|说|觉得|认为)我")
ABSENT = re.compile(
    r"^(?!.*\b(?:i|me|we|us|our)\b)"
    rf"(?:\w+ ){{0,6}}?{_PEER}(?: \w+){{0,3}}? (?:is|are|was|were|will be|isn't|won't be|can't|cannot"
    r"|has to|have to|has|got|feels?)\b(?! (?:here|there|visiting|coming|staying|over|in town|told"
    r"|asked)\b)[^,.;?]*$",
    re.IGNORECASE,
)
"""How somebody else fares, which takes none of the student's time."""
ABSENT_ZH = re.compile(
    rf"^[^,，。;；把帮]{{0,4}}{OTHERS_ZH.pattern.rsplit('(?!', 1)[0]}[^,，。;；把我]*?(?:出差|生病|病了|请假|没空"
    r"|不在|出门|旅游|回家|有事|忙|发烧|感冒|有?考试|加班"
    r"|住院)[^,，。;；]{0,3}$"
)
WEIGHS = re.compile(
    r"\b(?:whether|wonder\w*|(?:should(?:n't)?|ought|must|shall) (?:i|we)|(?:i'm|i am|still|be) (?:\w+ )?(?:torn"
    r"|unsure|undecided|debating"
    r"|thinking (?:about|of|if|whether))|not (?:\w+ )?sure (?:if|about)|decide if|(?:made|make) up my mind"
    r"|do(?:n't)? you (?:think|reckon|believe|feel)|would you (?:say|think|recommend|advise|suggest)|do (?:i"
    r"|we) (?:really )?(?:need|have) to"
    r"|(?:is|are|was|would|will|does|do|could|isn't|wouldn't)(?: it| there|n't it)? (?:\w+ )*?(?:idea|smart|wise"
    r"|better|worth\w*|reasonable|sensible"
    r"|necessary|advisable|stupid|sense|useful|help|hurt|harmful|risky|point|use|reason|benefit|downside|harm"
    r"|advantage|need)"
    r"|how (?:smart|wise|good|bad|useful|risky) (?:is|would)|better off|what (?:do|would) you think|(?:your"
    r"|any) (?:opinion|view|take|thoughts?)"
    r"|how do you feel|pros and cons|any (?:point|reason|use|downside|harm|benefit|need|sense)|(?:what's"
    r"|what is) the (?:point|use|benefit|downside))\b",
    re.IGNORECASE,
)
"""Whether a deed should be done is asked, or thought about."""
ASKS_FOR_PLACE = re.compile(
    r"\b(?:where|when|which|what time|how) (?:\w+ ){0,3}?(?:should|shall|can|could|must) (?:i|we) ?$", re.IGNORECASE
)
"""Not whether, but where something should be."""
WEIGHED = re.compile(
    r"\b(?:(?:make|be|is) (?:\w+ )*?(?:idea|smart|wise|better|worth\w*|sense|reasonable|sensible|necessary|useful)"
    r"|worth (?:it|the \w+))\W*$",
    re.IGNORECASE,
)
IS_IT = re.compile(r"\b(?:is|would|will|does|do)$", re.IGNORECASE)
WEIGHS_ZH = re.compile(
    r"要不要|[该应]不[该应]|应该不应该|是不是(?:应?该|最好|要|得|需要)|是否|没有必要(?=.*[吗么])|有没有必要"
    r"|有必要(?=.*[吗么])|用不用|需不需要|需要(?=.*[吗么])|值不值|值得(?=.*[吗么])"
    r"|犹豫|纠结|不知道|不确定|拿不准|没想好|没决定|考虑(?!到)|在想|你(?:觉得|说|看|认为|怎么看|会|建议|推荐|支持"
    r"|赞成)(?=.*(?:[吗么呢]|好不好|怎么样|如何|行不行|想法|值)$)"
)
_GOOD_ZH = (
    r"(?:更|比较|很|太|不太|不)*(?:好|合适|明智|值得?|合理|靠谱|聪明|冒险|有?必要|有用|有意义)"
    r"(?:一?点|些|主意|选择|决定)?"
)
WEIGHED_ZH = re.compile(
    rf"(?:是不是|会不会|算不算|算)(?:个|一个)?{_GOOD_ZH}了?[吗么不呢啊]*$"
    rf"|(?<=[^更最得])(?!好[吗么不]){_GOOD_ZH}[吗么不][呢啊]?$"
    r"|有(?:什么|啥)(?:好处|坏处|意义|用|必要)[吗么呢啊]?$|(?:这个|这种)(?:想法|主意|做法)\S{0,4}$|(?:好|行"
    r"|可以)吗?你觉得$|会更好[吗么]$"
)
REFUSES = re.compile(
    r"\b(?:not|never|nobody|no[ -]one|against|\w+n't|no (?:\w+ )?(?:need|reason|point|intention|way|plans?|wish))\b"
    r"(?: (?:to|want(?:ed)?|need|have|going|you|me|us|ever|just|please|really|go|and|would|should|asked|told|said"
    r"|like|that|i|we|of|for|in"
    r"|plan(?:ning)?|mean|let|allowed?|even|think|intend|dare|about|willing|supposed|be|there))* ?$",
    re.IGNORECASE,
)
"""Words of refusal right in front of a deed."""
MAD = re.compile(
    r"\b(?:who|what kind of (?:person|student|fool)|which (?:person|student|fool))\b.*"
    r"\b(?:would|does|wants?|will)\b|\b(?:as if|like) (?:i|we)\b|\bhow (?:could"
    r"|can) i\b|\bwhy (?:on earth )?(?:would|should) (?:i|we|anyone)"
    r"|\b(?:insane|crazy|stupid|mad|fool|idiot|moron|sane|lunatic)\b|\bsince when\b",
    re.IGNORECASE,
)
"""A deed that nobody would do."""
NOT_REFUSED = re.compile(
    r"\bwhy (?:don't|not|can't)\b|\b(?:ca|could|wo|would|should|do)n't (?:you|we)\b|\bforget\b|\bhesitate\b"
    r"|\bif (?:you|it|not)\b|\bnot only\b|\bdon't mind\b|\bno problem\b",
    re.IGNORECASE,
)
REFUSES_ZH = re.compile(
    r"(?:(?<![分特区类级性个])别(?!的|人|组|处)|[不勿无]"
    r"|没(?=[想让叫要说打有必求计]))(?:[想要会该应让叫许用需必能可敢肯是你我再有人说去先都也在]|全部|打算|准备|计划"
    r"|愿意|希望|建议|着)*$"
)
MAD_ZH = re.compile(r"(?:谁|哪(?:有|个|来)|何必|凭什么|怎么(?:可能|会|敢)|疯了|傻|撑|难道|神经病)\S{0,6}$")
NOT_REFUSED_ZH = re.compile(
    r"能不能|能否|可不可以|行不行|好不好|要不(?!要)|不如|不妨|何不|不好意思|不然|差不多|不管|不论|没事|没问题"
    r"|不得不|没空|没时间|不够|不多|没课|没有课|不行|不好|怎么不|为什么不|是不是|没学|没做|没写|还没|没有"
)
SUPPOSES = re.compile(
    r"(?:\b(?:if|when|suppos(?:e|ing)|imagine|assuming|hypothetically)\b(?: that)?"
    r"|^(?:and )?(?:let's )?say)(?: that)? (?:i|we|you)"
    r"(?: (?:were to|would|just|decided? to|did|do|only|also|really))* ?$",
    re.IGNORECASE,
)
PERMITS = re.compile(
    r"\b(?:ok(?:ay)?|fine|alright|all right|possible|cool|mind|appreciate|great|nice|good|wonderful"
    r"|lovely)\b.*\bif\b|\bif (?:you|possible|it)\b",
    re.IGNORECASE,
)
"""Asks for it all the same: would it be ok if, I'd appreciate it if you."""
SUPPOSES_ZH = re.compile(r"(?:如果|(?<!主)要是|假如|假设|万一|倘若|若是?)(?:我们?|你|说|真的?|现在|[要想都再全])*$")
ASKS = re.compile(
    r"[吗么呢]|怎|会不会|能不能|够不够|来得及|[放排学做]得[下完]|什么|影响|哪|冲突|行得通"
    r"|^(?:\w+ )?(?:what|would|will|does|do|how|could|can|is|are|might)\b|[,.:?] ?(?:\w+ )?(?:what|would|will|does"
    r"|how|could|can|is|are|any|does|then)\b",
    re.IGNORECASE,
)
"""What is asked of something that is supposed."""
SUPPOSED_ZH = re.compile(
    r"的话[,，]?(?=.*(?:[吗么呢]|会|够|怎|能))|(?:之后)?会(?:怎么?样|变成|有?(?:什么|啥)(?:影响|后果))\S{0,4}$"
    r"|行得通吗?$|会不会\S{1,8}$|会(?:冲突|影响)\S{0,6}吗?$"
)
GIVES_UP = re.compile(
    r"\bi (?:almost|nearly|once)\b|\b(?:could|should|would|might) have\b|\b(?:was|were) (?:going|about"
    r"|planning) to\b|\bthought (?:about|of)\b|\bconsidered\b"
    r"|\b(?:one day|some ?day|at some point)\b|\b(?:last (?:year|term|semester|time)|back then|years ago)\b.*\bi\b",
    re.IGNORECASE,
)
"""What was not done after all, or long ago, or may be some time."""
GIVEN_UP = re.compile(
    r"(?:\b(?:some ?day|one day)|,? but (?:i )?(?:didn't|won't)\b.*|,? but (?:then )?(?:i )?(?:didn't|no|not)"
    r"|(?:but )?not (?:now|yet))\W*$",
    re.IGNORECASE,
)
GIVES_UP_ZH = re.compile(
    r"差[一]?点|险些|去年|当年|上个?学期|前年|很久以前|(?:本来|原本|原来)是?(?:想|打算|要|准备|计划)(?=.*(?:算了|没"
    r"|不|放弃))|(?:以后|将来|哪天|改天)\S{0,3}(?:也许|可能|或许|说不定|再说|考虑)"
)
WANTED_TOO = re.compile(
    r"[,，;；.。!！] *(?:so |and |then |but )*(?:please|can you|could you|do (?:that|it|the same)|i (?:want|need"
    r"|'d like)|let's|me too)\b"
    r"|\b(?:do|want|need|like) the same\b|[,，;；.。!！]\S{0,2}(?:帮我|请|我也|给我|麻烦|照|那就|也给)",
    re.IGNORECASE,
)
"""Behind a deed that is told of, that it is wanted here as well."""
