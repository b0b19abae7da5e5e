// The task classes in the week, each with its colour; pressed, a class is hidden or shown again.

import { el, replace } from "../../dom.js";

const MAX = 8;
const NAMED = 2;

export class Legend {
  constructor(root, onToggle) {
    Object.assign(this, { root, onToggle });
    this.hidden = new Set();
  }

  render(classes, look) {
    replace(this.root, classes.slice(0, MAX).map((one, index) => el("button", {
      class: `legend-chip ${look.colorClass(one.id)}${index < NAMED ? " named" : ""}`,
      attrs: { type: "button", "aria-pressed": String(!this.hidden.has(one.id)), title: one.name }, data: { class: one.id },
      on: { click: () => this.toggle(one.id) },
    }, look.seal(one.id), el("span", { class: "legend-name", text: one.name }), el("span", { class: "hidden-text", text: one.name }))));
  }

  toggle(id) {
    if (!this.hidden.delete(id)) this.hidden.add(id);
    this.onToggle();
    this.root.querySelector(`[data-class="${id}"]`)?.focus();
  }
}
