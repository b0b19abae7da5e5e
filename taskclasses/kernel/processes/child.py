"""The other end of a `Processes`: calls come as pickles on standard input, what they gave goes to standard output.

It imports nothing but what it is asked to call. It ends with its parent, however that ended: then its input ends, and
a thread that does nothing but read sees it even while a call is under way. A signal to end is the parent's business.
"""

from __future__ import annotations

import gc
import os
import pickle
import signal
import sys
import threading
import traceback
from queue import SimpleQueue
from typing import Any

YOUNG = 100_000
"""New objects before a garbage collection looks at them, else 700: planning makes many that last as long as it does,
and walking through them again and again took a seventh of its time."""
NICENESS = 10
"""Who waits for a plan waits longer than who reads a stream."""


def main() -> None:
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    os.nice(NICENESS)
    gc.set_threshold(YOUNG, *gc.get_threshold()[1:])
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whoever prints writes no answer
    calls: SimpleQueue[tuple[Any, tuple[Any, ...], dict[str, Any]]] = SimpleQueue()
    threading.Thread(target=_read, args=(calls,), daemon=True).start()
    while True:
        function, arguments, named = calls.get()
        answers.write(_answer(function, arguments, named))
        answers.flush()


def _read(calls: SimpleQueue[Any]) -> None:
    try:
        while True:
            calls.put(pickle.load(sys.stdin.buffer))  # noqa: S301  # written by the parent
    finally:
        os._exit(0)


def _answer(function: Any, arguments: tuple[Any, ...], named: dict[str, Any]) -> bytes:
    """Returns (True, result) or (False, exception); an exception that cannot travel is told in words."""
    try:
        return pickle.dumps((True, function(*arguments, **named)), pickle.HIGHEST_PROTOCOL)
    except Exception as error:
        error.add_note(traceback.format_exc())
        try:
            written = pickle.dumps((False, error), pickle.HIGHEST_PROTOCOL)
            pickle.loads(written)  # noqa: S301  # written here
        except Exception:
            return pickle.dumps((False, RuntimeError(traceback.format_exc())), pickle.HIGHEST_PROTOCOL)
        return written


if __name__ == "__main__":
    main()
