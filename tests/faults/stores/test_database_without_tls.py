"""Where TLS is asked for, nothing is said in the clear to a database that has none."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.kits.servers.warm import ROOT


@pytest.mark.parametrize("query", ["ssl_mode=VERIFY_IDENTITY", "ssl_ca=/etc/ssl/certs/ca-certificates.crt"])
def test_no_command_speaks_to_it(mariadb: tuple[Any, str], tmp_path: Path, query: str) -> None:
    environment = {**os.environ, "SMARTMATE_VAR": str(tmp_path), "DATABASE_URL": f"{mariadb[1]}?{query}"}
    done = subprocess.run(
        [sys.executable, "manage.py", "prune"], cwd=ROOT, env=environment, capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 1
    assert done.stderr.startswith("CommandError: the database: TLS/SSL error")
