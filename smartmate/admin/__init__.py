"""Accounts and what belongs to the wire in the admin."""

from smartmate.admin import accounts, wire

__all__ = ["accounts", "wire"]
