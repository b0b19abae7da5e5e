// What a week shows: the timetable, and over it what the draft would make of it. Pure, no DOM.

/** No draft moves an exam, whose hours the timetable knows, or changes what was. */
const OUTSIDE_DRAFTS = new Set(["exam", "fallen", "part"]);

/** The entries of a week; `shown` is what the server has said of it, if anything yet. */
export function entriesOfWeek(week, shown, draft) {
  const fallen = (shown?.fallen_out || []).map((event) => ({ ...entriesOfEvent(event, week)[0], type: "fallen" }));
  const parts = (shown?.parts || []).map((part) => ({ ...part, week, type: "part" }));
  const timetable = [...fallen, ...parts, ...(shown?.events || []).flatMap((event) => entriesOfEvent(event, week))];
  if (!draft.exists) return timetable;
  const planned = draft.entries().filter((entry) => entry.week === week && entry.type !== "exam").map(completed(timetable, draft));
  const stays = (entry) => OUTSIDE_DRAFTS.has(entry.type) || !draft.inWindow(entry) && !(entry.type === "task" && draft.changes(entry.task_item_id));
  return [...timetable.filter(stays), ...draft.removed(week), ...planned];
}

/** Entries of the preview with what only the timetable knows: where a lesson is held, what was changed about it, and whether an item was missed. */
function completed(timetable, draft) {
  const known = (type, key, value) => new Map(timetable.filter((entry) => entry.type === type).map((entry) => [entry[key], entry[value]]));
  const places = known("course", "event_id", "location");
  const changes = known("course", "event_id", "change");
  const progress = known("task", "task_item_id", "progress");
  return (entry) => {
    if (entry.type === "course") return { ...entry, location: places.get(entry.event_id) || "", change: changes.get(entry.event_id) };
    const task = named(entry, draft);
    return task.status === "suggested" ? task : { ...task, progress: progress.get(task.task_item_id) || task.progress };
  };
}

/** Sections of tasks on a day, of the entries of its week. */
export function sectionsOn(day, entries) {
  return entries.filter((one) => one.type === "task" && one.status !== "removed" && one.day_of_week === day)
    .reduce((sum, { section_from: from, section_to: to }) => sum + to - from + 1, 0);
}

/** The overview of every week as the draft would make it. */
export function loadsOfTerm(terms, draft) {
  const loads = new Map([...terms].map(([week, one]) => [week, { ...one }]));
  const add = (place, sign) => {
    const one = place && loads.get(place.week);
    if (one) one.task_sections += sign * (place.section_to - place.section_from + 1);
  };
  const { new: added = [], moved = [], removed = [] } = draft.preview?.difference || {};
  for (const row of [...added, ...moved]) add(row.after, 1);
  for (const row of [...moved, ...removed]) add(row.before, -1);
  return loads;
}

/** An entry of the preview with the ids of its item and class, which those on the timetable have under other names. */
function named(entry, draft) {
  const itemId = entry.task_item_id || entry.item_id || 0;
  const change = entry.moved || draft.wasMoved(itemId) ? "moved" : "new";
  return { ...entry, task_item_id: itemId, task_class_id: entry.task_class_id || entry.class_id || 0, change };
}

/** A timetable event (WeeklyEventBrief) in the form of a preview entry; a guest follows its host. */
function entriesOfEvent(event, week) {
  const { id, embedded_task_info: guest, ...rest } = event;
  const entry = {
    ...rest, week, status: "existing", task_item_id: event.task_item_id, event_id: id,
    task_class_id: event.task_class_id || 0, interrupted: event.status === "interrupted", can_be_embedded: false, block_for_suggested: true,
  };
  if (!guest?.id) return [entry];
  return [entry, { ...entry, ...guest, type: "task", task_item_id: guest.id, event_id: id, interrupted: false, location: "" }];
}
