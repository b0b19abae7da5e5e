// The draft as the page holds it: the server's preview plus the student's own unsaved moves. Pure, no DOM.

const sameCell = (a, b) =>
  a.week === b.week && a.day_of_week === b.day_of_week && a.section_from === b.section_from
  && a.section_to === b.section_to && (a.event_id || 0) === (b.event_id || 0);

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
    }));
}

export class Draft {
  constructor() {
    this.preview = null;
    this.moves = new Map();
    this.rules = null;
  }

  get exists() {
    return this.preview !== null;
  }

  get dirty() {
    return this.moves.size > 0;
  }

  /** Take a newer preview; own moves that it already contains, or whose item is gone, are forgotten. */
  load(preview) {
    this.preview = preview;
    const known = new Map(this.serverItems().map((entry) => [entry.task_item_id, entry]));
    for (const [itemId, move] of [...this.moves]) {
      const base = known.get(itemId);
      if (!base || (base.week && sameCell(base, move))) this.moves.delete(itemId);
    }
  }

  clear() {
    this.preview = null;
    this.moves.clear();
  }

  discard() {
    this.moves.clear();
  }

  serverItems() {
    if (!this.preview) return [];
    const placed = this.preview.hybrid_entries.filter((entry) => entry.status === "suggested");
    return [...placed, ...this.preview.unplaced_items.map((item) => ({ ...item, week: 0 }))];
  }

  /** Entries to draw: the preview's, with own moves applied. */
  entries() {
    if (!this.preview) return [];
    const kept = this.preview.hybrid_entries.filter((entry) => !this.moves.has(this.movable(entry)));
    return [...kept, ...this.moves.values()].map((entry) => this.withGuestFlag(entry, [...kept, ...this.moves.values()]));
  }

  movable(entry) {
    return entry.status === "suggested" ? entry.task_item_id : -1;
  }

  /** An embeddable course blocks suggestions exactly while it has a guest. */
  withGuestFlag(entry, all) {
    if (entry.type !== "course" || !entry.can_be_embedded) return entry;
    const guest = all.some((other) => other.type === "task" && other.event_id === entry.event_id && contains(entry, other));
    return { ...entry, block_for_suggested: guest };
  }

  unplaced() {
    return this.preview ? this.preview.unplaced_items.filter((item) => !this.moves.has(item.task_item_id)) : [];
  }

  /** What is needed to pick an item up: {task_item_id, task_class_id, name, length, from}. */
  handle(itemId) {
    const entry = this.entries().find((one) => one.status === "suggested" && one.task_item_id === itemId);
    if (entry) return { ...entry, length: entry.section_to - entry.section_from + 1, from: entry };
    const item = this.preview?.unplaced_items.find((one) => one.task_item_id === itemId);
    return item ? { ...item, length: item.sections, from: null } : null;
  }

  /**
   * May the held item lie there? Answers {ok, reason, host, blocker}; the server has the last word, on item order too.
   * Courses that can be embedded take one guest wholly inside; everything else that blocks is a collision.
   */
  judge(handle, place, sections) {
    if (place.section_from < 1 || place.section_to > sections) return refused("outside_window");
    if (!this.inWindow(place)) return refused("outside_window");
    const there = this.entries().filter((entry) => overlaps(entry, place) && entry.task_item_id !== handle.task_item_id);
    const embeddable = there.find((entry) => entry.type === "course" && entry.can_be_embedded);
    const rule = this.rules?.broken(handle.task_class_id, place, Boolean(embeddable));
    if (rule) return refused(rule);
    if (embeddable) return this.judgeHost(embeddable, there, handle, place);
    const blocker = there.find((entry) => entry.block_for_suggested);
    return blocker ? refused("occupied", blocker) : { ok: true, reason: "", host: 0 };
  }

  judgeHost(host, there, handle, place) {
    const other = there.find((entry) => entry !== host);
    if (other && other.type === "task") return refused(other.event_id === host.event_id ? "host_taken" : "occupied", other);
    if (other || !contains(host, place)) return refused("host_partial", host);
    return { ok: true, reason: "", host: host.event_id };
  }

  inWindow(place) {
    const { from, to } = this.preview.window;
    const rank = (point) => point.week * 7 + point.day_of_week;
    return rank(place) >= rank(from) && rank(place) <= rank(to);
  }

  /** Put an item down; returns the verdict of `judge`. */
  move(handle, place, sections) {
    const verdict = this.judge(handle, place, sections);
    if (!verdict.ok) return verdict;
    const entry = {
      ...place, name: handle.name, type: "task", status: "suggested", task_item_id: handle.task_item_id,
      task_class_id: handle.task_class_id, event_id: verdict.host, can_be_embedded: false, block_for_suggested: true,
      context_tag: handle.context_tag || "", moved: true,
    };
    const base = this.preview.hybrid_entries.find((one) => this.movable(one) === handle.task_item_id);
    if (base && sameCell(base, entry)) this.moves.delete(handle.task_item_id);
    else this.moves.set(handle.task_item_id, entry);
    return verdict;
  }

  /** Only what the student moved is sent; unnamed items stay as they are. */
  changedItems() {
    return buildItemsFromEntries([...this.moves.values()]);
  }
}

function refused(reason, blocker = null) {
  return { ok: false, reason, blocker, host: 0 };
}

function overlaps(a, b) {
  return a.week === b.week && a.day_of_week === b.day_of_week && a.section_from <= b.section_to && b.section_from <= a.section_to;
}

function contains(outer, inner) {
  return outer.week === inner.week && outer.day_of_week === inner.day_of_week
    && outer.section_from <= inner.section_from && inner.section_to <= outer.section_to;
}
