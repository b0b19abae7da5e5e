// The draft as the page holds it: the server's preview plus the student's own unsaved moves. Pure, no DOM.

const sameCell = (a, b) => sameSections(a, b) && (a.event_id || 0) === (b.event_id || 0);

/** The seed's function: the items both buttons send. */
export function buildItemsFromEntries(entries) {
  return entries
    .filter((entry) => entry.status === "suggested" && entry.task_item_id)
    .map((entry) => ({
      task_item_id: entry.task_item_id,
      week: entry.week,
      day_of_week: entry.day_of_week,
      start_section: entry.section_from,
      end_section: entry.section_to,
      embed_course_event_id: entry.event_id || undefined,
      from_timetable: entry.from_timetable || undefined,
    }));
}

export class Draft {
  constructor() {
    this.preview = null;
    this.moves = new Map();
  }

  get exists() {
    return this.preview !== null;
  }

  /** Whether the draft is anything else than the timetable, removals included. */
  get differs() {
    return this.dirty || (this.preview?.difference.changed ?? 0) > 0;
  }

  /** Whether the timetable has the item elsewhere. */
  wasMoved(itemId) {
    return Boolean(this.preview?.difference.moved.some((row) => row.task_item_id === itemId));
  }

  /** Whether the draft has another place for the item than the timetable, or none. */
  changes(itemId) {
    return this.moves.has(itemId) || this.wasMoved(itemId) || this.preview.difference.removed.some((row) => row.task_item_id === itemId);
  }

  /** What the draft takes off the timetable in a week, where it stands there; one that is placed again is not among it. */
  removed(week) {
    return (this.preview?.difference.removed || []).filter((row) => row.before.week === week && !this.moves.has(row.task_item_id))
      .map((row) => ({ ...row.before, name: row.name, type: "task", status: "removed", removed_item_id: row.task_item_id, task_item_id: 0, task_class_id: row.task_class_id, event_id: 0 }));
  }

  /** The draft as it is saved, without own moves. */
  get saved() {
    return Object.assign(new Draft(), { preview: this.preview });
  }

  get dirty() {
    return this.moves.size > 0;
  }

  /** Take a newer preview; own moves that it already contains, or whose item is gone, are forgotten. */
  load(preview) {
    this.preview = preview;
    const known = new Map(this.serverItems().map((entry) => [entry.task_item_id || entry.item_id, entry]));
    for (const [itemId, move] of [...this.moves]) {
      const base = known.get(itemId);
      if (!base || (base.week && sameCell(base, move))) this.moves.delete(itemId);
      else if (base.status === "suggested") delete move.from_timetable;
    }
  }

  clear() {
    this.preview = null;
    this.moves.clear();
  }

  discard() {
    this.moves.clear();
  }

  /** Moves the server has taken over; one that was moved again meanwhile stays the student's own. */
  forget(moves) {
    for (const move of moves) if (this.moves.get(move.task_item_id) === move) this.moves.delete(move.task_item_id);
  }

  /** Own moves that were kept elsewhere, for the revision they were made on. */
  restore(moves) {
    for (const move of moves) this.moves.set(move.task_item_id, move);
    this.load(this.preview);
  }

  serverItems() {
    if (!this.preview) return [];
    const placed = this.preview.hybrid_entries.filter((entry) => entry.task_item_id || entry.item_id);
    return [...placed, ...this.preview.unplaced_items.map((item) => ({ ...item, week: 0 }))];
  }

  /** Entries to draw: the preview's, with own moves applied; a course that takes guests blocks exactly while it has one. */
  entries() {
    if (!this.preview) return [];
    const kept = this.preview.hybrid_entries.filter((entry) => !this.moves.has(this.movable(entry)));
    const all = [...kept, ...this.moves.values()];
    const hosts = new Set(all.filter((entry) => entry.type === "task").map((entry) => entry.event_id));
    return all.map((entry) => (
      entry.type === "course" && entry.can_be_embedded ? { ...entry, block_for_suggested: hosts.has(entry.event_id) } : entry));
  }

  movable(entry) {
    return entry.type === "task" ? entry.task_item_id || entry.item_id : -1;
  }

  unplaced() {
    return this.preview ? this.preview.unplaced_items.filter((item) => !this.moves.has(item.task_item_id)) : [];
  }

  /** Of `classes` those with items that wait and that the draft has no place for, with their number: `waiting`. */
  waitingBeside(classes) {
    const { task_class_ids: own = [], difference } = this.preview || {};
    const placed = (id) => difference?.new.filter((row) => row.task_class_id === id).length ?? 0;
    return classes.filter((one) => !own.includes(one.id)).map((one) => ({ ...one, waiting: one.waiting_count - placed(one.id) }))
      .filter((one) => one.waiting > 0);
  }

  /** What is needed to pick an item up: {task_item_id, task_class_id, name, length, from}. */
  handle(itemId) {
    const entry = this.entries().find((one) => one.status === "suggested" && one.task_item_id === itemId);
    if (entry) return { ...entry, length: entry.section_to - entry.section_from + 1, from: entry };
    const item = this.preview?.unplaced_items.find((one) => one.task_item_id === itemId);
    return item ? { ...item, length: item.sections, from: null } : null;
  }

  inWindow(place) {
    const { from, to } = this.preview.window;
    const rank = (point) => point.week * 7 + point.day_of_week;
    return rank(place) >= rank(from) && rank(place) <= rank(to);
  }

  /** Put an item down as its verdict says, and its partner of a swap where it was. */
  move(handle, place, { host, swap }) {
    const partner = swap ? this.handle(swap) : null;
    this.put(handle, place, partner ? partner.event_id : host);
    if (partner) this.put(partner, sectionsOf(handle.from), handle.from.event_id);
  }

  put(item, place, host) {
    const entry = {
      ...place, name: item.name, type: "task", status: "suggested", task_item_id: item.task_item_id,
      task_class_id: item.task_class_id, task_order: item.task_order, task_total: item.task_total, event_id: host, can_be_embedded: false, block_for_suggested: true,
      context_tag: item.context_tag || "", moved: true, from_timetable: item.from_timetable,
    };
    const base = this.preview.hybrid_entries.find((one) => this.movable(one) === item.task_item_id);
    if (base && sameCell(base, entry)) this.moves.delete(item.task_item_id);
    else this.moves.set(item.task_item_id, entry);
  }

  /** Only what the student moved is sent; unnamed items stay as they are. */
  changed() {
    return [...this.moves.values()];
  }
}

function sectionsOf({ week, day_of_week, section_from, section_to }) {
  return { week, day_of_week, section_from, section_to };
}

function sameSections(a, b) {
  return a.week === b.week && a.day_of_week === b.day_of_week && a.section_from === b.section_from && a.section_to === b.section_to;
}
