"""Whatever a client sends, allowed by the OpenAPI document or not, is answered as the document says."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.kits.transports.students import Student

CONFIG = Path(__file__).with_name("schemathesis.toml")


@pytest.mark.long
def test_every_request_is_answered_as_documented(server: Any, tmp_path: Path) -> None:
    student = Student(server, "asker", server.account("asker"))
    asked = subprocess.run(
        [
            *(sys.executable, "-m", "schemathesis.cli", "--config-file", str(CONFIG), "run", "--no-color"),
            *("--header", f"Authorization: Bearer {student.token}", f"{server.base_url}/api/schema"),
        ],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=1800,
    )
    student.http.close()
    assert asked.returncode == 0, asked.stdout + asked.stderr
