"""The settings of servers that tests start: the one file, and password hashes that cost nothing."""

import os
import time

import time_machine

from smartmate.settings import *  # noqa: F403

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]

# A clock that is so many seconds off, so that nothing depends on the day or the hour of a test's run.
if shift := float(os.environ.get("TEST_CLOCK_SHIFT", 0)):
    time_machine.travel(time.time() + shift, tick=True).start()
