"""Accounts: sign-up, passwords, sessions, roles, settings, deletion. Pages and rules of passwords by django-allauth."""
