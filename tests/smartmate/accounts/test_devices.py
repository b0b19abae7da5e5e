"""Devices in the list of those that are signed in."""

from __future__ import annotations

import pytest
from django.utils.translation import override

from smartmate.templatetags.devices import device

CHROME = (
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36"
)
IPHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)"


@pytest.mark.parametrize(
    ("user_agent", "told"),
    [
        (CHROME, "Chrome · Windows"),
        (f"{CHROME} Edg/126.0", "Edge · Windows"),
        (f"{IPHONE} Version/17.5 Mobile/15E148 Safari/604.1", "Safari · iPhone"),
        (f"{IPHONE} Mobile/15E148 MicroMessenger/8.0.49", "微信 · iPhone"),
        ("Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0", "Firefox · Linux"),
        ("curl/8.5 <b>", "curl/8.5 <b>"),
        ("", "未知的浏览器"),
    ],
)
def test_a_device_is_named_by_browser_and_system(user_agent: str, told: str) -> None:
    with override("zh-hans"):
        assert device(user_agent) == told
