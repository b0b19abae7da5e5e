"""Words of what is found too much or too little, and of what is to be less or more than it is: one table for every
time, every class and the plan as a whole."""

from __future__ import annotations

_VERY = r"(?:好|很|真|特别|超级?|非常|有点|有些|这么|那么|过于|实在|巨)"
_VERY_EN = r"(?:too|so|really|very|super|insanely|crazy|pretty|rather|kinda|kind of|a bit|bit|that)"
_FULL_EN = r"(?:packed|cramm?ed|overloaded|rushed|bunched|crowded|stuffed)"
WORDS_OF_COMPARISONS: dict[str, tuple[str, ...]] = {
    "worn_out": (
        r"re:[累困](?:死|成|瘫|趴|垮)|[吃受撑扛顶熬]不(?:了|住|消)|压力|崩溃|要命|[学看]不(?:进|动|下去)|(?:学|看|干)不了"
        r"|没(?:有)?(?:什么)?(?:精神|状态|力气|劲)|犯困|瞌睡|睡着|起不(?:来|了|早)|痛苦|折磨|难受|煎熬|阴间|反人类"
        r"|(?:脑子|脑袋)[^,，。;；]{0,3}(?:不转|转不动|浆糊)|(?:太|好|真|很|特别)[累困]|(?:讨厌|受不了)[^,，。]{0,8}[学看背]",
        r"re:\b(?:kill|murder)(?:s|ing)? me\b|\bwear(?:s|ing)? me (?:out|down)\b|\b(?:i'm|i am|feel\w*) (?:\w+ )?"
        r"(?:drowning|swamped|slammed|dead|wrecked)\b|\boverwhelm\w*|\bexhaust(?:ed|ing)\b|\bburn(?:t|ed|ing)? out\b"
        r"|\b(?:mush|fried|useless|a zombie|drained|brutal|unbearable|torture|nightmares?|the worst)\b"
        r"|\b(?:can't|cannot|can not|couldn't)(?: \w+)? (?:cope|keep up|focus|concentrate|think|stand|stay awake"
        r"|get up)\b"
        r"|\b(?:hate|loathe|can't stand|cannot stand|dread) (?:to )?(?:study|learn|work|revis)\w*"
        r"|\b(?:fall\w*|doz\w*) (?:asleep|off)\b|\bnever (?:have|find|get) (?:(?:any|the|enough) )?time\b",
    ),
    "too_early": (rf"re:(?:太|偏|{_VERY})早(?![点日])|\b{_VERY_EN} early\b",),
    "too_late": (rf"re:(?:太|偏|{_VERY})晚(?![上点会饭])|\b{_VERY_EN} late\b",),
    "ends_early": (
        r"re:(?:结束|[学做弄排]完)得?太[早快]|\b(?:ends?|finish\w*|done|over)\b[^,.;]{0,12}\btoo (?:early|soon|fast)\b",
    ),
    "too_much": (
        rf"re:(?<!不)太(?:[满挤密赶重忙快]|多(?!久)|紧(?!凑挨))|(?<!不){_VERY}(?:[满挤密赶忙重](?!新|要|复)|紧张)"
        rf"|(?:事情?|任务|内容|东西)[^,，。;；]{{0,3}}{_VERY}多|{_VERY}多(?:事|任务|东西|内容)|堆(?:满|得)|跟不上|喘不过气"
        r"|\ba lot (?:on|in|at)\b"
        r"|[松慢缓稀疏]松?[1一]?[点些下]|缓[1一]缓|别(?:这么|那么|太)[赶紧累满]"
        r"|[不没别少](?:想|能|要|法|办法)*[学做排看复习安]*(?:[这那]么|太)[多满]",
        rf"re:(?<!not )\b{_VERY_EN} (?:damn )?(?:much(?! time| better)|many|full|busy|dense|tight|cramped|intense"
        rf"|heavy|hectic|fast|stressful|tiring|{_FULL_EN})\b"
        rf"|\b(?:feels?|looks?|seems?|is|are|getting) (?:\w+ )?(?:{_FULL_EN}|insane|crazy|hell(?:ish)?|awful|horrible"
        r"|terrible|rough)\b|\b(?:don't want to|not able to|unable to|can't|cannot|couldn't)"
        r" (?:do|handle|manage|study|take) (?:this|that|so|as|too)(?: \w+)? ?much\b"
        r"|\bslow(?:er|ing)?\b[^,.;]{0,40}\bdown\b|\bslower\b|\btake (?:it|things) (?:\w+ )?(?:easy|easier|slow)\b"
        r"|\b(?:ease|easing) (?:up|off)\b|\bgo easy\b|\bgentler\b|\blighter\b|\bmore relaxed\b"
        rf"|\b(?:less|not so) (?:intense|intensive|dense|hectic|full|{_FULL_EN})\b|\bpiled up\b"
        r"|\b(?:spread|space[ds]?|thin\w*)\b[^,.;]{0,20}\b(?:more|further|wider|apart)\b",
    ),
    "too_little": (
        rf"re:(?<!不)太(?:[空闲松少慢散]|轻松)|{_VERY}(?:[空闲松慢散](?!间)|轻松)|空荡荡|(?:结束|[学做弄]完)得?太晚"
        r"|拖(?:得)?(?:太|好|这么|那么|很)[久长]|拖拖拉拉|没(?:什么|几个|几项|排多少|多少)(?:任务|内容|东西|安排)"
        r"|[也还](?:想|愿意|打算)(?:再|多)?(?:[学排做看背弄]|复习)|(?:可以|(?<!不)能|想)再?多[学排做看背][1一]?[点些]|[密紧快]一?[点些]|排密"
        r"|早[1一]?[点些](?:搞定|结束|完事|弄完|解决|了结)",
        rf"re:(?<!not )\b{_VERY_EN} (?:slow|empty|loose|light|little|few|sparse|bare|spread out|stretched(?: out)?"
        r"|thin)\b"
        r"|\b(?:hardly|barely|scarcely) any\w*\b"
        r"|\b(?:nothing|not) (?:enough|much|really)\b[^,.;]{0,8}\b(?:going on|there|planned|on)\b"
        r"|\b(?:feels?|looks?|seems?) (?:\w+ )?(?:empty|loose|bare)\b|\bdrag(?:s|ging)?(?: on| out)?\b"
        r"|\btak(?:es?|ing) (?:forever|ages|too long|so long)\b|\bgo(?:es|ing) on forever\b"
        r"|\b(?:finish\w*|ends?|done|over)\b[^,.;]{0,12}\btoo late\b|\b(?:denser|tighter|faster)\b"
        r"|\bspeed (?:\w+ )?up\b"
        r"|\b(?:over(?: and done)? with|out of the way)\b[^,.;]{0,8}\b(?:sooner|earlier|faster)\b"
        r"|\b(?:could|can|want to|wanna|like to|happy to|willing to|don't mind) (?:\w+ )?(?:do|doing|study\w*|learn\w*"
        r"|work\w*|revis\w+) (?:a bit|a little|some|something|stuff|more|there|then|on|at)\b",
    ),
}
