"""The agent's rows for support: read, searched, linked to each other; nothing is changed here."""

from agent.admin import conversations

__all__ = ["conversations"]
