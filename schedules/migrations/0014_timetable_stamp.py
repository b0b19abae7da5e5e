from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("schedules", "0013_kept_free"),
    ]

    operations = [
        migrations.AddField(
            model_name="timetableversion",
            name="stamp",
            field=models.PositiveBigIntegerField(default=0, verbose_name="标记"),
        ),
    ]
