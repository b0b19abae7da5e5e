// The row of week buttons; the buttons stay, so that focus and scroll position stay too.

import { button, replace } from "./dom.js";
import { t } from "./i18n.js";

export class WeekTabs {
  /** `root` holds the buttons, `back` and `next` step by one week; `onChoose(week)`. */
  constructor({ root, back, next, onChoose }) {
    Object.assign(this, { root, back, next, onChoose });
    this.tabs = [];
    this.week = 0;
    back.addEventListener("click", () => onChoose(this.week - 1));
    next.addEventListener("click", () => onChoose(this.week + 1));
  }

  /** `busy`: the weeks with suggestions. */
  render({ weeks, week, busy }) {
    if (this.tabs.length !== weeks) this.build(weeks);
    for (const [index, tab] of this.tabs.entries()) {
      const number = index + 1;
      const planned = busy.has(number);
      tab.classList.toggle("has-plan", planned);
      tab.setAttribute("aria-label", [t("grid.week", { week: number }), planned && t("grid.suggested")].filter(Boolean).join(", "));
      if (number === week) tab.setAttribute("aria-current", "true");
      else tab.removeAttribute("aria-current");
    }
    this.back.disabled = week <= 1;
    this.next.disabled = week >= weeks;
    if (week !== this.week) this.reveal(this.tabs[week - 1]);
    this.week = week;
  }

  build(weeks) {
    this.tabs = Array.from({ length: weeks }, (_, index) =>
      button(String(index + 1), () => this.onChoose(index + 1), { class: "week-tab", data: { week: index + 1 } }));
    replace(this.root, this.tabs);
  }

  /** Only the row itself is scrolled, never the page. */
  reveal(tab) {
    this.root.scrollLeft = tab.offsetLeft - this.root.offsetLeft - (this.root.clientWidth - tab.offsetWidth) / 2;
  }
}
