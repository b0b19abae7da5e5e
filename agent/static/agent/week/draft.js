// The draft as the page holds it: the server's preview plus the student's own unsaved moves. Pure, no DOM.

import { ItemOrder } from "./item-order.js";

/** What the student wished for: a place of the student's own may break it, and the save answers with a warning. */
const PREFERENCES = new Set([
  "outside_class_window", "in_the_past", "excluded_weekday", "excluded_block", "excluded_cell", "filler_not_allowed",
]);

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
    }));
}

export class Draft {
  constructor() {
    this.preview = null;
    this.moves = new Map();
    this.rules = null;
    this.order = new ItemOrder();
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

  /** What the draft takes off the timetable in a week, where it stands there; one that is placed again is not among it. */
  removed(week) {
    return (this.preview?.difference.removed || []).filter((row) => row.before.week === week && !this.moves.has(row.task_item_id))
      .map((row) => ({ ...row.before, name: row.name, type: "task", status: "removed", removed_item_id: row.task_item_id, task_item_id: 0, task_class_id: row.task_class_id, event_id: 0 }));
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
    const placed = this.preview.hybrid_entries.filter((entry) => entry.status === "suggested");
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
    return entry.status === "suggested" ? entry.task_item_id : -1;
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
   * May the held item lie there? Answers {ok, reason, host, blocker, swap, warning}; the server has the last word.
   * `warning` is a wish of the student's own that the place breaks.
   * On a suggestion of its own length the two change places, when each may lie where the other was.
   */
  judge(handle, place, sections) {
    const others = this.entries().filter((entry) => entry.task_item_id !== handle.task_item_id || entry.status !== "suggested");
    const verdict = this.judgeAmong(others, handle, place, sections);
    const partner = verdict.ok ? null : others.find((entry) => entry.status === "suggested" && sameSections(entry, place));
    return partner && handle.from ? this.judgeSwap(others, handle, partner, sections) : verdict;
  }

  /** Both are lifted first and judged in the final picture. */
  judgeSwap(others, handle, partner, sections) {
    const rest = others.filter((entry) => entry !== partner);
    const place = sectionsOf(partner);
    const back = sectionsOf(handle.from);
    const own = this.judgeAmong([...rest, { ...partner, ...back, event_id: handle.from.event_id }], handle, place, sections);
    if (!own.ok || own.warning) return own.ok ? refused(own.warning) : own;
    const other = this.judgeAmong([...rest, { ...handle.from, ...place, event_id: own.host }], partner, back, sections);
    return other.ok && !other.warning ? { ...own, swap: { entry: partner, place: back, host: other.host } } : refused("occupied", partner);
  }

  /** Courses that can be embedded take one guest wholly inside; everything else that blocks is a collision. */
  judgeAmong(others, handle, place, sections) {
    if (place.section_from < 1 || place.section_to > sections) return refused("outside_window");
    if (!this.inWindow(place)) return refused("outside_window");
    const there = others.filter((entry) => overlaps(entry, place));
    const embeddable = there.find((entry) => entry.type === "course" && entry.can_be_embedded);
    const rule = this.rules?.broken(handle.task_class_id, place, { inCourse: Boolean(embeddable), now: this.preview.now });
    if (rule && !PREFERENCES.has(rule)) return refused(rule);
    const exam = there.find((entry) => entry.type === "exam");
    const free = embeddable ? this.judgeHost(embeddable, there, place) : judgeFree(there);
    const verdict = exam ? refused("occupied", exam) : free;
    const broken = verdict.ok ? this.order.broken(handle, place, others, this.unplaced()) : null;
    if (broken) return refused(broken.reason, broken.blocker);
    return verdict.ok && rule ? { ...verdict, warning: rule } : verdict;
  }

  judgeHost(host, there, place) {
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

  /** Put an item down, and its partner of a swap where it was; returns the verdict of `judge`. */
  move(handle, place, sections) {
    const verdict = this.judge(handle, place, sections);
    if (!verdict.ok) return verdict;
    this.put(handle, place, verdict.host);
    if (verdict.swap) this.put(verdict.swap.entry, verdict.swap.place, verdict.swap.host);
    return verdict;
  }

  put(item, place, host) {
    const entry = {
      ...place, name: item.name, type: "task", status: "suggested", task_item_id: item.task_item_id,
      task_class_id: item.task_class_id, task_order: item.task_order, task_total: item.task_total, event_id: host, can_be_embedded: false, block_for_suggested: true,
      context_tag: item.context_tag || "", moved: true,
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

function judgeFree(there) {
  const blocker = there.find((entry) => entry.block_for_suggested);
  return blocker ? refused("occupied", blocker) : { ok: true, reason: "", host: 0 };
}

function sectionsOf({ week, day_of_week, section_from, section_to }) {
  return { week, day_of_week, section_from, section_to };
}

function sameSections(a, b) {
  return a.week === b.week && a.day_of_week === b.day_of_week && a.section_from === b.section_from && a.section_to === b.section_to;
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
