"""Rules of names and passwords in both languages."""

from __future__ import annotations

from django.contrib.auth.password_validation import MinimumLengthValidator
from django.contrib.auth.validators import UnicodeUsernameValidator
from django.core.validators import MaxLengthValidator
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy

NAME_MAX = 150
USERNAME_VALIDATORS = [
    # Django's own sentence allows no 汉字 in Chinese, where its rule does.
    UnicodeUsernameValidator(message=_lazy("用户名可以用汉字、字母、数字和 @ . + - _，不能有空格。")),
    MaxLengthValidator(NAME_MAX),
]
"""What a new account may be called."""


class LengthValidator(MinimumLengthValidator):
    """Tells the sentence of Django's own in both languages: Django's has no Chinese."""

    def get_error_message(self) -> str:
        return _("密码太短，至少要 %(min_length)d 个字符。") % {"min_length": self.min_length}
