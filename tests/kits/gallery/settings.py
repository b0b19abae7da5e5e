"""The settings of a server whose clock stands elsewhere: a picture of a week wants a Wednesday, not a Sunday."""

import os
from datetime import UTC, datetime, timedelta

from django.utils import timezone

from tests.kits.servers.server_settings import *  # noqa: F403

_SHIFT = timedelta(seconds=float(os.environ.get("CLOCK_SHIFT_S", "0")))
timezone.now = lambda: datetime.now(UTC) + _SHIFT
