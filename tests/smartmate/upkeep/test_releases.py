"""What puts a release in its place: the lines of docs/deployment.md, in a shell as an operator has one, and what a unit
waits for before the next one may be restarted."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.kits.servers.server import free_port
from tests.kits.servers.warm import ROOT

SETUP = """#!/bin/sh
cd "$(dirname "$0")/.."
mkdir -p .venv/bin && printf '#!/bin/sh\\necho "$@" >> {told}\\n' > .venv/bin/python && chmod +x .venv/bin/python
exit {status}
"""
"""In the place of `script/setup`: installs a Python that notes what it is asked for, and ends as it is told to."""
AUTHOR = ["-c", "user.name=a", "-c", "user.email=a@b.example"]


class Machine:
    """A folder in the place of /srv/smartmate, with the repository that its releases come from."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.origin, self.told = folder / "smartmate", folder / "origin", folder / "told"
        self.folder.mkdir()
        self._git("init", "-q", str(self.origin))
        self.publish(status=0)
        self._git("clone", "-q", str(self.origin), str(self.folder / "repository"))
        text = (ROOT / "docs/deployment.md").read_text(encoding="utf-8")
        (function,) = re.findall(r"^    (release\(\) \{.*?; \})$", text, re.MULTILINE | re.DOTALL)
        self._function = function.replace("/srv/smartmate", str(self.folder))

    def publish(self, *, status: int) -> None:
        """Makes a new commit, whose installation ends with `status`."""
        setup = self.origin / "script" / "setup"
        setup.parent.mkdir(exist_ok=True)
        setup.write_text(SETUP.format(status=status, told=self.told))
        setup.chmod(0o755)
        self._git("-C", str(self.origin), "add", "-A")
        self._git("-C", str(self.origin), *AUTHOR, "commit", "-q", "--allow-empty", "-m", "a release")

    def release(self, *arguments: str, umask: str = "022") -> int:
        """Says the lines of the document, as they stand there: behind them comes `&&`."""
        script = f"umask {umask}\n{self._function}\nrelease {' '.join(arguments)} && true"
        return subprocess.run(["bash", "-c", script], capture_output=True).returncode

    @property
    def current(self) -> str:
        return (self.folder / "current").readlink().name

    def _git(self, *arguments: str) -> None:
        subprocess.run(["git", *arguments], check=True, capture_output=True)


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


@pytest.mark.storeless
def test_a_release_that_could_not_be_installed_does_not_become_the_current_one(machine: Machine) -> None:
    assert machine.release() == 0
    first = machine.current
    machine.publish(status=1)
    assert machine.release() != 0
    assert machine.current == first
    machine.publish(status=0)
    assert machine.release() == 0
    second = machine.current
    assert second != first
    assert machine.release(first) == 0
    assert machine.current == first


@pytest.mark.storeless
def test_the_user_of_the_units_may_read_a_release_whatever_the_operators_umask(machine: Machine) -> None:
    assert machine.release(umask="077") == 0
    folder = machine.folder / machine.current
    for path in (folder, folder / "script", folder / "script/setup", folder / ".venv/bin/python"):
        assert path.stat().st_mode & 0o005, path
    assert (folder / "script/setup").stat().st_mode & 0o050


@pytest.mark.storeless
def test_each_release_gets_the_optional_packages_again(machine: Machine) -> None:
    (machine.folder / "extras.txt").write_text("openpyxl>=3.1,<3.2\n")
    assert machine.release() == 0
    machine.publish(status=0)
    assert machine.release() == 0
    assert machine.told.read_text().splitlines() == ["-m pip install -q -r extras.txt"] * 2


def wait_of_a_web_unit(port: int) -> list[str]:
    """What systemd starts beside a web process; the unit has started when it ends."""
    unit = (ROOT / "deploy/systemd/smartmate-web@.service").read_text(encoding="utf-8")
    (script,) = re.findall(r"^ExecStartPost=/bin/sh -c '(.*)'$", unit, re.MULTILINE)
    return ["sh", "-c", script.replace("%i", str(port)).replace(".venv/bin/python", sys.executable)]


def test_a_web_unit_has_started_when_its_process_answers(server: Any) -> None:
    subprocess.run(wait_of_a_web_unit(server.port), check=True, timeout=60)
    waiting = subprocess.Popen(wait_of_a_web_unit(free_port()), start_new_session=True)
    with pytest.raises(subprocess.TimeoutExpired):
        waiting.wait(2)
    os.killpg(waiting.pid, signal.SIGTERM)
    waiting.wait(60)
