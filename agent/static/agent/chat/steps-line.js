// One line for all steps of a run: what is being done now, then what was done; it opens to their cards.

import { button, el, replace } from "../dom.js";
import { t, told } from "../i18n.js";
import { stateOf, toolTitle } from "./cards.js";

/** A step that failed and was then done with other values, as models find their way, is no failure of the run. */
function madeGood(block, later) {
  return stateOf(block) === "failed" && later.some((one) => one.fields.name === block.fields.name && stateOf(one) === "done");
}

export class StepsLine {
  /** The line stands before the node `before`, null for the end; `paint(block)` draws the card of a step: what nobody has opened is not drawn. */
  constructor(root, before, paint) {
    this.paint = paint;
    this.slots = new Map();
    this.open = false;
    this.line = button("", () => this.toggle(), { class: "plain steps-line", attrs: { "aria-expanded": "false" } });
    this.node = el("li", { class: "block run-steps", data: { kind: "steps" } }, this.line);
    root.insertBefore(this.node, before);
  }

  add(block, slot) {
    this.slots.set(block.key, { block, slot });
    slot.hidden = !this.open;
  }

  /** A step that is gone; true when none is left, and the line with it. */
  forget(key) {
    if (!this.slots.delete(key)) return false;
    if (this.slots.size) this.draw();
    else this.node.remove();
    return !this.slots.size;
  }

  toggle() {
    this.open = !this.open;
    this.line.setAttribute("aria-expanded", String(this.open));
    for (const { block, slot } of this.slots.values()) {
      slot.hidden = !this.open;
      if (this.open) this.paint(block);
    }
  }

  draw() {
    const blocks = [...this.slots.values()].map((one) => one.block);
    const running = blocks.find((one) => one.open);
    const shown = blocks.filter((one, at) => !madeGood(one, blocks.slice(at + 1)));
    const states = new Set(shown.map(stateOf));
    const state = ["running", "failed", "blocked", "done"].find((one) => states.has(one)) || "nothing";
    const words = running
      ? told(t("steps.running", { count: blocks.length }), toolTitle(running.fields))
      : told(t("steps.done", { count: blocks.length }), [...new Set(shown.map((one) => toolTitle(one.fields)))].join(t("comma")));
    replace(this.line, el("span", { class: `tool-state ${state}`, attrs: { "aria-hidden": "true" } }), el("span", { class: "steps-words", text: words }));
  }
}
