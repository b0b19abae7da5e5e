"""Words by which one takes back, or puts right, within one message what was said in front of them."""

from __future__ import annotations

import re

_HESITATES_ZH = (
    r"(?:不对|不不|不(?=[,，\s。])|等一?等|等一?下|[哦噢啊嗯诶欸唉哎呃额]|仔细|再?想了?想|其实|还是"
    r"|要不|话说|那|先|就|都|咱们?|我|吧|好像)[\s,，。.…]*"
)
_HESITATES_EN = (
    r"(?:(?:no|nope|nah|wait|hm+|ah+|oh|er+m?|um+|well|hold on|h[ao]ng on|actually|on second thoughts?"
    r"|ok(?:ay)?|sorry|but|or|and"
    r"|then|you know what|rather|just|please|maybe|i think|i guess|come to think of it)\b(?!-)[\s,.…!—–-]*)"
)
HESITATES = rf"(?:{_HESITATES_ZH}|{_HESITATES_EN})"
_DEED_ZH = r"[动改弄挪移删加换调]"
_IT = r"(?:it|that|this|them|those)"
_PLAINLY = (
    rf"算了(?:算了|不?{_DEED_ZH}了|不要了|别{_DEED_ZH}了?|吧)*|当我没(?:说过?|讲)|(?:我)?(?:又)?(?:反悔|改主意)了"
    r"|(?:保持|维持)(?:原样|现状|不变)(?:吧|就[好行])?"
    r"|never ?mind(?: (?:about )?(?:it|that))?|(?:let'?s )?(?:just )?forget (?:about )?(?:it|that"
    r"|what i (?:just )?said)"
    r"|scratch (?:that|it)|(?:ignore|disregard) (?:that|what i (?:just )?said)|i(?:'ve| have)? changed my mind"
)
"""What takes back whatever was said."""
_OF_A_DEED = (
    rf"(?:别|不要|不用|不必)(?:再)?{_DEED_ZH}(?:了|吧|它)*|(?:不用|不必)了|不{_DEED_ZH}了|(?:放|留)着吧|撤回吧?"
    rf"|do(?:n'?t| not)(?: (?:do|change|touch|move) {_IT})?|let'?s not(?: (?:do )?{_IT})?"
    r"|(?:there'?s )?no need(?: (?:after all|anymore))?|not (?:needed|necessary)(?: (?:after all|anymore))?"
    rf"|(?:leave|keep) {_IT}(?: (?:alone|be|there|(?:as|where|how) (?:it|they|things) (?:is|are"
    rf"|was|were)))?"
)
"""What takes back a deed that was wanted in front of it: alone it may refuse a thing, or a time."""
_AFTER_ALL = rf"(?:cancel|undo|drop|skip|scrap) {_IT}|no|取消|不要了?"
"""What takes back what was wanted only behind hesitation: alone it is a deed with a thing, or an answer."""
_END = r"\s*(?:[,，.。;；!！?？…—–]|$)|\s+-|(?<=[一-鿿])\s"
TAKES_BACK = re.compile(
    rf"(?<![^\s,，.。;；!！…?？—–-])"
    rf"(?P<said>{HESITATES}{{0,6}}(?:(?P<plain>{_PLAINLY})|(?P<deed>{_OF_A_DEED}))(?: (?:after all|then|please"
    rf"|actually|now))?[了吧呢啊呀]*"
    rf"|{HESITATES}{{1,6}}(?P<later>{_AFTER_ALL})[了吧呢啊呀]*(?: (?:after all|then|please))?)"
    rf"(?={_END})",
    re.IGNORECASE,
)
"""A clause that takes back what was said in front of it."""
_SLIP = (
    r"不对不对|不对|不不|不是[,，\s]*是|[记搞弄说打写]错了|口误|更正|(?:等一?等|等一?下)(?=[,，\s应]*(?:应该是"
    r"|是|不对|[记搞弄说打写]错))"
    r"|(?:不好意思|抱歉|对不起)(?=[,，\s]*(?:应该)?是)|(?:我是说|我说的是|我指的是|我的意思是|应该是)|(?<=[,，\s….。哦啊噢])(?:不(?=[,，\s])|不是(?=[,，]))|[哦啊噢]不(?:是)?"
    r"|no,? (?:wait|sorry|actually)|wait,? (?:no|sorry|actually)|(?:sorry|oops|no),? i (?:mean|meant)|i (?:mean"
    r"|meant)(?: to say)?|or rather"
    r"|make that|correction|scratch that|my (?:bad|mistake)|h[ao]ng on|hold on|no|nope|wait|sorry|oops"
    r"|er+m?|actually"
)
SLIP = re.compile(
    rf"(?:[\s,，.。;；…—–(（-]|(?<=[一-鿿\d]))+(?:(?:ah|oh|hm+|well|or|ok|[哦啊噢呃嗯])[\s,，]*)?"
    rf"(?P<slip>(?:(?:{_SLIP})(?![a-z'])[\s,，.。…:：—–!-]*){{1,4}})"
    r"(?P<deed>(?:(?:(?:to|on|at|in|for|until|till|by|from|the|it'?s|it is|that'?s|make (?:it|that)|move (?:it"
    r"|that)|put (?:it|that))\b|(?:是|应该是|应该|改成|改到"
    r"|换成|放到|放在|放|挪到|移到|到|在))[\s,，]*){0,4})",
    re.IGNORECASE,
)
"""What says that something in front of it is to be what comes behind it."""
DENIES = re.compile(
    rf"[\s,，.。;；…—–-]+{HESITATES}{{0,3}}(?:不是|而?不是|not|and not|so not)[\s]*(?:on |at |in |to |the )?"
    r"(?P<old>[^,，.。;；]{1,40}?)[\s,，;；]+(?:而?是|but|it's|rather|应该是|我(?:说|指)的?是|i meant?)?[\s]*"
    r"(?:on |at |in |to |the )?(?P<new>[^,，.。;；]{1,40}?)[\s.。!！]*$",
    re.IGNORECASE,
)
"""That one thing is not meant, beside another one that is: not friday, saturday; 不是周五，是周六."""
DENIES_ONLY = re.compile(
    rf"[\s,，.。;；…—–-]+{HESITATES}{{1,3}}(?:不是|not) ?(?:the )?(?P<old>[^,，.。;；]{{1,40}}?)[\s.。!！吧啊]*$",
    re.IGNORECASE,
)
"""That what is named in front is not meant, and nothing of what is: mark chapter 1 as done, wait, not chapter 1."""
WEAK = re.compile(r"^(?:no|不是?)[\s,，.…—–-]*$", re.IGNORECASE)
"""What may refuse one more thing as well as put one right."""
INSTEAD = re.compile(
    r"(?:[,，.。;；!！…—–]+\s*|\s+-+\s+)(?:[哦啊噢呃嗯][\s,，]*|(?:ah|oh|hm+|well)[\s,]+)*"
    r"(?:(?:等一?等|等一?下)[,，\s]*还是(?=\S)|(?:不对(?:不对)?|[记搞弄说打写]错了|no,? wait|wait,? no"
    r"|actually,? no|no,? actually"
    r"|on second thoughts?|scratch that)[\s,，.。!！…—–-]+(?=\S))",
    re.IGNORECASE,
)
"""What says that all of the one request in front of it is to be what comes behind it."""
SURELY = re.compile(
    r"不对|还是|[,，.。;；!！…—–-]\s*$|\b(?:wait|actually|second thoughts?|h[ao]ng on|hold on)\b", re.IGNORECASE
)
"""What stands in front of words that take something back, so that they are no part of what is said there."""
SUPPOSED = re.compile(
    r"(?:(?:^|[,，.。;；]\s*|\b(?:and|but|so)\s+)(?:(?:if|unless|otherwise|in case|when|should)\b|(?:如果|要是"
    r"|万一|不行|不然|否则))"
    r"|的话|放不下)[^,，.。;；]*[\s,，]*$",
    re.IGNORECASE,
)
"""What is only then not wanted: if it doesn't fit, leave it."""
REFUSED = re.compile(r"(?:\b(?:no|not|nothing|never|without|except|don'?t)\b|[不别没除])[^,，.。;；]*$", re.IGNORECASE)
"""What a second refusal may go on with: no fridays no saturdays."""
APART = re.compile(
    r"[,，.。;；…—–-]\s*(?:(?:ah|oh|hm+|well|[哦啊噢呃嗯])[\s,，]*)?(?:no|不是?)\s*[,，.。;；…—–-]", re.IGNORECASE
)
"""A no with a clause of its own."""
PLURAL = re.compile(r"\w+s\b|work|stud", re.IGNORECASE)
"""What is refused by a no in front of it: no mondays."""
