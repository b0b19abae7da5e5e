"""Gives each student's classes, in the order in which they were made, a colour and a seal; backwards they go."""

from collections import defaultdict

from django.db import migrations

from taskclasses.seals import choose_color, choose_seal

CHUNK = 1000


def badge_classes(apps, schema_editor):
    rows = apps.get_model("taskclasses", "TaskClass").objects
    colors, seals = defaultdict(list), defaultdict(set)
    chunk = []
    for row in rows.only("pk", "user_id", "name").order_by("user_id", "pk").iterator(CHUNK):
        row.color_index = choose_color(colors[row.user_id])
        row.seal = choose_seal(row.name, seals[row.user_id])
        colors[row.user_id].append(row.color_index)
        seals[row.user_id].add(row.seal)
        chunk.append(row)
        if len(chunk) == CHUNK:
            rows.bulk_update(chunk, ["color_index", "seal"])
            chunk = []
    rows.bulk_update(chunk, ["color_index", "seal"])


class Migration(migrations.Migration):
    dependencies = [("taskclasses", "0005_badges_of_classes")]
    operations = [migrations.RunPython(badge_classes, migrations.RunPython.noop)]
