"""The vocabulary: each concept with the words that say it, Chinese and English side by side.

A Chinese word counts wherever it stands, a Latin one as a whole word; an entry that begins with `re:` is a pattern.
Known names are taken out before a concept is looked for.
"""

from __future__ import annotations

import re
from functools import lru_cache

from agent.llm.offline.language.words.comparisons import WORDS_OF_COMPARISONS
from agent.llm.offline.language.words.over_cards import CARD_WORDS
from agent.llm.offline.language.words.reasons import WORDS_OF_REASONS
from agent.llm.offline.language.words.studies import WORDS_OF_STUDIES
from agent.loop.phrases import ACCEPT_PARTIAL, AGAIN, DRAFT_ONLY, GLOBAL, SECOND_BUILD

_NOT = r"(?<![不别])(?<!不要)(?<!不想)(?<!不用)"
"""Before a verb: what follows is wanted."""
_SOFTLY = (
    "尽量", "尽可能", "最好", "优先", "首选", "re:能[^,，。;；能就]{1,8}就[^,，。;；]", "可以的话", "可能的话",
    "方便的话", "宁愿", "宁可", "re:(?:更|比较)(?:想|愿意|喜欢|倾向)", "re:(?:如果|要是)可(?:以|能)", "prefer",
    "rather", "re:(?:的话)?(?:会?更好|就(?:更|最)?好)了?",
    r"re:\b(?:if|wher(?:e|ever)|when|as far as) (?:at all |(?:that|it)(?:.s| is)? )?(?:possible|works|fits|you can)\b",
    "re:\\b(?:would|'d|might) be (?:\\w+ )?(?:nice|best|great|good|better|lovely|perfect|cool|ideal)\\b",
    "re:\\b(?:ideal|preferabl|preferr)\\w*|\\btry (?:to|and)\\b|\\bbest (?:on|in|at)\\b|\\bnot a must\\b",
)  # fmt: skip
"""That a time is wished for where there is one, and not else."""

LEXICON: dict[str, tuple[str, ...]] = {
    **WORDS_OF_COMPARISONS,
    **WORDS_OF_REASONS,
    **WORDS_OF_STUDIES,
    # what is to be done with an item
    "move": ("拖到", "腾到", "腾去", "改期", "re:[拖挪腾](?!延症)[^,，。;；]{0,4}(?:到|去|至)", "bump", "drag",
        r"re:\bshould (?:all )?go (?:on|to)\b", "carry over", "put off", "hold off", "移", "调整", "推迟", "提前",
        "往后", "往前", "挪", "调到", "改到", "换到", "延后", "延迟", "顺延", "推到", "推后", "错开", "换一天",
        "re:换个?(?:日子|时段|时间|时候|点(?!什么))", r"re:\b(?:can|could|may|might) .{1,40} (?:go|be) (?:on|in|at"
        r"|to)\b", "调去", "搬到", "改去", "改成周", "改在", "move", "reschedule", "push",
        r"re:(?<!\ba )(?<!\bmy )(?<!\ban )(?<!\bon )(?<!\bnight )(?<!\blate )(?<!\bextra )\bshift(?:s|ed"
        r"|ing)?\b(?! work)", "postpone", "delay", "defer", "bring forward", "bring", "slide", "relocate"),
    "same_day": ("同一天", "当天", "那天", "同天", "same day", "that day", "in the day", "on the day"),
    "place": ("放到", "放在", "放进", "放回", "排回", "放入", "放过去", "排过去", "塞到", "塞进", "put", "place",
        "slot in", "stick", "drop in", "squeeze", "re:[找放排]一?个?(?:地方|位置|空位|时间放)"
        r"|\bfind\b[^,.;]{0,40}\b(?:home|place|spot|slot|room) (?:for|to)\b|\bfit\b.{1,40}\bin\b|\b(?:get|work|pop"
        r"|slot|add)\b[^,.;]{1,40}\bin(?=\s*(?:$|[,.;!?]|(?:before|by|until|till|from|somewhere|please|pls|too"
        r"|as well|for me|at|on)\b))"),
    "place_bare": ("re:(?<![不别安编重])(?<!不要)(?<!不想)(?<!不用)[排放搁](?![除序列名课程查假])",),
    "swap": ("颠倒", "换个位置", "换个顺序", "换下顺序", "换一下顺序", "换位", "倒一下", "倒换", "对换", "flip",
        "interchange", "trade places", "swop", "交换", "对调", "互换", "调换", "swap", "exchange", "switch"),
    "remove": ("取消安排", "抽掉", "抽出来", "撤出", "剔除", "先放一放", "搁置",
        r"re:\b(?:drop|leave|keep|get) .{1,40} (?:off|out of) (?:the |my )?(?:plan|schedule|timetable|calendar"
        "|draft)", "移出", "先不排", "拿掉", "撤下", "撤掉", "移除", "拿出来", "踢出", "清掉", "撤了", "全撤", "撤走",
        r"re:\bclear .{1,60} (?:off|out|from)\b", r"re:\bunplace\b", "take out", "remove", "unschedule",
        "re:pull .{1,60} out", r"re:take .{1,60} (?:out|off(?! (?:(?:the|my|this|next|that) )?(?:\w+days?|weekends?"
        r"|\d+\w*)\b))"),
    "cancels": ("取消", "cancel", "call off", "scrap", "ditch", "skip"),
    "back": ("re:(?:取消|撤[销回]|去掉|收回)掉?[^,，。]{0,4}(?:刚刚|刚才|上次|上一[步次个]|最后)[^,，。]{0,8}(?:改"
        "|变动|操作|移动|调整)|(?:刚刚|刚才|上次|上一[步次个])[^,，。]{0,8}(?:取消|撤|收回|退回)|退回去"
        r"|[加添]回[来去]|\bcancel (?:my|the|that|your) last (?:change|move|edit|step)s?\b|\bput (?:that|it"
        r"|them) back\b", r"re:\b(?:the )?(?:one|change|step) before (?:that|it|too)\b|再(?:往前)?[撤退恢]",
        r"re:撤[销回]刚才|\bundo that\b|\btake back (?:that|this|the|my)(?: last)? (?:step|move|change|edit)\b"
        r"|^(?:[哎唉诶呃嗯啊,，\s])*(?:还是|那|就)*撤(?:了|掉|回)?[吧呗了]*[。!]*$",
        r"re:\b(?:undo|revert|back) once more\b", "re:^(?:再|请|帮我)?(?:恢复|撤回|撤销)(?:回去|一?步|一下|吧|原样"
        r"|[1一]次)*[。!]*$|\broll (?:it|that|this) back\b", "re:[改换移挪调放退弄]回(?:去|来|原)|(?:刚才|刚刚"
        "|上)[那一]*[步次下个]?(?:的)?不算|回退|反悔|恢复原样|恢复(?:原|之前|刚才|到)|还原|撤[销回](?!.*(?:任务类"
        r"|应用|写入))|回到(?:原来|之前|刚才)的?(?:位置|时间|地方)|\bundo\b|\brevert\b|\bback to (?:where|how|what"
        r"|the way)\b|\bscratch that\b|\btake (?:that|it) back\b|\b(?:move|put|change|switch|take"
        r"|swap) \s*(?:[\w']+\s+){0,4}?back\b(?![- ](?:to[- ]back|by|up|an?|one|two|\d)\b)"),
    "as_before": ("re:(?:名[字称]?|截止(?:日期|时间)?|日期|长度|时长|节数|顺序|方式|策略)[^,，。;；]{0,2}还?是?(?:用"
        "|按|保持|维持|保留|跟|和|恢复|改)(?:回|到|成)?(?:原来|之前|以前|原先|原本|旧)的?(?:一样)?[吧好了呗啦。!]*$"
        "|(?:还是|用回|换回|回到)(?:用|按|保持|维持|保留|跟|和)?(?:原来|之前|以前|原先|原本|旧)的?(?:一样[长多]?"
        r"|(?:名[字称]?|截止(?:日期|时间)?|长度|时长|节数|顺序|方式|策略)(?:更?好)?)[吧好了呗啦。!]*$|\b(?:keep|use"
        "|go with|want|prefer|liked?|restore|stick (?:to|with)) (?:the |its |my )?(?:original|old|former"
        r"|previous) (?:name|deadline|end date|dates?|length|order|total|strategy)\b|\bas (?:long|many"
        r"|short) as (?:before|it was)\b|\b(?:stays?|be|keep it|leave it) (?:as|how|the way) it was\b",),
    # what is to be done with a class
    "create": (r"re:新建|创建|添加|新增|增加|建立|制定|制订|(?<![重搭])建(?!议)|加(?:一)?[个门]|\b(?:create|add|make"
        r"|new|set up)\b",),
    "edit": (r"re:修改|编辑|更新|改一下|调整|改成|改为|改到|设置|设成|设为|调成|延长|缩短|改名|重命名|\b(?:edit"
        r"|update|change|modify|rename|extend|set)\b",),
    "edit_class": (r"re:修改|编辑|更新|改名|重命名|改成|改为|设置|设成|设为|调成|延长|缩短|\b(?:edit|update|change"
        r"|modify|rename|extend|set)\b",),
    "edit_dates": ("re:改到|移到|调到|推迟|提前|延期|延后|顺延", "move", "reschedule", "postpone", "extend"),
    "called": (r"re:(?:其实|应该|实际上?|现在)?(?:是)?叫(?:做|作)?(?!我|你|他|醒|停)|\b(?:is|are"
        r"|should be) (?:actually|really|now|called|named)\b|\bshould (?:be|read)\b",),
    "rename": (r"re:\bcall the (?:[\w-]+ ){1,3}class\b", "名字改", "的名字", "call it", "fix the names", "改叫",
        "改名", "重命名", "rename", "更名"),
    "delete": ("删除", "删掉", "删了", "去掉", "不要了", "移除", "不学了", "不上了", "砍", "re:删(?:了|吧|$)",
        "delete", "remove", "get rid of", "drop", "bin", "scrap", "ditch", "chop",
        r"re:\bnot (?:doing|taking) .{1,30} any ?more\b"),
    "split": (r"re:拆成|拆分|拆开成|分成(?:两|2|3|三)[次个份部]|\bsplit\b.{1,40}\b(?:in|into|to)\b",),
    "length": ("re:(?:给(?:它|他|她)?|需要|要|改[成为]|变成|占|用|得|(?:延|[延加拉缩变][长短]|增?加"
        r"|减少?)[到至成为])\s*\d+\s*(?:节|课时)(?!课)|也\d+\s*节|\b(?:give it|give them|needs?|takes?|make it"
        "|should (?:be|take|have)|gets?|(?:extend|lengthen|shorten|cut|increase"
        r"|reduce) it(?: down)?(?: to)?)\s+(?:about |at least )?\d+\s+(?:sections?|periods?)\b|\b(?:\d+"
        r"|one) sections? (?:long|for it|instead)\b",),
    "total_said": ("总共", "一共", "总计", "总节数", "altogether", "overall", "total", "should be", "should have"),
    "reorder": (r"re:\b(?:swap|switch|exchange)\b.{1,40}\bin the (?:class|list|course)\b",
        r"re:(?:顺序|次序|先后)|重新?排序|\breorder\b|\b(?:order|sequence) of\b",
        r"re:\b(?:put|move|place|study|learn)\b[^,.;]{1,40}\b(?:(?:before|after|ahead of)\b[^,.;]|(?:first"
        r"|last)\W*$)", r"re:(?:在|放|排|挪|移|调)到?(?:最前面?|最后面?|第[\d一]+[个位]|[^,，]{1,20}(?:前面|后面"
        "|之前|之后))"),
    "beside_it": ("re:(?:放|排|挪|移|调|推)到?[^,，]{1,20}(?:之前|之后|以前|以后|前面|后面)",
        r"re:\b(?:put|move|place|shift|push|reschedule)\b[^,.;]{1,40}\b(?:before|after|ahead of)\b[^,.;]"),
    "grants": ("允许", "打开", "开启", "开吧", "让", "allow", "enable", "let", "turn on", r"re:\bturn .{1,20} on\b"),
    "filler": (r"re:\b(?:inside|in|during) (?:an? |my |the )?(?:boring |filler |easy )*(?:lectures|filler"
        r"|courses?)\b", "水课", "嵌入", "filler", "填充", "填缝", "embed",
        "re:(?:课上|上课时?)(?:可以|能)?(?:学|复习|做)", "inside lectures"),
    "class_noun": (r"re:\b(?:add|create|make|set up) a class (?=[a-z])|(?:新建|创建|建立|新增)(?:一个"
        r"|个)?任务\s*[:「]", "任务类", "复习计划", "学习计划", "学习任务", "task class", "study plan",
        "revision plan", r"re:\b(?:new|another|create an?|make an?|add an?|set up an?) (?:\w+ ){0,2}class (?=called"
        r'|named|for\b|[\"«“「:])'),
    "class_dates": ("起止", "日期", "时间窗", "总节数", "开始时间", "结束时间", "start date", "end date",
        "date range"),
    "deadline": (r"re:考(?=$|[,，。!！了])|[才就要早晚开先提推]考(?!虑|察|核|勤|完|得|题|点)|延期|\bexam\b",
        "结束时间", "结束日期", "end date", r"re:\bend(?:s|ed)? (?:at|on|by)\b",
        "re:期[中末](?=考|改|提前|推迟|延|定|是)", "final exam", r"re:\bfinals?\b(?! (?:chapter|item|unit|lecture"
        "|lesson|part|lab|topic|draft))", "midterm", "quiz", "期末考", "期中考", "交卷", "截止", "考试", "ddl",
        "期限", "deadline", "due", "exam", "test date", "死线", "答辩", "测验"),
    # the whole plan
    "build": (r"re:(?:[一1][起并块]|然后|再|顺便)(?:帮我|给我|都|全部?)*排(?:了|掉|完)(?=[吧呗,，。!;；\s]|$)"
        r"|[前内](?:全部?|都|要|得|给我)*排完(?=[吧呗,，。!;；\s]|$)", "排课", "排程", "排进", "排好", "排一下",
        "排入", "排上", "规划", "fit in", "fit it in", "plan my", "rebuild", "原来的日期", "原日期", "自己的日期",
        "这个日期排", "within its dates", "within these dates", "own dates", *DRAFT_ONLY,
        *(phrase for phrase in SECOND_BUILD if phrase not in AGAIN), *ACCEPT_PARTIAL),
    "build_weakly": ("sort out", "安排", "排到", "排在", "schedule", "arrange", "plan"),
    "whole_plan": (r"re:\b(?:do|plan|sort|schedule) the whole (?:thing|lot)\b|\b(?:set up|make|build|do|put together"
        "|work out|draw up|give) (?:me )?(?:my|a|the) (?:whole |entire |full )?(?:study |revision )?(?:plan|schedule"
        r"|timetable)\b(?! (?:called|named|for|better|work|less|more))|给我(?:整|做|来|出|弄)(?:一?个|一?份)?计划"
        r"|\b(?:sort|set|lay|map) (?:it|this|everything) (?:all )?(?:out|up)\b|(?:做|排|弄|定|制定|出)(?:一个|个"
        "|一份|份)?(?:完整的?|总的?)?(?:学习|复习)计划(?![「:：叫])",),
    "start_with": (r"re:先(?:[排弄搞学做来整背]|复习|安排|把|就)|从哪|\b(?:start|begin) with\b|\bjust do\b"
        r"|\bdo .{1,30} first\b|\b.{1,30} (?:done|planned|sorted) first\b",),
    "also": (r"re:也(?:一起|要|排|加)|(?:\btoo|\bas well|也)[吧呗呀。.!]*(?=$|[,，])|也带上",),
    "others_wanted": ("the rest", "re:其[他余它]的?|(?:剩下|另外|剩余)的?[两二几三四]?[门个科]",
        r"re:(?:另外|其他|其余|剩下|别的)(?:的)?[两几三\d]?[门个科]?[^,，。]{0,6}(?:弄好|搞好|排好|安排|都排|排上|弄"
        r"|搞)|\b(?:everything|all|the rest|the (?:other|others)|the other (?:two|three))\b(?: (?:except|but"
        "|apart from))?"),
    "leave_out": ("re:先?(?:不管|不用管|[别不]理|别管|不排|不弄|放着|先放|别[排弄])|除了|除外|(?:不要|别)动|(?:先"
        "|暂时|暂且|目前)(?:都|也)?不(?:用|要|做|学|急)|(?:回头|以后|之后|下次|改天|到时候?"
        r"|过[几一]?[天阵]子?)再(?:说|排|弄|搞|学)|等[^,，。;；\d]{0,14}(?:通知|消息|确认|回复|再(?:说|定|看|议))"
        r"|不着急|\bwait(?:s|ing)? (?:for|on|until|till)\b|\b(?:not|n't) (?:for |just )?now\b|\bno need (?:for"
        r"|to do)\b|\bno(?:t|ne)? .{1,20} (?:for now|yet)\b|\b(?:except|(?:all|everything) but|apart from|but not"
        r"|leave out|skip)\b|\bleave .{1,30} (?:alone|out|as|aside|be|(?:un|where)\w*|for (?:later|now|another"
        r"|next))\b|\b(?:don't|dont|do not) (?:care|bother|worry) (?:about|with)\b|\b(?:later|not yet"
        r"|another time)\b|\b(?:on hold|hold off|(?:can|must|should|has to|have to) wait)\b|\b(?:until|till) (?:i"
        r"|we) (?:hear|know|get (?:word|news))\b",),
    "build_timed": ("re:(?<![不别安编重])(?<!不要)(?<!不想)(?<!不用)排(?![除序列名课程查])",),
    "build_loosely": ("re:直接排|随便排", rf"re:{_NOT}(?:都|一起|全部?|先|也|再|帮我|给我|想|要|去"
        r"|来)排(?![除序列名课程])"
        r"|^(?:帮我|给我|请|那?就|先|那|直接|现在)?排+(?:吧|了|一下|好|它|一?排)*[吧呗啊呢。!]*$"
        r"|开排|开始排|(?:弄|搞|整|做)(?:一?下|好|个|一个)?(?:.{0,12})(?:复习|学习|课表|日程|计划|安排)"
        r"|(?:帮我|给我)(?:弄|搞|整)"),
    "not_build": (r"re:(?:[排放]|安排|规划)(?:[好完上进下]去?)?了(?:吗|没有?|么)\W*$|取消安排|[没未](?:有"
        "|能)?排[进上好入]|(?:先|暂时|还)?(?:不|别|不想|不要|不用|不需要)(?:安排|排到|排在|排课|排程|排进|排好|规划"
        r"|排(?!除))|(?:别|不要)(?:再|给我|往|帮我)+(?:安排|排)|\b(?:don't|do not|never|not"
        r"|stop)\s+(?:ever )?(?:schedul|plan|arrang)\w*",),
    "own_dates": ("原来的日期", "原日期", "自己的日期", "这个日期排", "within its dates", "within these dates",
        "own dates"),
    "plan_first": ("先给计划", "先给我计划", "先给个计划", "先列计划", "分步", "先列步骤", "列出步骤", "plan first",
        "step by step"),
    "optimise": (r"re:靠谱|合不合理|合理吗|(?:计划|安排)[^,，。]{0,4}(?:怎么样|如何|好不好|行不行)|\bany good\b"
        r"|\bhonest opinion\b|\bhow good\b|\bgood enough\b|\b(?:what do you think (?:of|about)|how (?:is|does"
        r"|good is)) (?:my|the|this)(?: \w+)? (?:plan|schedule|timetable)\b", "冲突", "撞车",
        r"re:\bclash\w*\b|\bconflicts?\b", "re:(?:连着|挨着|相邻|连续)[^,，。]{0,8}(?:高强度|难|重)"
        r"|高强度[^,，。]{0,8}(?:连着|挨着|相邻)|\b(?:heavy|hard|demanding|tough)\b.{0,30}\bnext to\b"
        r"|\bpull them apart\b", "还能优化", "能不能更好", r"re:\b(?:any|be|made?) better\b", *GLOBAL, "检查一下",
        "check-up", "check up", "health check", "re:有(?:没有|什么|啥|哪些)问题",
        "re:(?:什么|啥|哪)[^,，。;；]{0,6}(?:担心|操心|当心)|(?:用不用|需要|要不要)担心",
        r"re:\b(?:anything|something|what) (?:\w+ ){0,3}(?:worry|worried|concerned?|watch out|look out|be aware)\b",
        r"re:\b(?:anything|something|what(?:'s| is)) wrong\b|\bany (?:problems?|issues?)\b"),
    "optimise_weakly": ("tidy", "clean up", "neater", "smooth out", "理一理", "捋一捋", "整理", "优化", "微调",
        "改进", "更均匀", "均匀一点", "均匀一些", "更合理", "更好一点", "improve", "more evenly", "better plan",
        "more balanced", "balance", "不合理", "不太合理", r"re:\b(?:make|get) .{1,40} better\b",
        r"re:\bbetter (?:way|arrangement|schedule)\b"),
    # looking
    "end_asked": (r"re:一共几天|总共几天|多少天|最晚(?:是)?哪天|\bhow long\b.{0,40}\b(?:take|last|plan|it all"
        r"|whole)\b|\bfirst day to (?:the )?last\b", "re:(?:什么时候|啥时候|何时|哪天|几号|多久"
        "|第几周).{0,10}(?:学完|复习完|结束|完成|弄完|做完|搞定)", "re:(?:学完|复习完|结束|完成|弄完"
        "|做完)[^,，]{0,6}(?:是|在)?(?:什么时候|啥时候|何时|哪天|几号)",
        r"re:\bwhen (?:will|do|does|am|is|are|would|can|could)\b.{1,60}\b(?:finish(?:ed|es)?|end|done|over"
        r"|complete[ds]?)\b"),
    "begin_asked": (r"re:\bwhen (?:do|does|will|did|is|are) .{2,30} (?:start|begin)\w*",),
    "last_day_asked": (r"re:\bwhat(?:'s| is| was)?(?: the| my| its)? (?:last|final) day\b|最后一天[^,，。]{0,3}(?:哪"
        "|几号)",),
    "explain": ("凭啥", "为毛", "非得", "非要排", "为啥", "原因", "咋没", "怎么没", "reason", "the reasons",
        "怎么会排", "为什么", "为何", "解释", "怎么算", "怎么排的", "凭什么", "why", "explain", "how did you",
        "how come"),
    "changes": ("re:(?:改|动|变|挪|移|调整?|做|换)(?:动|化)?了(?:一?些)?(?:什么|哪些|哪几|啥|哪里)|有(?:什么|哪些"
        r"|啥)(?:改动|变化|变动|不同)|(?:改动|变化|变动)(?:有哪些|是什么|列|给我)|\bwhat(?:'s| is| has| have| did"
        r"| was| were| all)?(?: been| you| we| just| exactly| all)*\s+(?:chang(?:e|es|ed)|moved?|different|done"
        r"|do)\b(?! i\b| we\b)|\b(?:show|list|sum up|summari[sz]e) (?:me )?(?:the |your |all )*changes\b",),
    "hypothetical": ("re:(?:要是|如果|假如|假设)[^。;；]{1,24}(?:会|怎么样|怎样|影响|行吗|行不行|可以吗)|(?:哪里"
        "|哪儿|什么地方|哪天|哪些时间|哪个时段)(?:还)?(?:能|可以)(?:放|塞|排|插|安排|挪)|(?:能|可以)(?:放|塞|排|插"
        "|挪)(?:到|在|去|进)?(?:哪|什么时候)|到底能不能(?:放|塞|排)|(?:放|排|塞|装)得[进下]去?[吗么不?]|能不能(?:放"
        r"|塞|排)[进下]|\b(?:what (?:would happen )?if|would .{1,40} fit|could .{1,40} fit)\b|\b(?:which"
        r"|what) (?:slots?|times?|places?|days?)\b.{0,30}\b(?:possible|free|open|available|could|can|for)\b"
        r"|\bwhere\b.{0,60}\b(?:could|would|can|might) .{1,30}\b(?:go|fit|sit|be)\b|\b(?:is there )?any (?:way|room"
        r"|place|slot|spot)\b.{1,30}\b(?:fits?|for|go)\b|\b(?:does|will|can) .{1,30}\bfit\b",),
    "fill": ("能放几个", "能塞几个", "能排几个", "能放多少", "能塞多少", "whatever you can", "whatever fits",
        "as many as you can", "as much as you can", "as many of them as"),
    "spacing": (r"re:(?:隔|间隔)\s*(?:[一1两2]?天|[一1]日)|(?:别|不要|不想)连着|\bback[- ]to[- ]back\b"
        r"|\bevery other day\b|\bgap in between\b",),
    "show": ("第一件事", "what's first", r"re:\bdidn't make it\b", "干嘛", "干什么", "干啥",
        r"re:\bwhat am i (?:supposed|meant)\b", "什么时间", "啥时间", "哪个时间", "什么时段", "哪个时段", "排在啥",
        "时间表", "supposed to", "on my plate", r"re:\bwhat(?:'s| is| are| do| should| have)\b.{0,30}\b(?:study"
        r"|learn|revise|do|next|coming up|planned|scheduled)\b", "re:(?:要|该|需要|得|应该)(?:学|做|复习|看|背|弄"
        "|干)(?:点|些)?(?:什么|啥|哪)", "未排", "待安排", "unplaced", "left over", "在哪", "什么时候", "没排",
        "没有排", "周几", "星期几", "几点", "what time", "哪周", "第几周", "学啥", "学些啥", "where is", "when is",
        "where's", "when's", "where are", "when are", "有什么课", "有哪些课", "什么安排", "什么任务", "要做什么",
        "what do i have", "what is on", "what's on", "看看", "总览", "课表", "查看", "显示", "列出", "看一下", "还剩",
        "剩下", "剩余", "多少项", "几项", "how many", "are left", "show", "overview", "list", "几号", "哪天",
        "哪一天", "when do i", "when will", "which day", "what day"),
    "pending": (r"re:\bnot (?:on|in) (?:there|it|the (?:plan|timetable|draft|schedule))\b|\bleft off\b", "没地方",
        "没位置", "放不下", "排不下", "没放", "没能排", "不进去", r"re:\b(?:no (?:place|slot|room)"
        r"|n't (?:be )?(?:placed|fit|planned)|not (?:placed|planned))\b", "didn't make it", "待安排", "没排", "未排",
        "还没有排", "还剩", "剩下", "剩余", "unplaced", "pending", "left over", "are left"),
    "what_is_on": (r"re:(?:放|排|安排)了?(?:哪些|什么|啥)|\bwhat(?:'s| is) (?:in|on|happening)\b",
        r"re:怎么安排的[呢啊]?\W*$|有(?:些|了|点)?(?:什么|哪些|哪几|啥|多少|几)|[排放](?:了|了?些|了?点)(?:什么|哪些"
        "|啥)|[是要]?(?:哪几|哪些|什么|啥)(?:章|项|门|个)?.{0,6}(?:在|排)|有(?:没有)?(?:什么)?(?:课|安排|事|任务"
        r"|东西|活动)|还有(?:没有)?(?:别的|其[他它余]的?)(?:事情?|安排|东西|活动)?(?=[吗么]|\W*$)|忙[吗不]|(?:做|学"
        r"|干|复习|上|看|背|弄|搞|练)(?:点|些|一?下)?(?:什么|啥|哪些|哪几)|\b(?:which|what(?!\s+(?:about|if))"
        r"|anything|busy)\b|\b(?:do|did) i have\b|\bis there something\b"),
    "free": ("自己的时间", "time to myself", "time for myself", "是空的", "空的吗", "闲不闲", "闲吗", "闲吧", "得空",
        "空不空", "空吗", "没安排", "没有安排", "腾得出", "gap", r"re:\b(?:any|some) time\b", "空闲", "有空", "空位",
        "空档", "有时间", "最闲", "比较闲", "闲着", "空着", "re:(?<!有)没有?课", "不忙", "最空", "空余",
        "空出来的时间", "have time", "gaps", "spare time", r"re:(?<!not )(?<!n't )(?<!not be )(?<!n't be )\b(?:free"
        r"|available)\b(?! up\b)"),
    "load": ("re:哪几?一?天[^,，。;；]{0,12}(?:重|多|满|忙|累|挤|紧|轻松|闲|空)(?!不)|负担"
        r"|最[空闲重]的?是?哪一?几?天|\b(?:which|what) days?\b.{0,40}\b(?:too much|heav\w+|crowded|packed"
        r"|overload\w*|busy|busiest|fullest)|\b(?:busiest|heaviest|fullest|most crowded) days?\b",
        r"re:\bhow (?:bad|heavy|crazy|rough|tight)\b", "how many hours", "多少小时", "几个小时", "几小时",
        r"re:(?:哪|那)一?周最|\b(?:which|what) (?:week|day)\b.{0,20}\b(?:quiet|light|free|empt|bus|full)\w*",
        "re:最(?:轻松|忙|满|挤|累|紧)", r"re:\b(?:least|most) (?:busy|loaded|full|packed)\b|\b(?:busiest|lightest"
        "|emptiest|fullest|quietest) (?:day|week)", "多满", "满不满", "多忙", "忙不忙", "满了吗", "负荷", "排得满",
        "占用情况", "how full", "how busy", "how packed", "workload", "how loaded", "how much is planned", "多紧",
        "紧不紧", "太满吗"),
    "fullness": ("太满", "太忙", "满吗", "很满", "挤不挤", "太挤", "too full", "too busy", "packed", "overloaded"),
    "going_out": ("re:(?:能|可以|可不可以)[^,，。;；]{0,4}(?:溜|出去|出门|逛|约|玩|睡|歇|休息|看电影"
        r"|打球)[^,，。;；]{0,10}(?:[吗么不没?？]|$)|\b(?:can|could|may) i\b[^,.;]{0,12}\b(?:sneak|go|head|hang"
        r"|get) (?:out|off|away|home|shopping|swimming|to the \w+)\b|\b(?:can|could|may) i (?:sleep in|nap|meet"
        r"|relax|rest)\b",),
    "progress_asked": (r"re:[学背看做复习写练在]?到(?:哪(?!一?[天日周]|个?星期)|第几|什么地方)|进度|进展|\bhow far\b"
        r"|\bprogress\b|\bcoming along\b",),
    "takes_asked": ("re:(?:要|得|需要?|花|用)[^,，。;；]{0,6}(?:多久|多长时间|多少(?:个?小时|时间|课时))(?!才"
        r"|[前后])|\bhow (?:long|much time)\b(?![^.;?]*\b(?:left|until|till|before|each"
        r"|between)\b)[^.;?]{0,40}\b(?:takes?|lasts?|needs?|requires?)\b",),
    "size_asked": ("进度", "进展", "学到哪", "复习到哪", "怎么样了", "coming along", "progress", "how far",
        "re:(?:多少|几)个?(?:节|项|章|课时)", r"re:\bhow many (?:sections|items|chapters|parts)\b"),
    "fits": (r"re:(?:几|多少)个?(?:小?节|课时|时段)[^,，。;；]{0,4}[空闲]|\bhow many (?:free|empty|open"
        r"|spare) (?:sections|slots|periods)\b", "re:能(?:不能)?(?:全部?|都)?(?:排|放|塞|装)[得]?[下完进](?!周|个|午"
        "|次|面)", "re:能(?:不能)?(?:全部|全都|都|全)?(?:排|学|弄|做|复习)完[吗么不]", "塞得进", "排得进", "放得进",
        "装得进", "space left", "room left", "any space", "any room", "space for", "放得下", "排得开", "排得下",
        "装得下", "塞得下", "来得及", "排得完", "学得完", "复习得完", "够不够", "够时间", "时间够", "能排下",
        "will it fit", "does it fit", "would it fit", "can it fit", "will it all fit", "enough time", "enough room",
        "room for", "re:还?能(?:不能)?再(?:塞|放|排|加|装|来).{0,20}[吗么?？]",
        "re:(?:塞|放|排|装)(?:得|不)?下(?!周|个?星期|礼拜|午|次|个月|来|面).{0,20}(?:[吗么?？]|多少|几)",
        r"re:\b(?:will|can|could|does|would|do)\b.{1,40}\bfit\b"),
    "classes_asked": ("re:哪[些几]门?课程?(?:要|得|需要|该)(?:复习|学|准备|背)",
        r"re:\bwhen (?:are |is )?my exams?\b|\bknow when my exams\b",
        r"re:(?:建|创建)了?(?:几|多少)[门个]|\bwhat (?:courses|classes|subjects) have i\b",
        r"re:考试[^,，。]{0,8}(?:有记录|知道|记得|都?是?(?:什么时候|哪天|几号))|\\bwhen (?:are )?my exams\\b",
        r"re:(?:哪[个门]|谁)最(?:急|紧|早|先)|最急的?|最紧急|\b(?:most urgent|whichever is|soonest)\b"
        r"|\bsee my (?:task )?classes\b", "re:(?:哪些|什么|几个|几门|多少个?|哪几[个门])(?:任务类|科目?|课程?类|学科"
        "|复习计划|学习计划)|(?:任务类|科目|复习计划)(?:有哪些|列表|都有|列)|(?:列出|看看|查看|显示)(?:一下|我的"
        r"|所有|全部)*(?:任务类|科目)|\b(?:which|what|how many|list|show)\b(?: me)?(?: all| of| my"
        r"| the)* (?:task )?(?:classes|subjects|study plans)\b"),
    "missed": ("没顾上", "没来得及", "来不及做", "忘了做", "忘了学", "忘记", "没背", "没动", "没写", "没弄", "没碰",
        "没搞", "漏掉", "漏了", "耽误", "没看", "没赶上", r"re:\b(?:didn't|did not|couldn't|could not|haven't"
        "|have not|wasn't able to|never) (?:manage|get (?:a)?round|get to|do|done|study|studied|make it|find time"
        "|finish|touch|look at)", r"re:\bforgot\b|\bran out of time\b|\bno time for\b|\bmissing\b", "落下", "错过",
        "没做", "没完成", "没学", "没复习", "补上", "补回", "欠下", "拖了", "missed", "catch up", "fell behind",
        "fallen behind", "behind schedule", "skipped", "didn't do", "pick up"),
    # what a student says without a verb of moving
    "due_by": ("re:之?前[^,，。;；]{0,5}?(?:(?:学|复习|做|弄|搞|背|看|过|整)完|完成|搞定|结束|收尾|得?[上提]?交)",
        r"re:\b(?:finish(?:ed)?|done|completed?|ready|through|wrap(?:ped)? up|over with)\b.{0,20}\b(?:by|before"
        r"|until)\b"),
    "trade": ("计划", "课表", "安排", "复习", "任务", "日程", "排课", "进度", "学习", "调整", "schedule", "plan",
        "timetable", "study", "studies", "revision", "tasks", "calendar", "workload"),
    "get_in": ("re:(?:加|弄|放|塞|安排|排|插|搞)(?:进|到|入)(?:我的|我)?(?:课表|日程|计划|安排|日历)|也排|加进来"
        "|一起排", r"re:\b(?:get|put|add|fit|include|squeeze|throw|work|book|schedule)\b.{1,40}\b(?:calendar"
        r"|timetable|schedule|plan|diary|agenda)\b|\bdo .{1,30} (?:as well|too|next|now)\b"),
    "past": ("昨天", "昨晚", "前天", "上周", "上个星期", "上礼拜", "刚才", "那天", "yesterday", "last week",
        "last night", "the other day", r"re:\blast (?:mon|tue|wed|thu|fri|sat|sun)"),
    # what happened
    "finished": (r"re:\bi did\b(?! not|n't| nothing| none| neither| no\b| zero| little)"
        r"|(?<!get )(?<!be )(?<!it )(?<!not )\bdone\b\W*$", r"re:\b(?:went|was|gone) (?:\w+ )?(?:fine|well|ok|okay"
        r"|great|smoothly)\b|(?:挺|很|还算|都)顺利", r"re:^(?:just )?(?:finished|done with)\b",
        r"re:\bread it\b|\bknow it (?:already|by heart)\b|\bbeen through it\b",
        "re:(?<![没未])(?<!没有)(?<!先)(?:做|学|看|写|复习|预习|背|练|弄|啃|刷|过|搞|整|听|读|温习)(?:完|好|掉"
        r"|过)[了啦咯喽]|已经?(?:做|学|看|啃|刷|搞|弄|背|读|听|过|复习|温习)[完好过]|已经?完成|\b(?:went|gone|got"
        r"|been|worked) through\b|\b(?:wrapped up|knocked out|ticked off|all done|nailed)\b|\b(?:already"
        r"|just) (?:did|done|studied|covered)\b|\bi(?:'ve| have)? (?:studied|learn(?:ed|t)|revised|covered)\b"
        r"|(?<!be )(?<!get )\bdone with\b|(?<![没未])(?<!没有)完成[了啦]|搞定[了啦咯喽]|\bi(?:'ve| have)?(?: already"
        r"| just| finally)? (?:finished|completed|covered)\b|\b(?:is|are) (?:done|finished)\b|\b(?:i am"
        r"|i'm) done with\b"),
    "partly": (r"re:快要?[做学看写背]完|\b(?:almost|nearly) (?:done|finish\w*)",
        r"re:一半|做了一部分|还[剩差](?:下|了)?\s*\d?|没有?(?:做|学|看|写|复习|背)完|没有?完成|\bhalf\b|\bpartly\b"
        r"|\b(?:sections?|periods?) (?:are |is )?left\b|\bdidn't (?:quite )?finish\b|\bnot finished\b|\bunfinished\b"),
    "unmark": (r"re:(?:撤[销回]|取消|去掉)[^,，。]{0,20}(?:标记|进度)|其实(?:还)?没(?:有)?[做学看]|\bunmark\b"
        r"|\b(?:was|is)(?: actually)? not done(?: after all)?\b",),
    "did_nothing": (r"re:(?:啥|什么|一点)[都也]没(?:干|做|学|看|弄|背|动)?|摸鱼|荒废|颓了|\b(?:did|done|studied"
        r"|got) (?:absolutely )?(?:nothing|none)\b|\bnothing (?:got )?done\b|\bslack(?:ed|ing)\b",),
    "steps_said": (r"re:(?:[1-9一两二三四五]|几)\s*(?:次|步|个(?:改动|修改|操作)|处)|全部|所有|一切|最初|最开始"
        r"|应用之?前|\b(?:last|previous) (?:two|three|four|few|\d)\b|\b(?:all|everything|originally|applied)\b",),
    "recovers": (r"re:\b(?:ok|okay|fine|better|back)\b.{0,12}\b(?:by|on|from)\b|(?:应该)?(?:能|可以)(?:起来|恢复"
        r"|正常|学了)|(?:就|应该)?(?:好了|没事了|恢复了)|\b(?:be |feel |am )?(?:ok|okay|fine|better|back"
        r"|well)(?: again)? (?:by|on|from)\b",),
    "not_done": ("re:[记标][为成作](?:未完成|没完成|没做|未做)|没有?(?:顾上|来得及|时间|空)?(?:去)?(?:做|学|看|复习"
        r"|背|写|弄|碰|搞|动)(?!完|好)|没顾上|没来得及|忘[了记](?:做|学|看|复习|背)?|错过|漏[了掉]|\bmissed\b"
        r"|\bskipped\b|\bforgot\b|(?<!or )(?<!why )\b(?:not(?: yet)?|nope|nah)\W*$|\b(?:did|done|finished|touched"
        r"|studied|got to) (?:none|not one|not a single)\b|\b(?:didn't|did not|couldn't|haven't"
        "|wasn't able to)(?: manage to| get (?:a)?round to| find time to)? (?:do|done|get to|study|studied|touch"
        r"|look at|make)\b|\bdidn't get (?:a)?round to\b",),
    "not_begun": ("re:(?:还|都|根本|完全|压根)?(?:没有?|未)(?:能|正式)?(?:开始|开工|动工|动笔|启动)(?!时间|日期)"
        r"|还(?:都|完全)?没(?:有)?(?:动|碰)(?!静)|\b(?:have|has|had|is|are|was|were|do|did|does)(?:n't| not)(?: yet"
        "| even| really| properly)*(?: (?:get(?: a)?round to|get to|manage to|been able to|got(?:ten)? to"
        r"|got(?:ten)? (?:a)?round to))? (?:start(?:ed|ing)?|beg(?:in|un|an|inning))\b|\bnot (?:yet "
        r"|even )?(?:started|begun)\b|\byet to (?:start|begin)\b|\bunstarted\b",),
    "pick_up": ("补上", "补回", "补做", "补起来", "catch up", "pick up", "make up"),
    "away": (r"re:^(?:away|gone|out of town|on (?:holiday|vacation))\b",
        r"re:^(?:sorry,? |no,? |hey,? )*(?:i'm |i am )?not (?:free|available|around)\b|\bno can do (?:on|this"
        r"|next)\b", r"re:\bi(?:'m|'ll be| am) gone (?:from|on|the|for|until)\b|(?:我|都|人)?不在家",
        r"re:躺平|\bfever\b|\bdead (?:today|tomorrow|this|for|until)\b",
        r"re:\b(?:down with|have|got|caught) (?:a |the )?(?:bad )?(?:flu|cold|fever|covid)\b",
        r"re:(?:拔智?齿|手术|住院|请假|比赛|废了|动不了|出去玩|去玩|旅游)|\b(?:useless|surgery|operation|teeth out"
        r"|going away|i leave|i'm off|away from)\b",
        "re:(?<!除非我)(?<!如果我)(?<!要是我)(?<!万一我)(?<!除非)(?<!如果)(?:生?病了|生病|发烧|感冒|着凉|头疼|肚子疼"
        "|受伤|不舒服|不太舒服|住院|出差|请假|旅游|旅行|出去玩|回老家|隔离|(?:我|都|人)不在(?!课表|草稿|里)|要外出"
        r"|去外地)|(?<!if )(?<!unless )(?<!in case )\bi(?:'m|'ll be| am| was| got| fell| will be"
        "| have been)(?: not)? (?:ill|sick|away|unwell|out of town|travell?ing|on (?:a trip|holiday|vacation)"
        r"|going (?:home|away)|feeling (?:ill|sick|unwell|terrible|bad))\b|\bi(?:'ve| have)? (?:caught|got|have"
        "|come down with|came down with) (?:a |the )(?:bad |nasty |terrible )?(?:cold|flu|fever|virus"
        r"|stomach bug)\b|\b(?:won't|will not|can't|cannot|not) be (?:around|here|able to (?:study|work"
        r"|do anything))\b"),
    "busy_then": ("re:有(?:个|一?场|一?次|一个)(?!空|任务|问题|时间|建议|想法|没有)|班会|军训|实习|讲座|兼职|培训"
        r"|集训|补课|排练|训练|加班|上班|\b(?:a|my|the|late|night|extra) shifts?\b|\b(?:rehearsal|internship"
        r"|jury duty)\b|\bbusy (?:all|the whole|every)\b|打工|值班|聚餐|婚礼|面试|体检日|开会|团建|旅[行游]|露营"
        r"|演出|\bthere(?:'s| is| will be) an?\b(?! (?:problem|question|way))|\b(?:training|wedding|party|trip"
        r"|meeting|dentist|doctor|concert|competition)\b", "要去", "要参加", "有约", "有聚会", "有比赛", "有面试",
        "有活动", "走不开", "抽不出", "interview", "appointment", r"re:\bi(?:'ve| have) (?:got )?(?:a|an"
        "|my) (?!question|problem|idea|plan)", "can't make it", r"re:\b(?:not|\w+n't) (?:be )?(?:free|available)\b",
        "有事", "没空", "没时间", "空出来", "留空", "keep free", "i'm busy", "i am busy"),
    "makes_up": ("re:补(?:回来|上|一下|吧|[到在]|$)|[找换排安][^,，。;；]{0,8}(?:时间|时候|位置|地方|空)|重新(?:排"
        r"|安排)|\b(?:catch (?:me |it |that )?up|make (?:it|that) up)\b|\b(?:find|get|give|need"
        r"|have)\b[^,.;]{0,20}\b(?:time|slot|place|spot)\b|\b(?:re-?schedule|re-?plan) (?:it|that)\b(?! to)",),
    "mends_clashes": ("re:(?:撞|冲突|碰上|重叠)[^,，。;；?？]{0,8}考试[^,，。;；?？]{0,12}(?:重新?[排安]|换个?"
        "|[挪移改调][一到开走个])|考试[^,，。;；?？]{0,6}(?:撞|冲突|重叠|占)[^,，。;；?？]{0,12}(?:重新?[排安]|换个?"
        "|[挪移改调][一到开走个])|(?:排在|落在|超出|超过|晚于)[^,，。;；?？]{0,8}(?:截止"
        "|起止日期)[^,，。;；?？]{0,12}(?:重新?[排安]|换个?|[挪移改调][一到开走个])|(?:对不上|不合任务"
        r"|不符合任务)[^,，。;；?？]{0,12}(?:重新?[排安]|换个?|[挪移改调][一到开走个])|\b(?:re-?schedul|re-?plan"
        r"|re-?arrang|mov|fix)\w*\b[^,.;?]{0,30}\b(?:no longer|not) fits?\b[^,.;?]{0,12}\b(?:its|their|the) tasks?\b"
        r"|\b(?:re-?schedul|re-?plan|re-?arrang|mov)\w*\b[^,.;?]{0,30}\b(?:after|past|beyond|outside) (?:its|their"
        r"|the) (?:end dates?|deadlines?|dates)\b|\b(?:re-?schedul|re-?plan|re-?arrang|mov|fix"
        r"|shift)\w*\b[^,.;?]{0,40}\b(?:clash|collid|conflict|overlap)\w*[^,.;?]{0,20}\bexams?\b",),
    "finish_first": ("re:先(?:把|将)?[^,，。;；]{0,14}?(?:[做学背弄看刷]完|复习完|完成|搞定|做掉)"
        r"|\bfinish\b.{1,40}\bfirst\b|\bget .{1,30} (?:done|finished) first\b|\b(?:finish|do|get through"
        r"|complete)\b.{1,40}\bbefore (?:touching|starting|beginning|i (?:start|touch|begin))\b",),
    "starts_then": (r"re:\b(?:don't|doesn't|do not|does not|won't|not) (?:start|begin)\b|\bbegins?\b",
        "re:(?:之?后|以后|日|号|周)[才再]?(?:开始|开工|动工)|从[^,，。;；]{1,14}(?:开始|起)"
        r"|[周日号一二三四五六天]再?开始|\b(?:don't|dont|doesn't|not) (?:\w+ )?(?:open|available)\b"
        r"|\bstarts?\b.{0,12}\b(?:in|from|on)\b|\bstarting\b"),
    # how it should be
    "lighter": ("松快", "re:匀(?:走|掉|出)?[一1]?[点些]|有一?[点些](?:太)?(?:挤|满|赶|紧|密|累)", "太密", "太紧",
        "太赶", "太挤", "宽裕", "疏一点", "稀一点", "别那么满", "喘不过气", "缓一缓", "吃不消", "crammed",
        "too tight", "loosen", "less packed", "less dense", "less intense", "breathing room", "too much", "overwhelm",
        "overwhelming", "overwhelmed", "thin out", "ease up", "slow down", "too intense", "少一点", "少一些", "少排",
        "轻松", "别太满", "不要太满", "分散", "摊开", "松一点", "宽松", "太累", "spread", "lighter", "fewer",
        "less a day", "less per day", "relaxed", "easier"),
    "closer": ("re:(?<!太)紧凑|凑[紧拢近]|(?<![太要别])集中(?:一?[些点]|起来|[安排放])|零散|东一|(?:太|有点|这么"
        r"|那么|过于|很|好)散|\b(?:compact|condens\w+|closer together|scattered|all over the place|(?:too"
        r"|less) (?:spread|stretched|strung) out|more bunched|bunch (?:\w+ ){0,3}(?:up|together)|squash\w*)\b",),
    "fewer_a_day": ("re:(?:每|一|1)天[^,，。;；]{0,8}(?:少|轻松|别那么|不要那么|别太|不要太|太[多满挤累])"
        r"|\b(?:fewer|less)\b[^,.;]{0,24}\b(?:a|per|each|every|one|any|single) day\b|\b(?:lighter|easier|shorter"
        r"|calmer) days\b|\bdays?\b[^,.;]{0,16}\b(?:lighter|less (?:full|packed)|too (?:packed|full|busy|much"
        r"|long))\b",),
    "tells_done": (r"re:[完束]了|\bi(?:'ve| have)? (?:already |just )?(?:finished|did|completed)\b|提醒|\bremind",),
    "starts": (r"re:开始|起步|\b(?:start|begin)\w*\b",),
    "earlier_end": ("早点结束", "提前完成", "提前学完", "提前复习完", "早些完成", "早点完成", "早点学完", "尽早完成",
        "提早", "finish earlier", "done earlier", "finish sooner", "finish early",
        r"re:\bfinish .{1,40} (?:earlier|sooner|early)"),
    "keep_free": ("喘口气", "歇一歇", "歇歇", "歇着", "re:[啥什]么?[也都]不(?:想|要|愿意?)|不(?:想|愿意?)[动干]",
        r"re:\b(?:don't|do not|dont|not) (?:want|wanna|feel like|need|like) (?:to (?:do|study|have|see) |doing "
        r"|seeing )?(?:anything|any (?:study|tasks?|work|items?))\b|\bchill(?:ing|ax\w*)?\b",
        r"re:\b(?:don't|do not|never|stop) (?:schedul|plan|put|plac|book|arrang)\w*|\bclear (?:all )?(?:of )?my\b",
        r"re:\b(?:wipe|clear) (?:whatever|everything|anything|it|the day|all)", "清掉", "空着", "nothing please",
        "re:(?:别|不要|不许|勿|甭|不用)(?:再|给我|帮我|往|在|那天|这天|都|也|早上|上午|下午|晚上|周末)*(?:排|放|安排"
        "|塞|加|上|学|占)", "留给我", "留给自己", "留白", r"re:\b(?:is|are) mine\b|\b(?:don't|do not) (?:use|take"
        r"|touch|fill) (?:that|this|the)\b|\bno want (?:to )?study", "别占", "不占", "腾出来", "腾空", "清空",
        "留出来", "空下来", r"re:\b(?:nothing|no (?:study|studying|tasks?|work|sessions?))\b", "block off", "blocked",
        r"re:\bblock(?: out)? (?:(?:my|the|all|every|each|for) )*(?:\w+days?|mornings?|afternoons?|evenings?|nights?"
        r"|weekends?|the \d{1,2})\b", "clear", "free up", "不排", "不要排", "不安排", "别排", "不学", "不上", "排除",
        "避开", "休息", "空出", "re:(?<!行)不行", "没空", "没时间", "留空", "有事", "except", "exclude", "without",
        "avoid", "off", "别放", "不放", "不要放", "避免", "别安排", "不要安排", "keep free", r"re:\bfree up\b",
        r"re:\bkeep .{1,30} (?:free|clear)\b", r"re:\bleave (?:\w+ ){0,2}(?:\w+days?|weekends?|mornings|evenings"
        r"|nights)(?: \w+)? (?:free|clear|empty|alone)\b", "can't do", "cannot do", "unavailable"),
    "open_up": ("re:也(?:可以|能)(?:排|学|做|背|看|弄|用|放)", r"re:\bcan (?:also )?be (?:done|planned|studied|used"
        r"|placed)\b.{0,24}\b(?:too|as well|also)\b", r"re:\b(?:also|too) (?:fine|ok|okay|allowed)\b", "可以排",
        "取消限制", "不限制", "re:(?<!不)允许(?=[^,，。;；]{0,4}(?:周|星期|礼拜|早|上午|中午|下午|晚|第))",
        "不再限制", "放开", "都可以", r"re:\b(?:mornings|afternoons|evenings|nights|weekends"
        r"|\w+days) are (?:\w+ )?(?:fine|ok|okay|good|possible)\b|(?:周|星期|礼拜)[一二三四五六日天末](?:上午|下午"
        "|晚上)?(?:也|倒|是|还|其实)*(?:没问题|没关系|能[排学用]|可以)(?![吗么不])", "no limits", "allow",
        "may be used", "能排了"),
    # what is wished of every plan
    "wish_daily": (r"re:\b(?:on|in) (?:any |a |one )+(?:single )?day\b", "in one day", "每天", "一天", "1天", "每日",
        "单日", "a day", "per day", "each day", "every day", "daily"),
    "wish_most": ("顶多", "撑死", r"re:\b(?:never|not|n't) (?:\w+ ){0,2}more than\b", r"re:\bcap\b", "最多", "至多",
        "不超过", "不要超过", "别超过", "不多于", "at most", "no more than", "not more than", "max", "maximum",
        "up to", "tops", "at the most", "就够", "够了", "足够", "is enough", "只要", "只想", "只能", "别多于",
        r"re:[别不][^,，。]{0,4}超过|\bno more\b", "不能超过", "控制在", "不得超过",
        r"re:只(?:学|排|做|安排|放|背|看|弄)|\b(?:only|just)\b"),
    "softly": _SOFTLY,
    "wish_soft": (*_SOFTLY, "希望", "喜欢", "习惯", "保持", "would like", "i'd like", "i like", "keep"),
    "fallback": ("实在不行", "再不行", "不行就", "不行的话", "没有的话", "不然就", "要不就", "otherwise",
        "failing that", "as a backup", "as a fallback", "or else", r"re:\bif (?:not|nothing else|need be|(?:that"
        "|there)(?: doesn't| won't| isn't| is no|'s no))"),
    "wish_put": ("放", "排", "学", "留给", "for", "put", "schedule", "study", "do"),
    "wish_light": (r"re:\b(?:less|fewer|not (?:so|too|that|as) (?:much|many))\b[^,.;]{0,16}\bon (?:the )?(?:\w+days"
        r"|weekends)\b", "匀一", "少弄", "easier", "少排", "轻松", "轻一点", "轻一些", "松一点", "少放", "少安排",
        "少学", "清闲", "light", "lighter", "easy", "relaxed", "quiet"),
    "wish_finish": ("完成", "学完", "做完", "复习完", "结束", "搞定", "弄完", "finish", "finished", "done",
        "complete", "wrap up", "wrapped up", "over with", "through"),
    "wish_early": ("提前", "早", "early", "ahead", "to spare", "in advance", "earlier"),
    "wish_hard": ("难", "高强度", "费脑", "烧脑", "重的", "hard", "heavy", "difficult", "demanding", "tough"),
    "wish_nothing": ("别", "不", "nothing", "no", "not", "never", "avoid", "don't", "doesn't", "can't",
        r"re:\b\w+n't\b|\b(?:keep|stay|leave)\b.{0,30}\bout of\b"),
    "wish_noun": ("规矩", "规则", "要求", "限制", "rule", "rules", "limit", "limits", "愿望", "偏好", "喜好", "wish",
        "wishes", "preference", "preferences"),
    "rules_asked": ("re:(?:哪些|什么|几条|有没有)[^,，。;；]{0,8}(?:规矩|规则|要求|限制|愿望|偏好|约定)|(?:规矩|规则"
        "|要求|限制|愿望|偏好)[^,，。;；]{0,4}(?:有哪些|是什么|有几|列|看)|(?:看看|列出|查看"
        "|显示)[^,，。;；]{0,6}(?:规矩|规则|限制|愿望|偏好)|(?:哪[些天几]"
        "|什么)(?:时[间段候])?[^,，。;；]{0,4}(?:设[置成为了]+)?(?:不[排安学]|排除|避开|屏蔽)(?:掉|了|的)*[呢?？]*$"
        r"|\b(?:what|which) (?:times?|days?|hours?|slots?|periods?|sections?)\b[^,.;?]{0,20}\b(?:blocked|excluded?"
        r"|off limits|ruled out)\b|\b(?:what|which|list|show)\b.{0,30}\b(?:rules?|wishes|preferences|restrictions"
        r"|limits|limitations|constraints|standing requests)\b|\bwhat (?:have|did|do) i (?:\w+ )?(?:told?|tell|said"
        r"|say|ask(?:ed)?)(?: you)? to (?:always|never)\b",),
    "wish_forget": ("作废", "不要这个", "不要这条", "撤销", "不用", "去掉", "scrap", "ditch", "lift", "取消", "解除",
        "never mind", "忘掉", "忘记", "删掉", "删除", "清空", "清除", "不要了", "forget", "drop", "remove", "cancel",
        "clear", "delete", "take back"),
    # conditions of a place
    "no_room": ("满", "没空", "没位置", "没地方", "没时间", "不行", "不可以", "放不下", "排不下", "有课", "有事",
        "被占", "占了", "冲突", "full", "taken", "busy", "booked", "impossible", "no room", "not free",
        "not possible", "isn't free", "isn't possible", "isn't available", "doesn't work", "doesn't fit",
        "won't work", "won't fit"),
    "has_room": ("有空", "空着", "没课", "有位置", "有时间", "放得下", "能放", "可以", "free", "open", "empty",
        "空的", "available", "possible", "room", "ok", "okay"),
    "anywhere": ("re:找个?地方|找个?位置|找个?空|(?:随便|任意)(?:[^,，。;；]{0,8}哪[1一]?[天周个里儿]?|[找放塞])"
        "|有空就放|什么地方都行|看着[办放排]|你觉得(?:好|合适|行)|(?:[哪几][天个点节])?(?:由|让)?你(?:来"
        r"|自己)?(?:看着|随便)?(?:定|选|挑|决定)|(?:什么时候|哪天|啥时候)都[行可]以?|\b(?:anywhere|wherever"
        r"|whenever(?: (?:suits|works|fits|you (?:like|think|want)))?|any free|any slot)\b|\b(?:somewhere"
        r"|some) free\b|\byou (?:may |can )?(?:pick|choose|decide)(?: (?:which|when))?\b|\b(?:your choice|up to you"
        r"|yourself|don't (?:care|mind) when)\b",),
    "spared": (r"re:不用了|算了|不用[动挪移]|不[动挪移]了|别[动挪移]了|放?回原[处来位]"
        r"|\bnever mind\b|\bafter all\b|\bleave\b.{1,30}\bwhere\b|\bdoesn't need to\b|\bforget\b",),
    "other_day": ("re:(?:[换改](?:一|个)?|另外?一?个?)(?:天|日子)(?!晚|早|上|下)|换个?别的(?:日子|天|时间)|(?:别的"
        r"|其[他它])(?:日子|哪天)|\b(?:another|(?:any |some )?other|a different|different) day(?!s)\b|\bother days\b"
        r"|(?:换|挪)到?个?(?:别的)?(?:时候|时段|时间|点(?!什么))|\bsome other time\b|\b(?:another|a new|a different"
        r"|a better) (?:time|slot|spot|date)\b|\bsomewhere else\b",),
    "sent_away": (r"re:\b(?:get|clear|push|take|move)\b.{0,24}\boff\b", "弄走", "移走", "挪走", "搬走", "移开",
        "挪开", "清走", "腾走", "换走", "移到别", "挪到别", "move off", "move away",
        r"re:\b(?:mov|get|clear|push|shift)\w*\b.{0,20}\b(?:off|away|elsewhere)\b"),
    "that_day": ("那天的", "那天都", "那天全", "当天的", "that day's", "what's there", "what is there",
        "what's on then", "everything then", "everything that day",
        "re:那天[^。;；]{0,14}(?:东西|任务|内容|安排)?[都全](?:给我)?[挪移清搬推]",
        r"re:\b(?:everything|anything|all|stuff|things|it all|whatever) (?:off|from|on|out of) that day\b"),
    # the same, whatever the form of the sentence: verb classes and question words that are weighed
    "relocate": ("re:[移挪搬换扔丢塞拖推调改放排弄搞腾靠往][到去至回进在成后前]|往[前后]|[早晚]一?[点些]|稍稍|延"
        r"|顺一?顺|后移|前移|\b(?:mov|shift|push|pull|bring|put|plac|stick|drag|slid|slip|bump|switch|chang|resched"
        r"|reschedul|postpon|delay|set|have|study|do|want|swap)\w*|\b(?:sooner|later|earlier|instead|rather)\b",),
    "extract": ("re:移出|取消|不[排学做要上搞]了|先?不[排学做]|[拿撤删去清踢剔抽]掉|[拿移撤踢抽挪]出|删|去掉"
        r"|撤[下走了]|不用[排学做]|\b(?:remove|unplace|cancel|drop|scrap|skip|kill|ditch|unschedule|delete"
        r"|take (?:\w+ ){0,4}(?:out|off|away))\b",),
    "arrange": (r"re:[排安]排?(?!除|名|列)|规划|弄好|搞定|整好|计划一下|[铺摆](?:一下|开|好|上)|\b(?:plan|arrang"
        r"|schedul|organi[sz]|sort|fit|lay(?:ing)? out|map(?:ping)? out|set(?:ting)? up)\w*",),
    "asking": (r"re:[?？]|[吗么嘛]\s*(?:[。.!~]*$|(?=[,，]))|呢\s*$|啥|咋|什么|哪(?!一?天都)|谁"
        "|(?<![这那好十])几(?:[个门项节天点时号章讲课次周]|$)|多少|多大|怎么|如何|为何|是不是|会不会|有没有|能不能"
        "|可不可以|满不满|够不够|要不要|行不行|下不|不下|原因|[还能会有是在行够][^,，。不]{0,8}不[?？。!]*$|^(?:what"
        r"|when|where|which|why|who|how|should(?! be\b)|would|will|is|are|am|does|do|did|can|could|(?:has"
        r"|have)(?! to\b)|any)\b|\b(?:what|when|where|which|why|how)\b",),
    "nothing_there": (r"re:(?:什么|啥|一[项个]|任何\S{0,3})[都也]?没|没有?(?:安排|任务|内容|东西|排|事)|不(?:排|安排"
        r"|放)|空(?:的|着|了|荡荡)|\b(?:nothing|empty|no (?:tasks?|items?|study\w*|work))\b"
        r"|n't (?:there )?(?:be )?(?:anything|planned)\b",),
    "why_asked": ("re:为[什啥何嘛]|原因|凭什么|怎么(?:会|没|就|啥|什么|(?=[^,，。]{1,6}空))|咋(?:会|没|就|啥)"
        r"|干[嘛吗啥](?=[不没空])|\b(?:why|reason|how come|stopping (?:them|it)|in the way|blocking)\b",),
    "left_to_do": (r"re:剩下|\b(?:is|are) left\b|还(?:剩|要|有|得)[^,，。]{0,4}(?:多少|几|什么|啥|哪)|\b(?:still"
        r"|left|remain\w*)\b.{0,30}\b(?:do|study|learn|week|today)\b|\bstill (?:have|need|got)\b",),
    "plan_noun": (r"re:计划|课表|安排|日程|草稿|排[得的法]|\b(?:plan|schedule|timetable|draft|calendar"
        r"|arrangement)\b",),
    "whole": (r"re:全部|所有|一切|整[个体]|完整|都|\b(?:all|everything|every|whole|entire|complete)\b",),
    "reschedule": (r"re:重(?:新)?(?:排|安排|规划|弄|来|搞|做)|再排一[遍次]|\b(?:redo|rebuild|replan|re-plan"
        r"|rearrange|start over|plan .{0,20}again|plan .{0,20}anew)\b",),
    # answers
    "button": ("写进课表", "写到课表", "放进课表里吧", "正式课表", "real timetable", "actual timetable", "按钮",
        "button", "写入课表", "应用到课表", "暂存", "保存草稿", "apply it", "apply to the timetable",
        "save the draft"),
    "correction": ("不对", "re:(?<!(?<![但可])是)不是", "说错", "错了", "记错", "我是说", "我说的是", "指的是",
        "i was talking about", "i mean", "i meant", "sorry", "no,", "wrong", "correction", "oops", "my bad",
        "my mistake", r"re:^(?:[哦啊嗯哎呃,，\s])*(?:等等|等一?下|[搞弄]错|(?:算了[,，\s]*)?(?:还是"
        r"|[改换][成为到])(?!.{0,3}(?:算了|不|别|原|回|留|维持|保持)))|^(?:(?:oh|hm+|ok(?:ay)?|no|well)\W+)*(?:wait"
        "|actually|(?:scratch|forget|cancel|undo|drop) (?:that|it)|on second thoughts?|h[ao]ng on|hold on"
        r"|make (?:that|it)|or rather)\b(?=\W+\w)"),
    "unknown_yet": ("re:(?:不|还没|没)(?:太|大|怎么)?(?:知道|清楚|确定|想好|定)(?!会)|说不好|没想过|看情况|随便"
        r"|\b(?:don't|do not|dunno|not) (?:really |exactly |quite |yet )?(?:know|sure|decided)\b|\bno idea\b"
        r"|\bdunno\b|\bhaven't decided\b",),
    "never_mind": ("算了", "保持不变", "不建了", "取消", "不用了", "never mind", "cancel", "forget it"),
    "keep": ("留原处", "留在原处", "不要了", "forget it", "保持", "不变", "算了", "不用", "别动", "取消", "不移",
        "keep", "leave it", "never mind", "no change", "cancel", "就这样", "不改了", "all good", "fine as it is",
        "不同意", "不答应", "先不", "no changes", r"re:\b(?:don't|do not) (?:agree|approve|accept|want (?:that|this"
        r"|it))\b|\b(?:disagree|refuse|reject)\b"),
    "declines": (r"re:^\s*(?:还是|那就?|算了)?[,，\s]*[不别](?:移|动|改|换|挪|调)(?:动|了|它|吧)*[。!\s]*$",),
    "unwanted": ("不想", "不要", "别", "don't", "not"),
    "only": ("只", "仅", "re:^光(?!学)", "only", "just"),
    "all": ("全部", "所有", "都排", "都要", "everything", r"re:(?<!after )\ball\b"),
    "pronoun": (r"re:(?<!其)它|[这那]一?[项章讲]|[这那]个(?!星期|周|月|时间|时候|任务类|计划|学期)|刚才的|\b(?:it"
        r"|them|(?:this|that) (?:one|item|task))\b|\b(?:move|put|shift|push|swap|take|place|bring|have|change"
        r"|make) (?:that|this|those|these)\b(?! \w+day| week| month| morning| afternoon| evening)",),
    "question": ("re:为什么|为何|怎么(?!也|办)|如何|(?<!随便)(?<!不管)(?<!无论)(?:什么(?!也|都)|多少|哪(?!怕|里都"
        "|天都|儿都))|(?<![这那好过十])几[个门项节天章讲课次点号周]|是不是|会不会|该不该|要不要|有没有|谁先|谁后"
        r"|谁早|谁晚|先后|^(?:what|when|where|which|why|who|how|should(?! be\b)|would|is|are|does|do i)\b|\b(?:what"
        r"|how|when|why|which|where)\b.*\?",),
    "side_asked": (r"re:[前后][^,，。;；]{0,4}还是[^,，。;；]{0,6}[前后]|\b(?:before or after|after or before)\b",),
    "must_asked": ("re:(?:必须|一定要|非得|非要)[^,，。;；?？]{0,20}[吗么]|是不是(?:必须|一定要|非得|非要)|^(?:(?:so"
        r"|and|but|ok|okay|hey|wait),? )*(?:(?:does|do) (?!i\b|we\b|you\b)[^.?]{2,40}? (?:have|need) to\b"
        r"|must (?!i\b|we\b|you\b)|is it (?:really )?(?:necessary|required|needed|a must)\b)",),
    "polite_form": ("re:能[^,，。;；]{0,4}[空腾留]出来吗|能不能|能否|可不可以|可否|(?:行不行|好不好|可以吗|行吗|好吗"
        r"|成吗|好么)\s*[?？]?|^(?:can|could) (?:everything|it all|they all) (?:just )?(?:be|go) (?!done|finished"
        r"|ready|over)|\b(?:can|could|would|will) (?:you|(?:we|i)(?! (?:be|still|ever|really|possibly|finish"
        r"|complete|manage|make it)\b))\b|\b(?:does|would|will|could|is) (?:that|this) (?:work|go|possible|ok(?:ay)?"
        r"|fine) (?:for|with) (?!you\b|me\b)|\b(?:how|what) about\b|\bwhy don't we\b",),
    "polite": ("how about", "what about", "why don't we", "可以", "能", "请", "帮", "can you", "could you", "can we",
        "please", "would you"),
    **CARD_WORDS,
}  # fmt: skip


VERBS = frozenset(("build_weakly", "move", "place", "swap", "remove", "delete", "rename", "optimise_weakly"))
"""Concepts whose single English words also count in their other forms: move, moves, moved, moving."""
_IRREGULAR = {
    "put": "put|puts|putting",
    "stick": "stick|stuck",
    "slide": "slid(?:e|es|ing)?",
    "take": "tak(?:e|es|en|ing)",
}


@lru_cache(maxsize=512)
def pattern(concept: str) -> re.Pattern[str]:
    """The words of a concept as one expression."""
    return re.compile("|".join(_expression(word, verb=concept in VERBS) for word in LEXICON[concept]))


def _expression(word: str, *, verb: bool = False) -> str:
    if word.startswith("re:"):
        return f"(?:{word[3:]})"
    if verb and word.isascii() and word.isalpha():
        return rf"(?<![a-z])(?:{_find_forms(word)})(?![a-z])"
    return rf"(?<![a-z]){re.escape(word)}(?![a-z])" if word.isascii() else re.escape(word)


@lru_cache(maxsize=16_384)
def says(concept: str, text: str) -> bool:
    """Whether a folded text has a word of the concept."""
    return pattern(concept).search(text) is not None


def _find_forms(verb: str) -> str:
    """An English verb with its endings: mov(e|es|ed|ing), swap(s|ped|ping), shift(s|ed|ing)."""
    if verb in _IRREGULAR:
        return _IRREGULAR[verb]
    if verb.endswith("e"):
        return f"{verb[:-1]}(?:e|es|ed|ing)"
    return f"{verb}(?:s|es|{verb[-1]}?ed|{verb[-1]}?ing)?"
