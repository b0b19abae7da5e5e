"""What an evaluation says: figures, JSON, and a page with the failures' timelines."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from html import escape

from agent.calls.kinds import Json
from agent.evaluation.play import Played

FIGURES = (
    "jobs", "passed", "success", "unconfirmed_writes", "corrections", "runs", "model_calls", "prompt_tokens",
    "cached_share", "completion_tokens", "seconds", "choices", "mean_regret",
)  # fmt: skip


def figures_of(results: Sequence[Played]) -> Json:
    """Returns the figures of a set of jobs."""
    prompt, cached = sum(one.prompt_tokens for one in results), sum(one.cached_tokens for one in results)
    regrets = [row["regret"] for one in results for row in one.choices if row["regret"] is not None]
    passed = sum(one.passed for one in results)
    values = (
        len(results),
        passed,
        round(passed / len(results), 4) if results else 0.0,
        sum(len(one.unconfirmed) for one in results),
        sum(one.corrections for one in results),
        sum(one.runs for one in results),
        sum(one.model_calls for one in results),
        prompt,
        round(cached / prompt, 4) if prompt else 0.0,
        sum(one.completion_tokens for one in results),
        round(sum(one.seconds for one in results), 2),
        sum(len(one.choices) for one in results),
        round(sum(regrets) / len(regrets), 2) if regrets else 0.0,
    )
    return dict(zip(FIGURES, values, strict=True))


def report_of(model: str, results: Sequence[Played]) -> Json:
    """Returns the whole report: figures of all and of each kind, and a row for each job."""
    kinds = list(dict.fromkeys(one.job.kind for one in results))
    return {
        "version": 1,
        "model": model,
        "figures": figures_of(results),
        "kinds": {kind: figures_of([one for one in results if one.job.kind == kind]) for kind in kinds},
        "jobs": [{**asdict(one), "passed": one.passed} for one in results],
    }


def to_json(report: Json) -> str:
    return json.dumps(report, ensure_ascii=False, indent=1) + "\n"


def to_html(report: Json) -> str:
    """Returns a page without scripts: the figures, the kinds, and each failure with its conversation."""
    heads = "".join(f"<th>{escape(name.replace('_', ' '))}</th>" for name in FIGURES)
    rows = [_row("all", report["figures"]), *(_row(kind, figures) for kind, figures in report["kinds"].items())]
    failures = [_failure(job) for job in report["jobs"] if not job["passed"]]
    return (
        '<!doctype html><html lang="en"><meta charset="utf-8"><title>Evaluation</title>'
        "<style>body{font:14px/1.5 system-ui;margin:2rem}table{border-collapse:collapse}"
        "td,th{padding:.2rem .6rem;border-bottom:1px solid #ccc;text-align:right}"
        "td:first-child,th:first-child{text-align:left}pre{white-space:pre-wrap}</style>"
        f"<h1>{escape(report['model'])}</h1><table><tr><th>kind</th>{heads}</tr>{''.join(rows)}</table>"
        f"<h2>Failures: {len(failures)}</h2>{''.join(failures)}</html>\n"
    )


def _row(name: str, figures: Json) -> str:
    cells = "".join(f"<td>{escape(str(figures[figure]))}</td>" for figure in FIGURES)
    return f"<tr><td>{escape(name.replace('_', ' '))}</td>{cells}</tr>"


def _failure(job: Json) -> str:
    why = "; ".join([*job["missed"], *(f"unconfirmed {name}" for name in job["unconfirmed"]), job["error"]])
    said = escape("\n".join(job["timeline"]))
    return f"<details><summary>{escape(job['job']['name'])}: {escape(why)}</summary><pre>{said}</pre></details>"
