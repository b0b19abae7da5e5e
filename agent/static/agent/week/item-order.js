// The order of the items inside their classes: an item lies after all lower and before all higher ones. Pure, no DOM.

const START = ["week", "day_of_week", "section_from"];
const END = ["week", "day_of_week", "section_to"];

export class ItemOrder {
  constructor() {
    this.classes = new Map();
  }

  /** `one` as GET /task-class/{id} answers it, with its items. */
  set(one) {
    this.classes.set(one.id, one.items.map((item) => (
      { id: item.id, order: item.order, name: item.content, applied: item.embedded_time })));
  }

  has(classId) {
    return this.classes.has(classId);
  }

  /**
   * The rule a place breaks and the sibling that binds it, or null; `entries` are all the others of the draft,
   * `unplaced` its items without a place: an applied one that was taken out binds nobody.
   */
  broken(handle, place, entries, unplaced) {
    const items = this.classes.get(handle.task_class_id) || [];
    const own = items.find((item) => item.id === handle.task_item_id);
    if (!own) return null;
    const drafted = new Map(entries.filter((entry) => entry.status === "suggested").map((entry) => [entry.task_item_id, entry]));
    const lifted = new Set(unplaced.map((item) => item.task_item_id));
    const placed = items.filter((item) => !lifted.has(item.id))
      .map((item) => ({ ...item, place: drafted.get(item.id) || item.applied })).filter((item) => item.place);
    const lower = placed.filter((item) => item.order < own.order && compare(item.place, END, place, START) >= 0);
    if (lower.length) return { reason: "order_before", blocker: lower.at(-1) };
    const higher = placed.filter((item) => item.order > own.order && compare(item.place, START, place, END) <= 0);
    return higher.length ? { reason: "order_after", blocker: higher[0] } : null;
  }
}

function compare(a, fieldsOfA, b, fieldsOfB) {
  for (let index = 0; index < START.length; index += 1) {
    const difference = a[fieldsOfA[index]] - b[fieldsOfB[index]];
    if (difference) return difference;
  }
  return 0;
}
