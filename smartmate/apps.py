from django.apps import AppConfig, apps
from django.core.checks import register
from django.db.models.signals import post_migrate


class SmartMateConfig(AppConfig):
    name = "smartmate"
    verbose_name = "SmartMate"

    def ready(self) -> None:
        from django.conf import settings

        from smartmate.accounts.roles import grant_roles
        from smartmate.checks import mail_settings_check, setting_names_check

        register(mail_settings_check)
        register(setting_names_check)
        if settings.TRACES:
            from smartmate.monitoring.traces import start_traces

            start_traces()

        # Django makes the permissions of each app after a migration; those of this one last.
        post_migrate.connect(grant_roles, sender=apps.get_app_config("agent"), dispatch_uid="smartmate.grant_roles")
