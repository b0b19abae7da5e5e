"""The jobs by which a model is judged, as data: `jobs_zh.txt` and `jobs_en.txt`.

A line is `turns => checks`; turns are parted by `//`, checks by ` ; `. `!ok` agrees to every card of the turn before,
`!no` refuses the first. `# kind` begins the jobs of a kind. {start}, {end} and {late} are dates of the account's term.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
LANGUAGES = ("zh", "en")


@dataclass(frozen=True)
class Job:
    name: str
    kind: str
    language: str
    turns: tuple[str, ...]
    checks: tuple[str, ...]

    def name_dates(self, dates: Mapping[str, str]) -> tuple[str, ...]:
        """Returns the turns with the dates of an account."""
        return tuple(turn.format_map(dates) for turn in self.turns)


def read_jobs(languages: Iterable[str] = LANGUAGES) -> list[Job]:
    """Reads all jobs in the sequence of the files."""
    return [job for language in languages for job in _read(language)]


def _read(language: str) -> list[Job]:
    found: list[Job] = []
    kind, number = "", 0
    for line in (HERE / f"jobs_{language}.txt").read_text(encoding="utf8").splitlines():
        if line.startswith("#"):
            kind, number = line.strip("# ").replace(" ", "_"), 0
        elif line.strip():
            number += 1
            turns, checks = line.split(" => ")
            name = f"{language}:{kind}:{number}"
            found.append(Job(name, kind, language, _parts(turns, "//"), _parts(checks, ";")))
    return found


def _parts(side: str, cut: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in side.split(cut))


def chosen_jobs(wanted: str) -> list[Job]:
    """Returns jobs whose name begins with one of the given words, or whose kind is one; all without any."""
    words = [word.strip() for word in wanted.split(",") if word.strip()]
    jobs = read_jobs()
    return [job for job in jobs if not words or any(job.name.startswith(word) or job.kind == word for word in words)]
