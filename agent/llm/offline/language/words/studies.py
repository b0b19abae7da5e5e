"""Words by which students tell of a piece of work or an exam ahead that is no class yet."""

from __future__ import annotations

WORDS_OF_STUDIES: dict[str, tuple[str, ...]] = {
    "work_ahead": (
        "作业", "论文", "课设", "课程设计", "毕设", "开题", "综述", "项目", "题目",
        r"re:(?<!体检)(?<!心理)报告(?!会)|(?:准备|复习|备考|预习|布置)(?=.)|(?:^|[要在想得再始算])(?:[写背刷啃]|练习?|做(?=[一个份])"
        r"|学(?![校长姐弟妹生分院期完]))(?=.)",
        r"re:开始学|报名?了?(?:一?[个门]|.{2,12}(?:课|班))|[一这]门|新建|新增|创建|新开|加(?:一?[个门])|要(?:交|背|啃|刷|搞|弄)|[学过]一?遍",
        r"re:\b(?:homework|assignment|coursework|essay|paper|report|thesis|dissertation|project|presentation|portfolio"
        r"|problem sets?|worksheets?|write-?up|case study|poster|application)\b|\badd an? (?:new )?task\b",
        r"re:\b(?:prep(?:are|ping|aring)?|revis(?:e|ing|ion)|study(?:ing)?|get ready|cram(?:ming)?|practi[cs](?:e|ing)"
        r"|learn(?:ing)?|(?:work(?:ing)? on|(?:get|go)(?:ting|ing)? (?:through|into|over)|to (?:start"
        r"|begin)) (?!my week|with|over|again|later|earlier|at|on|from)(?=\w)|hand in|turn in|submit|write"
        r"|signed up for|enrolled (?:in|on)|tak(?:e|ing) up"
        r"|give an? (?:talk|speech)|memori[sz]e|due|new (?:class|course|subject|module))\b",
    ),
    "exam_ahead": (
        "测验", "小测", "测试", "四级", "六级", "答辩", "演讲", "汇报", r"re:考(?!虑|察|核|勤)|期[中末]|[比竞]赛",
        r"re:\b(?:exam|test|quiz|midterm|final|finals|oral|talk|speech|competition|certificate|licen[cs]e)\b",
    ),
    "no_study": (
        r"re:如果|要是|假如|假设|没有?(?![弄做写背看动搞]|准备|复习|开始)|不(?!定)|别|改[到成期]|推迟|提前|取消|延期"
        r"|(?:考|交|写|做)完|已经|好多|很多|一堆|多少|啥|咋|每[天日]|课表|上课|聚|约|会议|开会|什么|哪",
        r"re:\b(?:if|suppose|when|what|which|why|how|no|not|never|nothing|moved?|postponed|cancel\w*|earlier|later"
        r"|lots?|much|many|loads|tons|already|handed|wrote|finished|was|were(?! given)|meeting|appointment|dentist"
        r"|doctor|a day|per day|from now on|away|busy|instead|rather|lesson|lecture|timetable|move|swap|free)\b|n't\b",
    ),
    # what stands around the name of something to learn
    "before_study": (
        r"re:[\s,!.'-]+|(?:期[中末]|考试)之?前|开始|要考(?![试虑核勤])(?=[^,]{2})",
        r"re:^[^,]{0,10}?[有写做交报备置考加学]了?[一1]?[个门份篇场](?!人)",
        r"re:^(?:我|跟|和)[^,]{0,8}?(?:考|学|练|复习|备考|准备)(?![习校院期科术生试])(?:[一1]下)?(?=[^,]{2})",
        r"re:(?!有机|写作|学[术校院期科]|开题|新闻|新概念|建[筑模]|交[通换]|报[告表]|选修|加密|习题|了解)"
        r"(?:我们?|之?前|先(?![进秦修])|直接|那?就(?!业)|然后|顺便|老师|[让叫](?=我)|学校|课上|想起来|[又还也要得想帮请给把再有说加开写做练交搞弄在了的刚]|另外|对了|突然|今天"
        r"|这?个?学期|最近|现在"
        r"|手[上头]|需要|必须|准备|打算|计划|麻烦|新[建增开]|创建|添加|增加|新(?=一?[个门])|[建排](?=[一个门])|来了?|多了?|报名?了?|布置了?"
        r"|通知了?|叫做?|选了?|参加|(?:预习|复习|备考|准备|学)[一1]下|预习|复习|备考|完成|学会|学习?|[一1]?[门个份篇次场项样])",
        r"re:\b(?:i|we|you)(?:'?(?:ve|m|d|ll))?\b|\bthere(?:'?s| is| are)\b|\bit's\b|\bprof\w*"
        r"|^my (?:\w+ ){1,2}and i\b",
        r"re:\b(?:has|have|haven'?t|(?:(?:way|so) )?behind|had|got|get(?:s|ting)?"
        r"|gotta|wanna|gonna|going|planning|hoping|trying|need|must|should|want|would|like|am|is|are|also|just|still"
        r"|now|really|to"
        r"|for|in|on|my|our|an?(?: (?:little )?bit)?|the|another|new|some|next|one|more|thing|please"
        r"|pls|and|so|ugh|oh|ok|okay|btw|hey|hi|well|right|damn|argh|oops|sorry|ah|um|class|course|subject|tasks?"
        r"|called|can|could|kindly)\b",
        r"re:\b(?:prep(?:are|aring|ping)?|write|do|doing|give|finish|hand in|turn in|submit|stud(?:y|ying)"
        r"|revis(?:e|ing)|learn(?:ing)?|practi[cs](?:e|ing)|cram(?:ming)?|read|hold|make|add|create|set (?:up|us)|plan"
        r"|schedule|fit in|put in|start(?:ed|ing)?|memori[sz]e|work(?:ing)?|through|into|over|of|begin|tackle"
        r"|sign(?:ed)? up|enrolled|tak(?:e|ing)(?: up)?|teacher"
        r"|lecturer|tutor|wants|asked|were|given|announced|assigned|gave|us|me|told)\b",
    ),
    "behind_study": (
        r"re:[\s,.!-]+$|(?:[学过看]|复习)一?[遍下]$|[了呢吧啊的也还都]$|快到$|我?[也还]?[要想得]准备(?:一下)?$"
        r"|(?:新?建|创建|[开加])(?:立|上)?[一1]?[个门](?:新的?)?(?:任务)?(?:类|课程?)$|(?:任务类|课程?)$",
        r"re:(?:还?(?:要|得|需要|没有?|该)|[在是于到从]|之?前|以前|截止|为止)+"
        r"(?:写|做|交|准备|复习|考试?|弄|学|开始|动|搞|背|看|完成|练)*$",
        r"re:\b(?:is|are|was|will be|be|due|coming up|comes?|ends?|runs?|by|on|until|till|before|at|for|in|that's"
        r"|which is|from|to|(?:to )?(?:do|make|write|prepare|hand in|finish|study|learn|submit)|somehow|somewhere"
        r"|please|too|as well|soon|again)$",
    ),
}  # fmt: skip
