"""Words by which contents of a class are not to be changed: 别删实验三, don't split lab 2."""

from __future__ import annotations

import re

NOT_DONE = re.compile(
    r"(?:(?<![分特个性])别|(?<!要)不(?:要|用|必))(?:再|先|给我|急着|\s)*(?:[把将][^,，。;；]{1,14}?)?"
    r"(?:删|去[掉除]|移除|拿掉|砍|拆|合并|改名|重命名|取消)"
    r"|\b(?:don't|do not|never) (?:just |ever |please )*(?:delete|remove|drop|chop|scrap|ditch|bin|cut|cancel"
    r"|get rid of|split|break up|divide|merge|combine|rename)\b"
)
"""What is not to be done."""
