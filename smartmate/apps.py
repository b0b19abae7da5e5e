from django.apps import AppConfig


class SmartMateConfig(AppConfig):
    name = "smartmate"
    verbose_name = "SmartMate"
