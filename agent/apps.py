"""The app that talks: conversations, their runs, events and transports."""

from django.apps import AppConfig
from django.core.checks import register
from django.utils.translation import gettext_lazy as _


class AgentConfig(AppConfig):
    name = "agent"
    verbose_name = _("对话")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from agent.checks import agent_settings_check

        register(agent_settings_check)
