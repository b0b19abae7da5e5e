"""Events on a terminal: speech as it comes, one line for everything else. Shared by the commands."""

from __future__ import annotations

from rich.console import Console

from agent.calls.kinds import Json

_STATUS = {"done": "green", "failed": "red", "blocked": "yellow"}


def show_event(console: Console, event: Json) -> None:
    """Prints one stored event."""
    match event["type"]:
        case "text.delta":
            console.print(event["content"], end="", markup=False)
        case "text.ended":
            console.print("\n(withdrawn)" if event["superseded"] else "", style="dim")
        case "reasoning.delta":
            console.print(event["content"], end="", style="dim italic", markup=False)
        case "reasoning.ended":
            console.print()
        case "status.changed":
            console.print(f"· {event['summary']}", style="cyan", markup=False)
        case "tool.started":
            console.print(f"→ {event['summary']}  {event['arguments_preview']}", style="blue", markup=False)
        case "tool.finished":
            console.print(f"← {event['summary']}", style=_STATUS[event["status"]], markup=False)
        case "confirm.requested":
            _card(console, event)
        case "interrupt.raised":
            _question(console, event)
        case "system.message":
            console.print(f"! {event['content']}", style="yellow", markup=False)
        case "run.failed":
            console.print(f"{event['code']} {event['message']}", style="bold red", markup=False)
        case "run.finished":
            console.print(f"({event['run_status']}, {event['outcome']} {event['outcome_code']})".rstrip(), style="dim")


def _card(console: Console, event: Json) -> None:
    console.print(event["title"], style="bold yellow", markup=False)
    console.print(event["summary"], markup=False)
    for number, step in enumerate(event["plan_steps"], 1):
        console.print(f"  {number}. {step['content']}  ({step['done_when']})", markup=False)
    for row in event["fields"]:
        console.print(f"  {row['label']}: {row['value']}", markup=False)


def _question(console: Console, event: Json) -> None:
    if not event["streamed"]:
        console.print(event["question"], style="bold yellow", markup=False)
    for option in event["options"]:
        console.print(f"  {option['id']}: {option['label']}", markup=False)
