// Which task classes the next message is about.

import { all } from "../api.js";
import { byId, el, keepingFocus, live, replace } from "../dom.js";
import { t } from "../i18n.js";
import { TaskLook } from "./task-look.js";

export class ClassPicker {
  constructor(root) {
    this.root = root;
    this.chosen = new Set();
    this.classes = [];
    this.sent = "";
  }

  async load() {
    const before = JSON.stringify(this.classes);
    this.classes = await all("/task-class");
    for (const node of live.querySelectorAll("[data-tasks]")) node.hidden = (node.dataset.tasks === "none") !== !this.classes.length;
    if (this.look && JSON.stringify(this.classes) === before) return;
    this.look = new TaskLook(this.classes);
    keepingFocus(this.root, () => replace(this.root,
      this.classes.length ? this.classes.map((one) => this.option(one)) : el("p", { class: "quiet", text: t("classes.none") })));
  }

  option(one) {
    const box = el("input", { attrs: { type: "checkbox", value: one.id }, set: { checked: this.chosen.has(one.id) } });
    box.addEventListener("change", () => {
      if (box.checked) this.chosen.add(one.id);
      else this.chosen.delete(one.id);
      this.countChosen();
    });
    const dates = one.start_date ? `${shortDate(one.start_date)}–${shortDate(one.end_date)}` : "";
    return el("label", { class: `class-option ${this.look.colorClass(one.id)}` }, box, this.look.seal(one.id),
      el("span", { class: "class-name", text: one.name }),
      el("small", { text: [t("classes.count", { placed: one.applied_count, all: one.item_count }), dates].filter(Boolean).join(" · ") }));
  }

  countChosen() {
    byId("class-count").textContent = this.chosen.size ? t("classes.chosen", { count: this.chosen.size }) : "";
  }

  /** Show the scope that the conversation has; what was chosen since the last message stays chosen. */
  showScope(ids) {
    if (scopeOf(this.chosen) !== this.sent) return;
    this.sent = scopeOf(ids);
    this.choose(ids);
  }

  /** Choose what the next message is about. */
  choose(ids) {
    this.chosen = new Set(ids);
    for (const box of this.root.querySelectorAll("input")) box.checked = this.chosen.has(Number(box.value));
    this.countChosen();
  }

  /** Nothing is chosen, and nothing is known of a conversation. */
  clear() {
    this.sent = "";
    this.choose([]);
  }

  /** The ids for `extra.task_class_ids`: only when the choice changed, so that an unchanged scope is not reloaded. */
  takeScope() {
    const wanted = scopeOf(this.chosen);
    if (wanted === this.sent) return [];
    this.sent = wanted;
    return [...this.chosen].sort((a, b) => a - b);
  }
}

function scopeOf(ids) {
  return [...ids].sort((a, b) => a - b).join();
}

function shortDate(date) {
  const [, month, day] = date.split("-");
  return `${Number(month)}/${Number(day)}`;
}
