"""The record: what each write changed, so that it can be undone."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from schedules.models.semesters import Semester


class AppliedBatch(models.Model):
    """Holds one change of the timetable with full images from before and after: enough to restore the rows."""

    class Source(models.TextChoices):
        APPLY_BATCH = "apply-batch", _("写库")
        SCHEDULE_APPLY = "schedule-apply", _("应用排程")
        ITEM_UNDO = "item-undo", _("撤销任务项")
        EVENT_DELETE = "event-delete", _("删除日程")
        CLASS_RELEASE = "class-release", _("释放任务类")
        CLASS_DELETE = "class-delete", _("删除任务类")
        IMPORT = "import", _("导入课程")
        IMPORT_DELETE = "import-delete", _("删除导入")
        ITEM_PIN = "item-pin", _("钉住任务项")
        ITEM_UNPIN = "item-unpin", _("取消钉住")
        COURSE_CREATE = "course-create", _("新建课程")
        COURSE_REPLACE = "course-replace", _("修改课程")
        COURSE_DELETE = "course-delete", _("删除课程")
        COURSE_MERGE = "course-merge", _("合并课程")
        EXAM_CREATE = "exam-create", _("新建考试")
        EXAM_REPLACE = "exam-replace", _("修改考试")
        EXAM_DELETE = "exam-delete", _("删除考试")
        PROGRESS = "progress", _("标记进度")
        LESSON_CHANGE = "lesson-change", _("调课")
        CALENDAR_CHANGE = "calendar-change", _("修改校历")

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="applied_batches", verbose_name=_("用户")
    )
    semester = models.ForeignKey(Semester, models.CASCADE, verbose_name=_("学期"))
    source = models.CharField(_("来源"), max_length=16, choices=Source.choices)
    # The id of a conversation, not a foreign key: this app does not know conversations.
    conversation = models.UUIDField(_("对话"), null=True, blank=True)
    # Items that it placed, moved or took off.
    changes = models.JSONField(_("变更"), default=list)
    # Other rows that it made, changed or deleted: by kind, pairs of images from before and after; null is absent.
    row_changes = models.JSONField(_("其他变更"), default=dict, blank=True)
    created_at = models.DateTimeField(_("创建时间"), auto_now_add=True)
    undone_at = models.DateTimeField(_("撤销时间"), null=True, blank=True)

    class Meta:
        verbose_name = _("写库批次")
        verbose_name_plural = _("写库批次")
        ordering = ("-created_at", "-id")
        indexes = (models.Index(fields=("user", "-created_at"), name="batch_user_created"),)

    def __str__(self) -> str:
        return f"{self.source} #{self.pk}"
