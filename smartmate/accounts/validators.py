"""Rules of passwords in both languages."""

from __future__ import annotations

from django.contrib.auth.password_validation import MinimumLengthValidator
from django.utils.translation import gettext as _


class LengthValidator(MinimumLengthValidator):
    """Tells the sentence of Django's own in both languages: Django's has no Chinese."""

    def get_error_message(self) -> str:
        return _("密码太短，至少要 %(min_length)d 个字符。") % {"min_length": self.min_length}
