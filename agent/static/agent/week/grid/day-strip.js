// The days of the week in a row, where not all of them have room in the grid: which are shown, how full each is.

import { button, el, replace } from "../../dom.js";
import { t, weekday } from "../../i18n.js";

const DOTS_MAX = 4;

export class DayStrip {
  constructor(root, onChoose) {
    Object.assign(this, { root, onChoose });
  }

  /** `shown`: the days in the grid; `dateOf(day)`: its day of the month; `count(day)`: how many tasks it has. */
  render({ hidden, shown, today, dateOf, count }) {
    this.root.hidden = hidden;
    if (hidden) return;
    replace(this.root, [1, 2, 3, 4, 5, 6, 7].map((day) => {
      const tasks = count(day);
      return button("", () => this.onChoose(day), {
        class: `strip-day${shown.includes(day) ? " shown" : ""}${day === today ? " today" : ""}`,
        attrs: { "aria-pressed": String(shown.includes(day)), "aria-label": [weekday(day), dateOf(day), t("grid.tasks", { count: tasks })].join(" ") },
        data: { day: `strip-${day}` },
      });
    }));
    for (const [index, node] of [...this.root.children].entries()) {
      const day = index + 1;
      node.append(el("small", { text: t(`day.${day}`) }), el("b", { text: dateOf(day) }),
        el("span", { class: "dots", attrs: { "aria-hidden": "true" } }, Array.from({ length: Math.min(DOTS_MAX, count(day)) }, () => el("i"))));
    }
  }
}
