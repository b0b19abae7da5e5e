"""What Django's debug pages show of the settings."""

from __future__ import annotations

import re

from django.views.debug import SafeExceptionReporterFilter


class SettingsFilter(SafeExceptionReporterFilter):
    """Hides addresses too: that of a Redis, wherever it stands, and that of a model may hold a password."""

    hidden_settings = re.compile(
        f"{SafeExceptionReporterFilter.hidden_settings.pattern}|REDIS_URL|BASE_URL|LOCATION|ADDRESS", re.IGNORECASE
    )
