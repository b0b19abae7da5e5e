"""The vocabulary of what is asked and corrected over a card, written as the lexicon writes its other concepts."""

from __future__ import annotations

import re

CARD_WORDS: dict[str, tuple[str, ...]] = {
    "when_asked": ("在哪", "哪里", "第几周", "何时", "still planned", "slot",
        r"re:几[号点]|哪一?[天日周]|(?:周|星期|礼拜)几|哪[个1一](?:周|星期|礼拜)|(?:什么|啥)时候|第几节"
        r"|\b(?:when|where)\b"
        r"|\b(?:which|what) (?:exact )?(?:\w*days?|dates?|weeks?|times?|hours?|mornings?|afternoons?|evenings?)\b",),
    "plain_question": (r"re:[会是在现换改移挪完之后以该按卡片你选挑定排放给指说]",
        r"re:\b(?:is|are|was|were|they|them|those|be|will|would|now|then|date|exactly|end up|go|so|after|again)\b"
        r"|\b(?:did|do|does|have|has|you|i|pick(?:ed)?|choose|chose|chosen|took|set|went|decided?|meant?)\b"
        r"|\b(?:this|with|card)\b",),
    "compares_order": (r"re:[前后早晚]|\b(?:before|after|earlier|later|first)\b",),
    "counts_on": (r"re:[再又更]|还(?!是)|继续|\b(?:another|more|further|even|again|yet)\b",),
    "at_the_end": ("末尾", r"re:最后(?!一?[天周期个次])",
        r"re:\b(?:at the (?:very )?end|come last|be last|goes? last|last one)\b",),
    "clash": ("冲突", "撞", "重叠", "重合", "打架", "same time as", "on top of",
        r"re:\b(?:clash|conflict|overlap|collid)\w*",),
    "within_asked": ("范围", "来得及", "影响", "放得下", "符合",
        r"re:还[在能够赶]|在[那这]|超[过出]|违[反背]|[要会][挪动移改换]|赶得[上及]",
        r"re:\b(?:fits?|within|inside|outside|break\w*|affect\w*|hits?|violat\w*|against|in time|ok|okay|stay)\b"
        r"|\b(?:have to|would|will) (?:move|change|go)\b|\bthere\b|\bin (?:it|that|those)\b",),
    "placed_asked": (r"re:[排放]了?[好完上进]|\b(?:planned|placed|scheduled)\b",),
    "count_asked": (r"re:多少|几[项个门章]|\bhow many\b",),
    "others_asked": ("别的", "其他", "其它", "其余", "剩下", "剩余", "另外", "else", "other", "others", "anything",
        "rest"),
    "lesson_asked": ("课", "lesson", "lessons", "lecture", "lectures", "class", "classes"),
    "venue": ("地点", "教室",
        r"re:教\d{2,}|[在是去][^,，。的]{0,8}(?:[楼馆室厅]|中心|操场|食堂|教\d|[一二三四五六七八九]教)",
        r"re:\b(?:venue|location|rooms? \w*\d)\b"
        r"|\b(?:in|at) the (?:\w+ ){0,2}(?:room|building|hall|gym|library|center|centre)\b",),
    "told_reason": (r"re:^(?:因为|是[^,，。]{0,6}[要去有开]|我?[要得有](?!把|排|移)|就是)",
        r"re:^(?:it's|its|that's|because|cause|cuz|since|for) (?:an?|my|the|i|for|there)\b"
        r"|^i(?:'ve| have) (?:got )?(?:an?|my|to)\b",),
    "begins_reason": (r"re:^(?:因为|毕竟|反正|正好)|^(?:because|since|cause|as) ",),
    "left_alone": ("别动", "不动", "别管", "不管", "别改", "不改", "不变", "照旧", "照常", "照样", "原样", "随便",
        "无所谓", "都行", "都可以", "不着急", "不急", "再说", r"re:不[用必需](?:管|动|改|变|挪|调)?(?:[了吧啦]|\W|$)",
        r"re:\b(?:leave|keep|stays?|alone|whatever|whenever|wherever|anywhere|any ?time|as usual|unchanged)\b"
        r"|\b(?:don't|do not|doesn't|needn't) (?:touch|change|matter|care|mind|bother|worry|need)\b"
        r"|\bas (?:it|they) (?:is|are)\b",),
    # what is otherwise than it was said
    "not_so": (r"re:(?:别|不要?|不能)太|\bnot (?:too|so|that|very) \w",),
    "skips_card": ("跳过", "略过", "不用", "不要", "除外", "别改", "skip", "leave this one", "leave it out", "except",
        "no need", r"re:\bnot (?:for|this|in)\b",),
    "not_yet": ("还没", "尚未", "not yet", r"re:\b(?:haven't|hasn't|isn't|not done)\b",),
    "taken_back": ("看错", "搞混", "误会", "没这回事", "通知取消了", "不去了", "留着", "别删", "不删",
        r"re:(?:刚才|前面|上面)[^,，。]{0,6}(?:不算|作废)|算了(?!吗)|当我没[说提]",
        "never mind", "scratch that", "mixed it up", "mixed up", "misread", "false alarm", "a mistake",
        "my bad", "ignore that", "ignore it", "forget the rest", "后面的都不要", "cancel", "取消", "不用了",
        r"re:\b(?:keep|leave) (?:it|that|them|this|everything)(?: as (?:it|they) (?:is|are|was)| alone)?\W*(?:please)?$"
        r"|\b(?:don't|do not) (?:delete|remove|drop) (?:it|that|them|this)\b",
        r"re:\bforget (?:it|that|about (?:it|that)|what i (?:just )?said|i said)\b|\bgot (?:it|that|this) wrong\b"
        r"|\b(?:it|that|this|trip|meeting|event)\b.{0,12}\b(?:cancell?ed|called off)\b"
        r"|\bnot going (?:any ?more|after all)\b",),
    "for_good": ("彻底", "永久", r"re:完全[删去移]|从[^,，。]{1,10}[里中](?:面)?[^,，。]{0,4}(?:删|去掉|移除)",
        r"re:\b(?:completely|altogether|entirely|for good|from the (?:\w+ )?(?:class|list|course))\b",),
    "more_of_it": (r"re:多[点些]|更多|\b(?:more|extra|up to)\b",),
    "opens_times": ("随便", "可以", "没问题", r"re:[都也]还?[行能好]",
        r"re:\b(?:any|fine|ok(?:ay)?|works?|all right|good)\b",),
}  # fmt: skip

_WHAT = (
    r"(?:it|that|this|them|they|those|these|both|all|everything|things?|the (?:whole thing|two|lot))"
    r"(?: of (?:it|that|them|those|these|this))?"
)
AS_IT_WAS = re.compile(
    r"(?:(?:不是?|不对|[,，\s]|等等|等下|哦|唉|哎|嗯|算了|那|就|要不|还是|干脆|先|请|再|让|把|给我|都|全部?|一切|所有"
    r"|[两俩三四2-9][个项门]|这[个些]?|那[个些]?|它们?|东西|刚才|的|也|放|排|挪|移|改|换|退|调|搬|留|待|呆)*"
    r"(?:回(?:去|来|原[来处位样]?)|(?:恢|回)复(?:原[样状来]?|到?原来的?[样时位][子间置])?|还原"
    r"|(?:待|留|呆|维持|保持|照|跟|和|按)?在?原(?:来|样|处|位|状)"
    r"|[别不](?:要|用)?(?:再)?(?:动|改|挪|移|换|弄|要|用|变|管)|取消|作废|撤[回销]|算)(?:的|它们?|那天|那里|那儿|个?地方|位置|时间|安排|[1一]?样子?)*"
    r"(?:[就挺更比较最]*(?:[好行]|合适|方便)|就是|不[动变]|待着|[的了吧呢啊呗,，。!！\s])*){1,2}"
    r"|(?:(?:no|nah|nope|oh|ok(?:ay)?|hm+|well|wait|actually|sorry|just|please|then|on second thoughts?|never ?mind"
    r"|let's|i'd rather|you can|and|so|instead|after all|for now|thanks)\W+)*"
    rf"(?:(?:don't|do not|let's not)(?: do (?:it|that|this))?"
    rf"|(?:forget|drop|scrap|cancel|undo|revert|restore)(?: about)? {_WHAT}|(?:leave|keep|put|let|move|have) {_WHAT} "
    r"(?:be|back|alone|stay|as|like|where|how|the way|to (?:where|how|the way|its|their)|in (?:its|their)))"
    r"(?: (?:where|how|as|like|the way|its|their|old|original|former|same|places?|spots?|slots?|time|it|they|that"
    r"|things|everything|was|were|is|are|had been|used to be|before|please|then|now|for now|after all|to))*"
    r"(?:\W+(?:please|then|thanks|after all|for now|never ?mind))*\W*"
    rf"|(?:(?:no|oh|hm+|well|actually|sorry|please|and|then|now)\W+)*(?:(?:put|move) )?(?:{_WHAT} )?(?:all )?back"
    r"(?: (?:again|please|now|then))+\W*"
    r"|(?:(?:no|oh|hm+|well|actually|sorry|never ?mind|scratch that|on second thoughts?)\W+)*"
    r"(?:i (?:like|liked|prefer) |back to )?the (?:original|old|former|previous) "
    r"(?:one|day|time|place|spot|slot|date)s?"
    r"(?: (?:was|is|were|are|better|best|fine|good|ok(?:ay)?|more|after all|then|please))*\W*"
)
"""That what was wished stays as it was: 还是放回去吧, leave both where they were."""
OF_ALL = re.compile(r"[都全两俩]|一切|所有|它们|\b(?:them|they|those|these|both|all|everything|things|whole|lot|two)\b")
"""That more than what stands on one card is meant."""
