
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('agent', '0002_words_of_the_admin'),
    ]

    operations = [
        migrations.AddField(
            model_name='run',
            name='sweep_failure',
            field=models.CharField(blank=True, db_default='', help_text='清理这次运行时失败的步骤和错误', max_length=80, verbose_name='清理失败'),
        ),
    ]
