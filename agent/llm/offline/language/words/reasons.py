"""Words of what stands beside a request and wants nothing: reasons, grumbles, aims; and of what does want something."""

from __future__ import annotations

_OTHERS = (
    r"(?:朋友|室友|舍友|同学|同桌|父母|爸妈|家长|[老我]?[爸妈姐哥弟妹]|学[长姐]|教练|老板|对象|别人|有人|大家|[他她]们?)"
    r"[^,，。]{0,2}?(?:说(?!的)|让|叫|建议|劝|觉得|认为|推荐|非要|希望)"
)
_TEACHERS = r"(?:老师|导师|教授|助教)[^,，。]{0,2}?(?:让|叫|建议|劝|觉得|认为|推荐|希望)"
"""What teachers only advise; what they say is news."""
_PERSON = (
    r"\b(?:friends?|room-?mate|flat-?mate|class-?mate|m[uo]m|dad|parents|brother|sister|girlfriend|boyfriend"
    r"|coach|boss|everyone|everybody|someone|somebody|people|he|she|they)"
)
_SHIFT = r"(?:mov|shift|push|pull|put|bring|swap|switch|reschedul|postpon|delay|drop|remov|delet|cancel|skip|tak)"
WORDS_OF_REASONS: dict[str, tuple[str, ...]] = {
    # what is told of others and of before, which is no wish of now
    "told_only": (
        rf"re:{_OTHERS}|{_TEACHERS}|差一?点(?=.*[挪移放删改换调])|(?:昨天|前天|刚才|刚刚|上周|已经)[^,，。]*[挪移放删改换调](?!好|成功)[^,，。]*(?<![好算])了$"
        r"|(?:本来|原本|原来|之前|开始|当初)(?:是|也|就|还|我)*(?:想|打算|准备|要)[^,，。]*[挪移换调改删撤推排放]",
        rf"re:{_PERSON}(?:'s)? (?:just |keeps? |always )?(?:say(?:s|ing)?|said(?! so)|tells?|told|thinks?|thought"
        r"|suggest\w*|recommend\w*|reckons?|insist\w*|asked|asks|wants?|wanted|advised|would like)\b"
        r"|\b(?:prof(?:essor)?|teacher|tutor|advisor) (?:suggest|recommend|advise)\w*"
        r"|\b(?:prof(?:essor)?|teacher|tutor|advisor) (?:says?|said|thinks?|told me)"
        r" (?:we|i|you) (?:should|could|might)\b"
        rf"|\b(?:was|were) (?:going|about|planning|hoping) to (?:\w+ )?{_SHIFT}"
        rf"|\b(?:wanted|planned|meant|intended|thought (?:of|about)) (?:to )?(?:\w+ )?{_SHIFT}"
        r"|\bi(?: already| just| nearly| almost)? (?:moved|shifted|deleted|removed|dropped|rescheduled)\b(?! my mind)",
    ),
    "no_wish": (
        r"re:不是(?:说|让你|叫你|想|要)(?:要|想)?[^,，]{0,3}[挪移换调改删动]|没(?:说|让你|叫你|打算|想)(?:要)?[^,，]{0,4}[挪移换调改删]"
        r"|(?:如果|要是|万一|假如)[^,，]{0,8}(?:下雨|下雪|挂|不及格|没过|生病|感冒|加班|停电|考砸|天气|发烧)"
        r"|以为[^,，]*(?:完|好|过)了?[,，。][^,，]*(?:没|不是)|^行啊[,，]|(?:[,，]|真)谢谢你啊|(?:又不想|改主意|后来不想)了?\W*$",
        r"re:\bnot (?:saying|asking|suggesting|telling)\b"
        rf"|\b(?:don't|do not|didn't) (?:want|mean|need) (?:you )?to {_SHIFT}"
        r"|\bif (?:i|we|it|(?:the|my) \w+) (?:\w+ )?(?:fail|flunk|pass(?!ed)|rain|snow|(?:gets?|am) (?:sick|ill))"
        r"|\bi thought i\b.*\b(?:but|didn't|not)\b|\bchanged my mind\W*$|\bwhy don't you\W*$|\bthanks a lot\W*$"
        r"|\b(?:only|but) if\b|\byeah,? right\b",
    ),
    "gives_reason": (
        r"re:^(?:因为|由于|毕竟|反正|主要是|免得|省得|好让|这样我?(?:就|才)?能)|^(?:because|'?cause|cos|coz|cuz"
        r"|since (?!when\b|\d)(?!(?:last|yesterday|march|april|week)\b)|as (?:i|we|my)\b|seeing (?:as|that)|given that"
        r"|after all|so (?:that )?(?:i|we)(?:'m|'ll|'d)? (?!want|need|would|wanna|think)|that way i\b)",
    ),
    "undecided": (
        r"re:没有?(?:想好|想清楚|决定|定(?:下来|好)?|确定|考虑好)|不(?:知道|确定|清楚)|再(?:想想|考虑|看看)",
        r"re:(?:\bnot|n't) (?:decided|sure|know|made up)\b|\bno idea\b|\bto think about\b|\bunsure\b",
    ),
    "known_anyway": (r"re:^(?:毕竟|反正)|^after all\b",),
    "occupied": (
        r"re:要(?:赶|交|写|开|去|陪|补觉|睡|回|带|打|踢|练|跑|健身|约|聚|参加|准备|照顾|上班|兼职|搬|接|出)"
        r"|\bi (?:always |usually )?(?:work|volunteer|train|babysit|play|coach|teach|practi[cs]e|swim|visit|help)\b"
        r"|\bi(?:'ve| have) (?:got )?(?:an?|my)\b",
    ),
    "gives_alternative": (r"re:^(?:不然|否则|要不然)|^(?:otherwise|or else)\b",),
    "aims_at": (
        r"re:^(?:我|就|还是|真的)*(?:想|希望|打算|为了|争取|巴不得)[^,，]*(?:[学搞弄做背看忙熬]完|搞定|结束|解决)"
        r"|^(?:i'd (?:like|love)|i would like|i want|i wanna|hoping|i hope|trying|in order|to)\b.*"
        r"\b(?:over with|done|finish(?:ed)?|out of the way|over and done)\b",
    ),
    "wonders_why": (
        r"re:(?:咋|怎么|为啥)(?:才|这么|那么|就)?(?:给我)?(?:排|放|安排)[到在得]"
        r"|\bwhy (?:on earth|the (?:hell|heck|fuck)|in the world)\b",
    ),
    "suits": (
        r"re:有空|没课|空着|方便|合适|没(?:什么|啥)?事|效率高|状态好|更好|清净|最好|都行|也行|没问题"
        r"|\b(?:better|best|fine|ok|okay|free|easier|works?(?= (?:for|better|best|well|fine))|prefer|good|quiet"
        r"|empty)\b",
    ),
    "complains": (
        r"re:(?<!不)太(?![好棒谢感阳]|.?谢)\S{1,6}|好(?:累|烦|困|难受|痛苦|挤|惨)|[累烦困忙]死|(?:很|特别"
        r"|超级?|实在|真的?|有点|巨)"
        r"(?:累|困|烦|忙|挤|痛苦)|[受撑扛顶熬吃]不(?:了|住|消)|起不来|起不[了早]|阴间|要命|难熬|崩溃|痛苦|折磨|瞌睡"
        r"|没(?:精神|状态|精力)"
        r"|不想(?:学习?|早起|看书)(?=了|啊|$)|[学看]不进|转不动|爬不起|没心情|忙不过来|满课|课多|关门|撞[车了]|撞$"
        r"|冲突|离谱|反人类",
        r"re:\b(?:way )?(?<!not )too (?!\W*$)\w+|\bso (?:tired|busy|full|packed|exhausted|stressed|early|late)\b"
        r"|\bkill(?:s|ing)? me\b|\bget (?:nothing|no work) done\b"
        r"|^(?:\w+ ){0,3}?i'?m (?:so|way|super|really) (?:far )?behind\b(?: \w+)?$"
        r"|\b(?:brutal|awful|horrible|terrible|hell(?:ish)?|insane|crazy|nightmares?|the worst|a pain|a mess|packed"
        r"|slammed|swamped"
        r"|crammed|exhaust(?:ed|ing)|knackered|dead|wrecked|drained|unbearable|miserable|tiring|seriously)\b"
        r"|\b(?:hate|dread|sucks?|clash(?:es|ing)?|conflicts? with|overlaps? with)\b|\bcan(?:'t|not) (?:stand|focus"
        r"|concentrate|cope|get up|wake up|get out of bed|do mornings)\b|\bnot a morning person\b",
    ),
    "dislikes": (
        r"re:不(?:太|怎么|是很)?(?:喜欢|满意)[^,，]{0,6}(?:计划|安排|课表|排法)|(?:[全都]|总是?|老是?)(?:[排放挤堆]|安排)?在了?"
        r"[^,，。]{0,4}(?:早上|[上下]午|晚上|周末|周[一二三四五六日])[^,，。]{0,3}$",
        r"re:\b(?:don't|do not|didn't) (?:really |quite )?like (?:this|the|my|how|that|it)\b"
        r"|\bnot (?:really )?happy with\b"
        r"|\b(?:everything|it|they|all of (?:it|them))(?:'s| is| are)(?: all| always)? (?:in|on|at) (?:the )?\w+$",
    ),
    "wears_out": (
        r"re:早|起不|困|阴间|瞌睡|没精神|\b(?:early|late|get up|wake|tired|sleepy|dead|brutal|kill(?:s|ing)? me"
        r"|morning person|out of bed)\b",
    ),
    "shifts": (
        r"re:[挪移换调推延删撤]|改(?:到|在|成|一下)|提[前早]|往[前后]|拿[掉走出]|取消|去掉|对调|重排"
        r"|\b(?:mov|shift|push|pull|put|bring|swap|switch|chang|reschedul|postpon|delay|drop|remov|cancel|take)\w*\b",
    ),
    "wants_change": (
        r"re:[挪移换推延删撤]|调(?!休|研)|改(?!天)|提[前早]|往[前后]|拿[掉走出]|取消|去掉|帮我|能不能"
        r"|能否|可以|可不可以|行[吗不]"
        r"|[吧呗]$|(?<![特分区])别|不要|不排|(?<![安])排(?:一下|好)|再排|[少多]排|空出|想要|希望|放[到进]|[早晚]一?[点些](?!$)"
        r"|[早晚][点些]$|对调|加|拆|合并|分成"
        r"|\b(?:mov|shift|push|pull|put|bring|swap|switch|chang|reschedul|postpon|delay|drop|remov|cancel|plan"
        r"|replan|schedul"
        r"|add|keep|leave|spread|avoid|skip|split|divid|merg|renam|delet|mark|undo)(?:e|es|s|ed|ing|ting|ping)?\b|\b(?:can|could|would)\b(?!'t|not)"
        r"|\b(?:please|pls"
        r"|let's|let|i want|wanna|i need|prefer|rather|don't (?:put|plan|schedule|give)|do not|instead|give|find"
        r"|take|make)\b|\bnot? (?:on|in|at|before|after|until|mornings?|evenings?|afternoons?|weekends?|\w+days?)\b",
    ),
}
