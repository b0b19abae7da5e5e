// What has no place yet, beside the week: dragged from here, or put into the hand by its button. Tasks that the draft does not
// plan have one row each.

import { button, el, replace } from "../dom.js";
import { ruleText, t } from "../i18n.js";

export class UnplacedList {
  /** `root` holds the list, `tab` shows it in the side panel; `side` and `plan` are where it stands, by width. */
  constructor({ root, tab, other, side, plan, onPlace, onPlan }) {
    Object.assign(this, { root, tab, other, side, plan, onPlace, onPlan });
    this.list = root.querySelector("ul");
    this.wide = window.matchMedia("(min-width: 1181px)");
    this.wide.addEventListener("change", () => this.settle());
    tab.addEventListener("click", () => this.show(true));
    other.addEventListener("click", () => this.show(false));
    this.settle();
  }

  /** In the side panel where there is one, else above the grid. */
  settle() {
    if (this.wide.matches) this.side.append(this.root);
    else this.plan.before(this.root);
    this.root.open = this.wide.matches;
  }

  show(wanted) {
    this.side.classList.toggle("unplaced-first", wanted);
    this.tab.setAttribute("aria-pressed", String(wanted));
    this.other.setAttribute("aria-pressed", String(!wanted));
  }

  /** `others`: classes with the number of items, `waiting`, that the draft has no place for; `drafted`: whether there is one. */
  render(items, { others, drafted, look }) {
    const count = others.reduce((sum, one) => sum + one.waiting, items.length);
    this.root.hidden = this.tab.hidden = count === 0;
    if (!count) this.show(false);
    replace(this.tab, t("rule.none"), el("b", { text: ` ${count}` }));
    this.root.querySelector("summary b").textContent = count;
    this.root.querySelector(".how").hidden = !items.length;
    replace(this.list, items.map((item) => this.row(item, look)), others.map((one) => this.beside(one, drafted, look)));
  }

  beside(one, drafted, look) {
    const about = [t("unplaced.count", { count: one.waiting }), drafted && t("unplaced.outside")].filter(Boolean).join(" · ");
    return el("li", { class: look.colorClass(one.id), data: { class: one.id } },
      el("div", { class: "chip" }, look.seal(one.id), el("b", { text: one.name }), el("small", { text: about })),
      button(t("action.planRest"), () => this.onPlan(one.id), { attrs: { "aria-label": `${t("action.planRest")} ${one.name}` } }));
  }

  row(item, look) {
    const number = item.task_order ? t("grid.number", { order: item.task_order, total: item.task_total }) : "";
    const why = ruleText(item.rule);
    const length = t(item.sections === 1 ? "unplaced.length_one" : "unplaced.length", { sections: item.sections });
    const about = [look.className(item.task_class_id), number, length].filter(Boolean).join(" · ");
    return el("li", { class: look.colorClass(item.task_class_id) },
      el("div", {
        class: "chip movable",
        attrs: { role: "button", tabindex: 0, "aria-roledescription": t("grid.movable"), "aria-label": [item.name, about, why].join(t("comma")) },
        data: { item: item.task_item_id },
      }, look.seal(item.task_class_id), el("b", { text: item.name }), el("small", { text: about }),
      item.rule && el("small", { class: "why", text: why })),
      button(t("action.place"), () => this.onPlace(item.task_item_id), { attrs: { "aria-label": `${t("action.place")} ${item.name}` } }));
  }
}
