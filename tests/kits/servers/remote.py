"""Requests to a real server with nothing but the standard library."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from typing import Any


class Remote:
    def __init__(self, base_url: str, token: str = "") -> None:
        self.base_url, self.token = base_url, token

    def __call__(self, method: str, path: str, body: Any = None, **headers: str) -> tuple[int, Any, Any]:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        if self.token:
            named["Authorization"] = f"Bearer {self.token}"
        content = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.base_url + path, data=content, method=method, headers=named)
        request.add_header("Content-Type", "application/json")
        try:
            with urllib.request.urlopen(request, timeout=30) as response:
                return response.status, json.loads(response.read()), response.headers
        except urllib.error.HTTPError as error:
            return error.code, json.loads(error.read()), error.headers
