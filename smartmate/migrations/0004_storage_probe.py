
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('smartmate', '0003_access_tokens'),
    ]

    operations = [
        migrations.CreateModel(
            name='StorageProbe',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('writes', models.PositiveBigIntegerField()),
            ],
        ),
    ]
