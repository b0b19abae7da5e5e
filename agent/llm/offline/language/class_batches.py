"""A write of several classes is read as the write of each: what a goal did to a class is asked of its own row alone."""

from __future__ import annotations

from agent.loop.view_document import AnswerView, CallView, DialogueTurnView, PastValueView, ResultView, View

WRITE, WRITE_ALL = "upsert_task_class", "batch_update_task_classes"


def divide_class_batches(view: View) -> View:
    """The view with a result, a refusal and a value of its own for each class of a write of several.

    The card of several stands for its first class. Words over it take it up again with all of them: then it was
    refused as a whole, and none of them alone.
    """
    results, answer, rejected = view["last_results"], view["interaction"], view["rejected"]
    rows = [each for row in results for each in _divide_result(row)]
    typed = view["turns"][-1]["via"] == "reject" if view["turns"] else False
    open_yet = rejected[-1:] if typed else []
    refused = [each for row in rejected[: len(rejected) - len(open_yet)] for each in divide_call(row)] + open_yet
    if answer is not None:  # the refused are counted with the calls before an answer, and have no results
        last = (answer["subject"], answer["action"]) == ("tool", "reject")
        heard = results[: max(0, answer["results_at"] - len(view["rejected"]) + last)]
        more = sum(len(_divide_result(row)) - 1 for row in heard) + len(refused) - len(view["rejected"])
        answer = {**answer, "call": _first(answer), "results_at": answer["results_at"] + more}
    said: list[DialogueTurnView] = [
        {**turn, "wrote": [WRITE if name == WRITE_ALL else name for name in turn["wrote"]]} for turn in view["dialogue"]
    ]
    values: list[PastValueView] = [
        {**value, "tool": WRITE if value["tool"] == WRITE_ALL else value["tool"]} for value in view["past_values"]
    ]
    return {
        **view, "last_results": rows, "interaction": answer, "dialogue": said, "past_values": values,
        "rejected": refused,
    }  # fmt: skip


def _first(answer: AnswerView) -> CallView | None:
    return divide_call(answer["call"])[0] if answer["call"] else None


def divide_call(call: CallView) -> list[CallView]:
    """The write of each class for a write of several; any other call as it is."""
    if call["name"] != WRITE_ALL:
        return [call]
    return [{"name": WRITE, "arguments": row} for row in call["arguments"]["classes"]]


def _divide_result(row: ResultView) -> list[ResultView]:
    """A row for each class that was written or tried, those last of which something is to be corrected."""
    if row["tool"] != WRITE_ALL:
        return [row]
    told = {one["id"]: one for one in (row["data"] or {}).get("classes") or ()}
    common = {key: row["data"][key] for key in ("unplaced", "scope", "draft_revision") if key in (row["data"] or {})}
    wanted = [one for one in row["arguments"].get("classes") or () if isinstance(one, dict)]
    rows: list[ResultView] = []
    for given in wanted:
        data = {**told[given["id"]], "task_class_id": given["id"], **common} if given.get("id") in told else {}
        rows.append({**row, "tool": WRITE, "arguments": given, "data": data})
    return sorted(rows, key=lambda one: not (one["data"].get("validation") or {"ok": True})["ok"])
