"""Access tokens are kept as hashes. Tokens in clear, of the table that held them before, go on working and are erased."""

import hashlib
from datetime import timedelta

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models
from django.utils import timezone
from django.utils.crypto import salted_hmac

OLD = "authtoken_token"
SALT = "django.contrib.auth.models.AbstractBaseUser.get_session_auth_hash"


def hash_old_tokens(apps, schema_editor):
    connection = schema_editor.connection
    if OLD not in connection.introspection.table_names():
        return
    token_model = apps.get_model("smartmate", "AccessToken")
    user_model = apps.get_model(settings.AUTH_USER_MODEL)
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT user_id, {connection.ops.quote_name('key')} FROM {OLD}")
        keys = dict(cursor.fetchall())
        for user in user_model.objects.filter(pk__in=keys):
            key = keys[user.pk]
            token_model(
                digest=hashlib.sha512(key.encode()).hexdigest(),
                user=user,
                expiry=timezone.now() + timedelta(days=settings.TOKEN_DAYS),
                password_mark=salted_hmac(SALT, user.password, algorithm="sha256").hexdigest(),
            ).save()
        cursor.execute(f"DELETE FROM {OLD}")


class Migration(migrations.Migration):
    dependencies = [
        ("smartmate", "0002_words_of_the_admin"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]
    operations = [
        migrations.CreateModel(
            name="AccessToken",
            fields=[
                ("digest", models.CharField(max_length=128, primary_key=True, serialize=False, verbose_name="摘要")),
                ("name", models.CharField(blank=True, default="", max_length=60, verbose_name="名称")),
                ("password_mark", models.CharField(max_length=128, verbose_name="密码标记")),
                ("created", models.DateTimeField(auto_now_add=True, verbose_name="创建时间")),
                ("last_used_at", models.DateTimeField(blank=True, null=True, verbose_name="最近使用")),
                ("expiry", models.DateTimeField(verbose_name="到期时间")),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="auth_token_set",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="用户",
                    ),
                ),
            ],
            options={"verbose_name": "访问令牌", "verbose_name_plural": "访问令牌", "ordering": ("-created",)},
        ),
        migrations.RunPython(hash_old_tokens, migrations.RunPython.noop),
    ]
