// How a task looks everywhere: its colour place, its seal, its class's name and its number in the class.

import { el } from "../dom.js";
import { t } from "../i18n.js";

export class TaskLook {
  /** `classes` as the list endpoint answers them. */
  constructor(classes = []) {
    this.byId = new Map(classes.map((one) => [one.id, one]));
  }

  /** What a class looks like is made of this. */
  of(classId) {
    return this.byId.get(classId);
  }

  colorClass(classId) {
    return `k${this.byId.get(classId)?.color_index ?? 0}`;
  }

  sealText(classId) {
    const one = this.byId.get(classId);
    return one?.seal || Array.from(one?.name?.trim() || "·")[0];
  }

  className(classId) {
    return this.byId.get(classId)?.name || "";
  }

  seal(classId, more = "") {
    return el("i", { class: `seal ${this.colorClass(classId)} ${more}`.trim(), text: this.sealText(classId), attrs: { "aria-hidden": "true" } });
  }

  /** "3/12", or nothing while the number is not known. */
  numberText(entry) {
    return entry.task_order ? `${entry.task_order}/${entry.task_total}` : "";
  }

  /** "class, item 3 of 12, name" for those who listen. */
  spoken(entry) {
    const number = entry.task_order ? t("grid.number", { order: entry.task_order, total: entry.task_total }) : "";
    return [this.className(entry.task_class_id), number, entry.name].filter(Boolean).join(t("comma"));
  }
}
