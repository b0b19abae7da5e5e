// What is known of one block, and what can be done with it; a sheet from below on a phone.

import { button, closeBeside, el, replace } from "../../dom.js";
import { monthName, t, weekday } from "../../i18n.js";
import { icon } from "../grid/grid.js";

const GAP_PX = 8;

export class BlockSheet {
  constructor(root) {
    this.root = root;
    closeBeside(root);
    root.addEventListener("pointerdown", () => this.press());
  }

  /** `facts`: rows of [label, text]; `actions`: {icon, label, run}; `reason` is a promise of the sentence why it stands there. */
  open({ seal, title, facts, actions, reason, near }) {
    const why = el("p", { class: "reason", attrs: { "aria-live": "polite" } });
    why.hidden = true;
    replace(this.root,
      el("header", {}, seal, el("h2", { text: title, attrs: { id: "block-title" } }),
        button("", () => this.root.close(), { class: "plain icon", attrs: { "aria-label": t("action.close") } })),
      el("dl", {}, facts.map(([label, text]) => [el("dt", { text: label }), el("dd", { text })])),
      why,
      el("div", { class: "actions" }, actions.map((action) => this.action(action))));
    this.root.querySelector("header button").append(icon("x"));
    this.root.showModal();
    this.place(near);
    reason?.then((text) => this.tell(why, text, near)).catch(() => {});
  }

  /** The sheet grows and may move with it: not under a button that is being pressed, or the press would miss it. */
  async tell(why, text, near) {
    while (this.pressed) await this.pressed;
    why.textContent = text;
    why.hidden = !text;
    if (why.isConnected && near.isConnected) this.place(near);
  }

  /** Until the click that a press becomes has been heard. */
  press() {
    const over = new AbortController();
    this.pressed = new Promise((resolve) => {
      const end = () => {
        over.abort();
        setTimeout(() => {
          this.pressed = null;
          resolve();
        });
      };
      for (const name of ["pointerup", "pointercancel"]) document.addEventListener(name, end, { signal: over.signal });
    });
  }

  action({ icon: name, label, run }) {
    const node = button(label, () => {
      this.root.close();
      run();
    });
    node.prepend(icon(name));
    return node;
  }

  /** Beside the block, inside the window. */
  place(near) {
    const box = near.getBoundingClientRect();
    const own = this.root.getBoundingClientRect();
    const left = box.right + GAP_PX + own.width < innerWidth ? box.right + GAP_PX : Math.max(GAP_PX, box.left - own.width - GAP_PX);
    this.root.style.left = `${left}px`;
    this.root.style.top = `${Math.max(GAP_PX, Math.min(box.top, innerHeight - own.height - GAP_PX))}px`;
  }
}

/** Date, weekday and clock times of a place. */
export function whenText(entry, firstMonday, times) {
  const date = new Date(`${firstMonday}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + (entry.week - 1) * 7 + entry.day_of_week - 1);
  return t(entry.section_from === entry.section_to ? "block.when_one" : "block.when", {
    month: monthName(date.getUTCMonth() + 1), day: date.getUTCDate(), weekday: weekday(entry.day_of_week),
    from: times[entry.section_from - 1][0], to: times[entry.section_to - 1][1],
    sections: entry.section_from === entry.section_to ? entry.section_from : `${entry.section_from}–${entry.section_to}`,
  });
}
