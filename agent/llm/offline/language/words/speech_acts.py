"""Words that tell what is done by a message: that a deed is refused or spoken against, told of, or asked about."""

from __future__ import annotations

import re

_SURELY = r"(?:really|honestly|absolutely|definitely|just|still|actually)"
_THINKS_NOT = (
    rf"(?:i (?:{_SURELY} )*(?:don'?t|do not|never) (?:think|believe|feel(?: like)?|see why)(?: that)?"
    rf"|i doubt(?: that| if| whether)?)"
)
_VERBS = (
    "move moves moved moving; delete deletes deleted deleting; remove removes removed removing; "
    "take takes took taken taking; drop drops dropped dropping; add adds added adding; "
    "rename renames renamed renaming; mark marks marked marking; swap swaps swapped swapping; "
    "switch switches switched switching; push pushes pushed pushing; postpone postpones postponed postponing; "
    "delay delays delayed delaying; bring brings brought bringing; pull pulls pulled pulling; "
    "shift shifts shifted shifting; split splits split splitting; merge merges merged merging; "
    "extend extends extended extending; shorten shortens shortened shortening; "
    "reschedule reschedules rescheduled rescheduling; unplace unplaces unplaced unplacing; "
    "clear clears cleared clearing; bin bins binned binning; change changes changed changing; "
    "create creates created creating; get gets got getting; make makes made making; put puts put putting; "
    "schedule schedules scheduled scheduling; plan plans planned planning; place places placed placing; "
    "spread spreads spread spreading; set sets set setting; "
    "cancel cancels cancelled cancelling canceled canceling; reorder reorders reordered reordering; "
    "squeeze squeezes squeezed squeezing; fit fits fitted fitting; give gives gave given giving; "
    "call calls called calling; rebuild rebuilds rebuilt rebuilding; replan replans replanned replanning; "
    "keep keeps kept keeping; leave leaves left leaving"
)
BASES = {form: row.split()[0] for row in _VERBS.split(";") for form in row.split()}
"""The deeds in each of their forms, by the form in which they are asked for."""
_GET_RID = r"(?:get|gets|got|getting)(?= rid of\b)"
_FORMS = "|".join(sorted({*BASES} - {"get", "gets", "got", "getting"}, key=len, reverse=True))
_DEEDS = rf"(?:{_FORMS}|{_GET_RID})\b"
AGAINST = re.compile(
    rf"^(?:(?:please|no|sorry|but|and|well|ok|hey),? )*(?:{_THINKS_NOT} (?:(?:you|we|i|it) (?:should|need to"
    rf"|have to|ought to)"
    rf"|(?:it )?(?:is|makes) (?:sense|smart|wise|good|a good idea) to)"
    rf"|(?:i|you|we) (?:{_SURELY} )*(?:would not|wouldn'?t|should not|shouldn'?t|don'?t (?:have|need"
    rf"|want) (?:you )?to|do not (?:have|need|want) (?:you )?to"
    rf"|never (?:asked|told|wanted) (?:you )?to|didn'?t (?:ask|tell|want) (?:you )?to|did not (?:ask|tell"
    rf"|want) (?:you )?to)"
    r"|i(?:'d| would) rather (?:not|you didn'?t|we didn'?t)|(?:there(?:'s| is) )?no (?:need|reason|point) (?:to"
    r"|in|for you to)"
    r"|it (?:makes no sense|doesn'?t make sense|would be (?:a mistake|wrong|a bad idea|stupid)|is (?:a mistake"
    r"|wrong|a bad idea|stupid)) to"
    r"|i(?:'m| am) (?:against|not)|why (?:on earth )?(?:would|should|do) (?:you|i|we|anyone)(?: want to)?"
    r"|what(?:'s| is) the (?:point|use) (?:of|in)"
    rf"|(?:don'?t|do not|never)(?: (?:ever|just|please))?) (?P<deed>{_DEEDS}.+)$"
    rf"|^(?P<ing>{_DEEDS}.+) (?:is|would be|sounds like|seems) (?:a (?:bad|terrible|stupid|horrible) idea"
    rf"|a mistake|wrong|pointless|nonsense)\W*$"
    r"|^(?:我)?(?:真的?|其实|也|还)*(?:觉得|认为|感觉)?(?:你|我们|咱们)?(?:完全|根本|真的?)?"
    r"(?:不(?:应该|应当|该|建议|想(?:要|让你)?|希望(?:你)?|需要|必|用|要)|没(?:必要|让你|叫你|要你|说要)"
    r"|没有必要|用不着|犯不着|何必(?:要|非要)?"
    r"|谁(?:让|叫|要)你|干嘛(?:非?要)?|(?:千万|先|暂时|还是|也|都|可)*别(?:再)?|反对|不同意|不赞成)(?=(?P<zh>.+)$)"
    r"|^(?P<bad>.+?)(?:没必要|没有必要|是个?(?:馊|坏)主意|没什么(?:意义|必要)|没(?:有)?意义"
    r"|不(?:是个)?(?:太)?(?:合适|妥|明智)|是(?:错|不对)的)[吧啊呢的]*\W*$",
    re.IGNORECASE,
)
"""That a deed is not wanted, or thought wrong."""
DEED_ZH = re.compile(
    r"[把将给].*[移挪删去拿加改换调推提延拆并合标排放取空散]|安排|推后|移出|移到|移动|挪|删|拿掉|去掉|加上|添加"
    r"|追加|再添"
    r"|新增|改名|改成|改到|标[成为记]|对调|交换"
    r"|换一?下|换到|推迟|延后|延期|延长|提前|往后|往前|拆|合并|缩短|新建|创建|取消|重排|重新排|清空|连着排"
    r"|做完了|学完了|延到|清[了掉空]|顺序|^(?:都|全部?|再|先)*排"
)
PLACES = re.compile(r"排|放|安排|^(?:put|putting|schedul|plac|plan|mak|giv|fit)", re.IGNORECASE)
"""A deed of which a time may be refused alone: don't put anything on friday."""
ANY = re.compile(
    r"任何|什么|东西|太多|过多|超过|多于|[早晚]于|\d节以上|\b(?:any\w*|more than|too (?:many|much|early|late)"
    r"|over \d|stuff|things?|everything"
    r"|study|studying|sessions?|work|\w+ (?:before|after|past) \d)\b",
    re.IGNORECASE,
)
"""What makes of a refused deed a rule: don't add more than two a day."""
STRONGLY = re.compile(
    r"^(?:\w+,? )?(?:it |there|no (?:need|reason|point)|i doubt|i never|i'm |i am |why |what)|^(?:我)?(?:没"
    r"|用不着|犯不着|何必|谁|干嘛|反对|不同意|不赞成)",
    re.IGNORECASE,
)
"""What speaks against a deed as a whole, and never against its time alone."""
STATE_AGAINST = re.compile(
    rf"^(?:(?:no|but|and|well),? )*{_THINKS_NOT} (?P<x>(?!you\b|we\b|i\b|it\b).+?) (?:should|ought to) (?P<rest>.+)$"
    r"|^(?:我)?(?:也|还|真的?)?(?:觉得|认为|感觉)?(?P<zh>.+?)(?:不应该|不应当|不该|不适合"
    r"|不合适)(?P<rest_zh>(?:被)?(?:放|排|安排|在).+)$",
    re.IGNORECASE,
)
"""That something should not be as it is said."""
WRONG_SIDE = re.compile(
    r"^(?P<x>.+?) (?:should(?: not|n't)|must(?: not|n't)|can(?:not|'t)) (?:be|come|go|happen|stand|sit) (?:right )?"
    r"(?P<side>before|after) (?P<y>.+)$"
    r"|^(?P<x_zh>.+?)(?:不要|不能|不可以)(?:被|安排|放|排|在|到)*(?P<y_zh>.+?)的?(?P<side_zh>前面|之前|前|后面"
    r"|之后|后)(?:[边头])?$",
    re.IGNORECASE,
)
"""That one thing should not be before another one, or after it."""
ASKS_AWAY = re.compile(
    r"^(?:(?:so|and|wait|hey),? )*(?:am|was|will) i (?:be |going to be )?(?:away|gone|busy|off|out(?: of town)?"
    r"|unavailable)\b(?P<when>.*)$"
    r"|^我?(?P<when_zh>.+?)我?(?:是不是)?(?:不在|没空|没时间|出门|外出|请假)[了]?[吗么嘛]$",
    re.IGNORECASE,
)
"""Whether one is away is asked, and not told."""
