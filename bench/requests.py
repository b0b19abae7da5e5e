"""What a request costs before its view does anything: CPU of the web process for each answer, over HTTP.

    [script/services run] python -m bench.requests [--tree FOLDER...] [--count 400] [--rounds 3]

A probe, a page that is not there, a refused and an allowed read go over one connection that is kept. The checkouts take
turns in each round; the median is printed. Nothing is asserted here.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from statistics import median

import httpx

from bench.readers import ROOT, Site
from bench.stream import cpu_s
from tests.kits.servers.crowd import make_tokens

PATHS = {"probe": "/healthz", "nothing": "/nowhere", "refused": "/api/v1/tasks/none", "read": "/api/v1/task-class"}


def measured(site: Site, token: str, path: str, count: int) -> float:
    """Milliseconds of CPU for each of so many requests."""
    headers = {"Authorization": f"Bearer {token}"} if path == PATHS["read"] else {}
    with httpx.Client(base_url=f"http://127.0.0.1:{site.port}", headers=headers, timeout=60) as http:
        for _ in range(5):
            http.get(path)
        before = cpu_s(site.pid)
        for _ in range(count):
            http.get(path)
        return 1000 * (cpu_s(site.pid) - before) / count


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tree", type=Path, nargs="+", default=[ROOT])
    parser.add_argument("--count", type=int, default=400)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    sites = [Site(tree.resolve(), "http://127.0.0.1:9/v1") for tree in options.tree]
    try:
        tokens = [make_tokens(site, ["reader"])[0] for site in sites]
        found: dict[tuple[int, str], list[float]] = {}
        for _ in range(options.rounds):
            for name, path in PATHS.items():
                for number, site in enumerate(sites):
                    spent = measured(site, tokens[number], path, options.count)
                    found.setdefault((number, name), []).append(spent)
        print(f"{'ms CPU a request':<24}" + "".join(f"{name:>9}" for name in PATHS))
        for number, site in enumerate(sites):
            print(f"{site.tree.name:<24}" + "".join(f"{median(found[number, name]):>9.2f}" for name in PATHS))
    finally:
        for site in sites:
            site.stop()


if __name__ == "__main__":
    main()
