"""The script and the styles of the week as one file each."""

from __future__ import annotations

import gzip
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
from django.contrib.staticfiles import finders
from django.test import Client
from playwright._impl._driver import compute_driver_executable

from smartmate.pages.assets.bundles import SCRIPTS, STYLES, bundle_named
from smartmate.pages.assets.modules import NotBundled, bundle_modules


def write(folder: Path, **modules: str) -> Path:
    for name, text in modules.items():
        (folder / f"{name}.js").write_text(text, encoding="utf-8")
    return folder / "main.js"


def run(script: str) -> str:
    node = str(compute_driver_executable()[0])  # the one that Playwright brings along
    done = subprocess.run([node, "--input-type=module", "-e", script], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def test_modules_keep_their_own_names(tmp_path: Path) -> None:
    entry = write(
        tmp_path,
        main="\n".join(
            [
                'import { twice as double } from "./a.js";',
                'import { once } from "./b.js";',
                "const own = 3;",
                "console.log(double(own), once());",
                "",
            ]
        ),
        a='import { own } from "./c.js";\n// a remark\nexport function twice(value) {\n  return value * 2 + own;\n}\n',
        b="const own = 7;\nexport const once = () => own;\n",
        c="export const own = 100;\n",
    )
    bundled = bundle_modules(entry)
    assert "a remark" not in bundled
    assert run(bundled) == "106 7"


def test_modules_in_a_circle_are_refused(tmp_path: Path) -> None:
    entry = write(
        tmp_path,
        main='import { a } from "./a.js";\n',
        a='import { b } from "./main.js";\nexport const a = 1;\n',
    )
    with pytest.raises(NotBundled, match=r"main\.js needs itself"):
        bundle_modules(entry)


@pytest.mark.parametrize("line", ["export default 1;", 'import * as all from "./a.js";', "export let a = 1;"])
def test_what_the_bundle_does_not_know_is_refused(tmp_path: Path, line: str) -> None:
    entry = write(tmp_path, main=line + "\n", a="export const a = 1;\n")
    with pytest.raises(NotBundled, match=re.escape(line)):
        bundle_modules(entry)


@pytest.mark.parametrize("name", [*STYLES, *SCRIPTS])
def test_a_bundle_is_kept_for_good_under_its_own_address(client: Client, name: str) -> None:
    bundle = bundle_named(name)
    assert bundle is not None
    response = client.get(f"/assets/{bundle.tag}/{name}", headers={"Accept-Encoding": "gzip"})
    assert gzip.decompress(response.content) == bundle.plain
    assert "immutable" in response["Cache-Control"]
    assert "Accept-Encoding" in response["Vary"]
    assert client.get(f"/assets/{bundle.tag}/{name}").content == bundle.plain


def test_nobody_keeps_a_bundle_under_the_address_of_another(client: Client) -> None:
    assert client.get("/assets/0123456789ab/week.js")["Cache-Control"] == "no-store"
    assert client.get("/assets/0123456789ab/nothing.js").status_code == 404


def test_the_styles_of_the_week_are_whole(client: Client) -> None:
    bundle = bundle_named("week.css")
    assert bundle is not None
    for path in STYLES["week.css"]:
        assert Path(str(finders.find(path))).read_bytes() in bundle.plain


def test_answers_travel_compressed_and_streams_do_not(client: Client, user: Any, semester: Any) -> None:
    client.force_login(user)
    headers = {"Accept-Encoding": "gzip"}
    page = client.get("/week", headers=headers)
    assert page["Content-Encoding"] == "gzip"
    assert "/assets/" in gzip.decompress(page.content).decode()
    assert client.get("/api/v1/schedule/semester", headers=headers)["Content-Encoding"] == "gzip"
    assert "Content-Encoding" not in client.get("/week")
    for taken in ("gzip;q=0.5", "br, gzip; q=0.01", "identity;q=0, gzip"):
        assert "Content-Encoding" in client.get("/api/v1/schedule/semester", headers={"Accept-Encoding": taken}), taken
    for refused in ("gzip;q=0", "identity, GZIP ; q=0.000", "gzip;q=0, br", "br"):
        plain = client.get("/api/v1/schedule/semester", headers={"Accept-Encoding": refused})
        assert "Content-Encoding" not in plain, refused
        assert "Accept-Encoding" in plain["Vary"]
