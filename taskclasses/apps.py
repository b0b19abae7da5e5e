from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class TaskClassesConfig(AppConfig):
    name = "taskclasses"
    verbose_name = _("任务类")
