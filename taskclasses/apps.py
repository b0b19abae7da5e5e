from django.apps import AppConfig
from django.core.checks import Tags, register
from django.db.models.signals import pre_migrate
from django.utils.translation import gettext_lazy as _

from taskclasses.kernel.database.collation import collation_check, set_collation


class TaskClassesConfig(AppConfig):
    name = "taskclasses"
    verbose_name = _("任务类")

    def ready(self) -> None:
        register(collation_check, Tags.database)
        pre_migrate.connect(set_collation, sender=self, dispatch_uid="collation")
