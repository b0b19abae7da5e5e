from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("schedules", "0005_courses_of_events")]
    operations = [
        migrations.RenameField(model_name="appliedbatch", old_name="course_changes", new_name="row_changes"),
        migrations.AlterField(
            model_name="appliedbatch",
            name="row_changes",
            field=models.JSONField(blank=True, default=dict, verbose_name="其他变更"),
        ),
    ]
