"""The settings of servers that tests start: the one file, and password hashes that cost nothing."""

from smartmate.settings import *  # noqa: F403

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
