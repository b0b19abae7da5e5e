"""Words of which a comment is made: it tells what somebody says, knows, thinks, feels or leaves open, and nothing of a
plan. Each language has words that only go with others, and words of which a comment has at least one."""

from __future__ import annotations

import re

_WITH_ZH = (
    "我们?|你们?|您|咱们?|自己|大家|刚刚|刚才|刚|又|也|都|就|才|还|其实|真的|真|反正|毕竟|可能|应该|大概|好像|有点|具体|这里|之前"
    "|[一几]下|[一几]?[点些]儿?|[一两几][个件]|[个件]|另外|突然|差点|对了|[哦啊吧呢哈呀嘛啦了着过的得地]|有|没有?|不|会|能|这样|那样"
    "|这么|那么|这|那|哪[天儿里]|哪[一1]?[个周章]|什么|怎么|怎样|问题|时候|时间|几点|别的|事情?|特别|太|很|比较|挺|好|更|多|想|要|跟|对|为"
)
_CORE_ZH = (
    "别问(?:为什么|为啥)?|说|讲|提|聊|问|想起来?|想到|想了想|忘了?记?|记得|发现|觉得|感觉|怕|担心|知道|清楚|意见|要求|讲究|无所谓|看着[办来弄排定]|决定"
    "|[你您][来]?定|随[便意]|[都也][行可](?:以)?|着?急|麻烦|拜托|来[得不]及|抱歉|不好意思|打扰|补充|慢慢来?|好一[些点]|没关系|老实"
    "|(?:没|没有|不)开始[看学做背弄]?|忘[了记][说提讲]|不够(?=了|的|$)"
)
_WITH_EN = (
    r"i(?:'(?:m|d|ve|ll))?|we(?:'(?:ve|ll|re))?|me|my|us|you(?:'(?:re|ll|d))?|your|it(?:'(?:s|ll))?|that(?:'s|'ll)?|this|there(?:'s)?|so"
    r"|and|but|just|really|quite|also|an?|the|of|on|in|to|for|with|about|by|out|up|as|if|is|are|was|be|been|do|does|did|have|has|had"
    r"|will|would|can|could|may|might|should|not|(?:do|does|did|have|has|wo|was|is|ca|would)n'?t|no|nothing|any|anything|some|something"
    r"|more|most|too|very|much|yet|though|anyway|now|later|way|things?|bit|little|lot|kind|sort|details?|rest|all|whatever|however"
    r"|short|big|great|good|well|better|best|one|figure|never|before|earlier|while"
)
_CORE_EN = (
    r"honest(?:ly)?|frank(?:ly)?|know|knew|found|forg[eo]t|mention(?:ed)?|say|said|tell|told|think(?:ing)?|thought|mind|care"
    r"|rush|hurry|pressure|worr(?:y|ies|ied)|sorry|notice|question|quick|decide|choose|pick|ok(?:ay)?|fine|works?|helps?"
    r"|feel(?:ing)?|guess|believe|reali[sz]ed?|noticed|remember(?:ed)?|started|begun|wonder(?:ing)?|hope|hoping|matter"
    r"|trust|sure|figure|happy"
)
COMMENT = re.compile(
    rf"(?=.*(?:{_CORE_ZH}))(?:{_CORE_ZH}|{_WITH_ZH})++"
    rf"|(?=.*\b(?:{_CORE_EN})\b)(?:(?:{_CORE_EN}|{_WITH_EN})(?: |$))++",
    re.IGNORECASE,
)
"""A whole clause that is one. What was taken stays taken: a word may be two others, 有点, of which all ways would be
tried."""
PUT_OFF = re.compile(
    r"(?P<rest>其[他余它]|别的|剩下|余下|那些)?的?(?:先|都|就)?(?:以后|之后|回头|后面|到时候?|下次|改天)(?:再|慢慢)(?:说|看|讲|定|想|弄)[吧呗了]*"
)
"""That it comes later, said of what is refused for now."""
LEFT_OUT = re.compile(
    r"[\s,，]+(?:我|之前|刚才|刚刚|上次|还|都|也)*(?:忘[了记]?[加写排算列录提说]?|漏|落下|没[加写算列录])"
    r"(?:[掉了上进过]|进去)*$"
    r"|[\s,]+(?:(?:which|that) )?(?:i|we)(?:'d| had)? (?:forgot|missed|left (?:it )?out)"
    r"(?: (?:it|that|to \w+(?: it)?))?$",
    re.IGNORECASE,
)
"""Behind what is new, that it was left out before."""
ANSWERS = re.compile(
    r".*(?:(?<!什)[吗么?？]|想要|不想|不要|要不|不能)$|不[行会能好]了?|(?:没|没有)(?:了|时间)|知道了|[好行可以的了吧]+"
    r"|(?:that'?s|it'?s|all|ok(?:ay)?|fine|sure|no|yes|good|great|well|it|is|not|works?|i|think|guess|so|never|mind"
    r"|sorry| )+",
    re.IGNORECASE,
)
"""What answers or refuses something by itself, or asks whether it can be."""
NAMES = re.compile(
    r"(?:(?:补充|提问|感觉|发现|决定|要求|意见|问题|讲解?|问|想|说|慢慢来)[和与及跟]?)+"
    r"|(?:(?:and )?(?:mind|care|trust|hope|hoping|thinking|thought|feeling|questions?|notice|pressure|matter|wonder"
    r"|choose|decide|remember|mention|works|figure|belie(?:f|ve))(?: |$))+",
    re.IGNORECASE,
)
"""What can be the name of something as well."""
SECOND_THOUGHTS = re.compile(
    r"想了想|想想|考虑了?[一1]?下|\b(?:second thoughts?|(?:thinking|thought|think) (?:about|of) (?:it|that))\b"
)
"""What tells that something else is wanted than was said before it."""
TOLD_IN = re.compile(
    r"(?:(?:and|so|but|also|well) )*(?:honestly|frankly|to be honest|basically),? (?=\S)"
    r"|(?:(?:and|so|but|also|well) )*(?:i|we)(?:'ve| have)?(?: (?:just|only|also|now|recently|totally|completely))*"
    r" (?:found out|learn(?:ed|t)|reali[sz]ed|noticed|discovered|remembered|forgot to (?:say|mention|tell you)"
    r"|should (?:say|mention)|(?:got|was|were) told)(?: that)?"
    r" (?=(?:my|the|our|i|i'm|it|we|on|there|they|this|next|\w+ (?:is|has|was|are|got|moved))\b)"
    r"|i(?:'ve)?(?: only)? just (?:found out|heard|learned) about (?:this|it|that),? (?:so|and) (?=\S)"
    r"|(?:我|刚才|刚|突然|才|又|对了|哦|[,，])*+(?:发现|忘[了记]说了?|想起来?|得知)(?:了|[,，:：])?(?=\S{4})",
    re.IGNORECASE,
)
"""How something is told that holds by itself: I just found out that my exam is on Friday."""
