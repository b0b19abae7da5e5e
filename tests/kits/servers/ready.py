"""The stock of one server: forked from one that has imported enough, it reads the settings before others are forked."""

from __future__ import annotations

import gc
import os
import socket
import sys
from importlib import import_module

import django
from django.conf import settings

from tests.kits.servers.warm import become_and_end, keep_stock

LINE = 0
"""The line to the tests comes as the standard input."""


def main() -> None:
    line = socket.socket(fileno=os.dup(LINE))
    with open(os.devnull, "rb") as nowhere:
        os.dup2(nowhere.fileno(), LINE)
    sys.argv = ["manage.py", ""]  # the settings ask whether a server reads them or a command
    django.setup()
    import_module(settings.ROOT_URLCONF)
    gc.collect()
    gc.freeze()
    become_and_end(keep_stock(line), as_loaded=True)


if __name__ == "__main__":
    main()
