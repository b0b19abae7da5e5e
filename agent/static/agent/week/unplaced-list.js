// What has no place yet, beside the week: dragged from here, or put into the hand by its button.

import { button, el, replace } from "../dom.js";
import { ruleText, t } from "../i18n.js";

export class UnplacedList {
  /** `root` holds the list, `tab` shows it in the side panel; `side` and `plan` are where it stands, by width. */
  constructor({ root, tab, other, side, plan, onPlace }) {
    Object.assign(this, { root, tab, other, side, plan, onPlace });
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

  render(items, look) {
    this.root.hidden = this.tab.hidden = items.length === 0;
    if (!items.length) this.show(false);
    replace(this.tab, t("rule.none"), el("b", { text: ` ${items.length}` }));
    this.root.querySelector("summary b").textContent = items.length;
    replace(this.list, items.map((item) => this.row(item, look)));
  }

  row(item, look) {
    const number = item.task_order ? t("grid.number", { order: item.task_order, total: item.task_total }) : "";
    const why = ruleText(item.rule);
    const about = [look.className(item.task_class_id), number, t("unplaced.length", { sections: item.sections })].filter(Boolean).join(" · ");
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
