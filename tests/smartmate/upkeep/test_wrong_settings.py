"""A wrong setting is named before anything begins: which one and what is wrong with it, and never a password."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from smartmate.environment import Environment
from tests.kits.servers.warm import ROOT

pytestmark = pytest.mark.storeless

READ = "from smartmate import settings; print(settings.SECRET_KEY, settings.ALLOWED_HOSTS)"
WRONG = [
    ("DATABASE_URL", "nonsense", "neither mysql://"),
    ("DATABASE_URL", "postgres://u:hidden@127.0.0.1/plan", "neither mysql://"),
    ("DATABASE_URL", "mysql://u:hidden@127.0.0.1:port/plan", "neither mysql://"),
    ("DATABASE_URL", "mysql://u:hidden@127.0.0.1:3306/", "neither mysql://"),
    ("DATABASE_URL", "mysql://u:hidden@h/plan?sslmode=VERIFY_CA", "no option sslmode; there are charset, ssl_ca, "),
    ("DATABASE_URL", "mysql://u:hidden@h/plan?ssl_mode=REQUIRED", "ssl_mode is none of VERIFY_IDENTITY, VERIFY_CA"),
    ("REDIS_URL", "127.0.0.1:6379", "no address of the form redis://"),
    ("REDIS_URL", "redis://:hidden@127.0.0.1:port/0", "no address of the form redis://"),
    ("OPENAI_BASE_URL", "models.example/v1", "no address of the form https://"),
    ("REQUEST_THREADS", "x", "'x' is no whole number"),
    ("STORE_THREADS", "0", "'0' is less than 1"),
    ("PLANNER_PROCESSES", "-1", "'-1' is less than 0"),
    ("AGENT_LEASE_S", "0", "'0' is less than 0.1"),
    ("AGENT_SWEEP_S", "nan", "'nan' is no number"),
    ("AGENT_DRAIN_S", "soon", "'soon' is no number"),
    ("HTTPS", "yes please", "'yes please' is neither on nor off"),
    ("LOG_LEVEL", "LOUD", "'LOUD' is none of DEBUG, "),
    ("TRUSTED_PROXIES", "127.0.0.1, nginx", "'nginx' is neither an address nor a network"),
    ("ALLOWED_HOSTS", "https://plan.example.edu", "'https://plan.example.edu' is no name of a host"),
    ("ALLOWED_HOSTS", "plan.example.edu:8000", "'plan.example.edu:8000' is no name of a host"),
    ("REDIS_URL", "redis://:hidden@127.0.0.1:6379/cache", "the database behind the host is no number"),
    ("REDIS_URL", "redis://:hidden@127.0.0.1:6379/0?socket_timeout=soon", "an option behind the question mark"),
    ("REDIS_URL", "redis://:hidden@127.0.0.1:6379/0?time_out=3", "an option behind the question mark"),
    ("REDIS_URL", "unix://", "no address of the form redis://"),
    ("DATABASE_URL", "mysql://u:hidden@h/plan/", "neither mysql://"),
    ("DATABASE_URL", "sqlite://:memory:", "neither mysql://"),
    ("DATABASE_URL", "mysql://u:hidden@h/plan?ssl_ca=/nowhere.pem", "ssl_ca is no file that can be read"),
    ("OPENAI_BASE_URL", "https://models.example/v1/chat/completions", "/chat/completions is put behind it"),
    ("OPENAI_BASE_URL", "https://models example/v1", "no address of the form https://"),
    ("OPENAI_API_KEY", '"hidden"', "is in quotes"),
    ("OPENAI_API_KEY", "hidden 隐藏", "has characters that no key has"),
    ("OPENAI_FALLBACK_API_KEY", "hidden hidden", "has characters that no key has"),
    ("METRICS_TOKEN", "hidden-隐藏", "has characters that no key has"),
    ("OPENAI_MODEL", "'gpt'", "is in quotes"),
    ("REDIS_URL", '"redis://:hidden@127.0.0.1:6379/0"', "is in quotes"),
    ("HTTPS", '"on"', "is in quotes"),
    ("CSRF_TRUSTED_ORIGINS", "https://plan.example.edu/", "is no origin of the form https://host"),
    ("CSRF_TRUSTED_ORIGINS", "plan.example.edu", "is no origin of the form https://host"),
    ("EMAIL_HOST", "smtp://mail.example.edu", "is no name of a host"),
    ("EMAIL_HOST", "[::1]", "is no name of a host"),
    ("EMAIL_HOST", "*.example.edu", "is no name of a host"),
    ("EMAIL_PORT", "70000", "'70000' is more than 65535"),
    ("DEFAULT_FROM_EMAIL", "SmartMate", "is no address of the form name@host"),
    ("TOKEN_DAYS", "99999999999", "'99999999999' is more than 36500"),
    ("AGENT_LEASE_S", "1e300", "'1e300' is more than 86400"),
    ("REQUEST_THREADS", "100000", "'100000' is more than 1000"),
    ("SMARTMATE_VAR", "/proc/nowhere", "the folder /proc/nowhere cannot be made"),
    ("PROMETHEUS_MULTIPROC_DIR", "/proc/nowhere", "the folder /proc/nowhere cannot be made"),
]


def settings_read(folder: Path, **values: str) -> subprocess.Popen[str]:
    environment = {**os.environ, "SMARTMATE_VAR": str(folder), "SECRET_KEY": "", **values}
    pipe = subprocess.PIPE
    return subprocess.Popen(
        [sys.executable, "-c", READ], cwd=ROOT, env=environment, stdout=pipe, stderr=pipe, text=True
    )


@pytest.mark.parametrize(("name", "value", "said"), WRONG, ids=[f"{name}={value}" for name, value, _ in WRONG])
def test_what_is_wrong_is_named(tmp_path: Path, name: str, value: str, said: str) -> None:
    reading = settings_read(tmp_path, **{name: value})
    told = reading.communicate()[1]
    assert reading.returncode == 1
    assert told.startswith(f"wrong setting: {name}: ")
    assert said in told
    assert told.count("\n") == 1
    assert "hidden" not in told


@pytest.mark.parametrize(
    "command", [["manage.py", "migrate"], ["manage.py", "runworker"], ["-m", "uvicorn", "smartmate.asgi:application"]]
)
def test_nothing_begins_with_wrong_settings_and_all_are_named(tmp_path: Path, command: list[str]) -> None:
    values = {"SMARTMATE_VAR": str(tmp_path), "TRUSTED_PROXIES": "nginx", "TOKEN_DAYS": "none"}
    done = subprocess.run(
        [sys.executable, *command], cwd=ROOT, env={**os.environ, **values}, capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 1
    assert sorted(done.stderr.splitlines()) == [
        "wrong setting: TOKEN_DAYS: 'none' is no whole number",
        "wrong setting: TRUSTED_PROXIES: 'nginx' is neither an address nor a network",
    ]
    assert not (tmp_path / "smartmate.sqlite3").exists()


@pytest.mark.parametrize("host", ["localhost", "mail.example.edu.", "mail_1", "192.0.2.7", "::1", "2001:db8::25"])
def test_a_mail_server_is_named_or_has_an_address_of_either_kind(host: str) -> None:
    env = Environment({"EMAIL_HOST": host})
    assert env.server("EMAIL_HOST", "localhost") == host
    assert env.wrong == []


def test_spaces_and_empty_values_mean_nothing() -> None:
    env = Environment({"HOSTS": " a.test , .b.test,[::1] ,", "DAYS": " ", "ON": "", "URL": " redis://h/0 "})
    assert env.hosts("HOSTS", ()) == ["a.test", ".b.test", "[::1]"]
    assert (env.whole("DAYS", 7), env.switch("ON", True), env.seconds("NONE", 2.5)) == (7, True, 2.5)
    assert env.address("URL", ("redis",)) == "redis://h/0"
    assert env.wrong == []


@pytest.mark.parametrize(
    ("query", "options"),
    [
        ("", {}),
        ("?charset=utf8", {"charset": "utf8"}),
        ("?unix_socket=/run/mysqld/mysqld.sock", {"unix_socket": "/run/mysqld/mysqld.sock"}),
        (f"?ssl_ca={__file__}", {"ssl": {"ca": __file__}, "ssl_mode": "VERIFY_IDENTITY"}),
        (f"?ssl_ca={__file__}&ssl_mode=VERIFY_CA", {"ssl": {"ca": __file__}, "ssl_mode": "VERIFY_CA"}),
        ("?ssl_mode=VERIFY_IDENTITY", {"ssl_mode": "VERIFY_IDENTITY"}),
    ],
)
def test_the_way_to_a_database_is_told_in_its_url(query: str, options: dict[str, Any]) -> None:
    env = Environment({"URL": f"mysql://u:p@h:3306/plan{query}"})
    assert env.database("URL", "sqlite:///file")["OPTIONS"] == options
    assert env.wrong == []


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("SECRET_KEY", '"any text"'),
        ("EMAIL_HOST_PASSWORD", "'any text'"),
        ("REDIS_URL", "redis://:p%40ss@127.0.0.1:6379/0?health_check_interval=10"),
        ("REDIS_URL", "unix:///run/redis.sock?db=2"),
        ("CSRF_TRUSTED_ORIGINS", "https://*.example.edu, http://[::1]:8000"),
        ("OPENAI_BASE_URL", "http://127.0.0.1:11434/v1/"),
        ("DEFAULT_FROM_EMAIL", '"Plan, 课表" <plan@localhost>'),
        ("TOKEN_DAYS", "36500"),
    ],
)
def test_what_may_be_is_not_refused(tmp_path: Path, name: str, value: str) -> None:
    reading = settings_read(tmp_path, **{name: value})
    assert (reading.communicate()[1], reading.returncode) == ("", 0)


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("SMARTMATE_REDIS_URLL", "REDIS_URL"),
        ("DJANGO_SECRET_KEY", "SECRET_KEY"),
        ("DATABASE_URI", "DATABASE_URL"),
        ("TRUSTED_PROXY", "TRUSTED_PROXIES"),
        ("WEB_SEARCH_KEY", "WEB_SEARCH_API_KEY"),
    ],
)
def test_a_name_that_is_mistyped_is_told(tmp_path: Path, name: str, meant: str) -> None:
    told = check(tmp_path, **{name: "hidden", meant: ""})
    assert f"{name} is no setting and is ignored; is {meant} meant?" in told
    assert "hidden" not in told


def test_names_of_other_programs_are_not_told(tmp_path: Path) -> None:
    others = dict.fromkeys(("REDIS_PORT", "DATABASE_PASSWORD", "HTTP_PROXY", "EMAIL", "LOGNAME", "SECRET_KEYS"), "1")
    assert "is no setting" not in check(tmp_path, **others, SECRET_KEY="x" * 50)


def test_mails_for_a_folder_that_is_not_named_are_told(tmp_path: Path) -> None:
    told = check(tmp_path, EMAIL_BACKEND="django.core.mail.backends.filebased.EmailBackend", EMAIL_FILE_PATH="")
    assert "EMAIL_BACKEND writes into EMAIL_FILE_PATH, which is not set" in told
    assert "Traceback" not in told


SHOWN = """
import django
django.setup()
from django.views.debug import get_default_exception_reporter_filter
print(get_default_exception_reporter_filter().get_safe_settings())
"""


def test_a_debug_page_shows_no_password_of_an_address(tmp_path: Path) -> None:
    secrets = {
        "DATABASE_URL": "mysql://u:hidden-1@127.0.0.1/plan",
        "REDIS_URL": "redis://:hidden-2@127.0.0.1/0",
        "OPENAI_BASE_URL": "https://u:hidden-3@models.example/v1",
        "OPENAI_API_KEY": "hidden-4",
        "METRICS_TOKEN": "hidden-5",
        "EMAIL_HOST_PASSWORD": "hidden-6",
        "SECRET_KEY": "hidden-7",
        "SECRET_KEY_FALLBACKS": "hidden-8",
    }
    environment = {
        **os.environ,
        "SMARTMATE_VAR": str(tmp_path),
        "DJANGO_SETTINGS_MODULE": "smartmate.settings",
        **secrets,
    }
    done = subprocess.run(
        [sys.executable, "-c", SHOWN], cwd=ROOT, env=environment, capture_output=True, text=True, timeout=60
    )
    assert "'REDIS_URL': '****" in done.stdout, done.stderr
    assert "hidden-" not in done.stdout


def check(folder: Path, **values: str) -> str:
    environment = {**os.environ, "SMARTMATE_VAR": str(folder), "DATABASE_URL": "", "REDIS_URL": "", **values}
    # A variable that is empty counts as set: what is meant here is one that is not there.
    environment = {name: value for name, value in environment.items() if value}
    command = [sys.executable, "manage.py", "check"]
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=60).stderr


def test_processes_that_begin_at_once_have_one_key(tmp_path: Path) -> None:
    readings = [settings_read(tmp_path) for _ in range(4)]
    keys = {reading.communicate()[0].split()[0] for reading in readings}
    assert keys == {(tmp_path / "secret_key").read_text()}
    assert stat.S_IMODE((tmp_path / "secret_key").stat().st_mode) == 0o600
    assert [path.name for path in tmp_path.iterdir()] == ["secret_key"]
