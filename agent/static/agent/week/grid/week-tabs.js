// The strip of the term: a button a week with its load; the buttons stay, so that focus and scroll position stay too.

import { button, el, replace } from "../../dom.js";
import { t } from "../../i18n.js";

const STEPS = [1, 6, 12, 19];

export class WeekTabs {
  /** `root` holds the buttons, `back` and `next` step by one week; `onChoose(week)`. */
  constructor({ root, back, next, onChoose }) {
    Object.assign(this, { root, back, next, onChoose });
    this.tabs = [];
    this.week = 0;
    // Taken out of the document, or hidden behind the assistant, the row forgets where it was scrolled to.
    new ResizeObserver(() => this.tabs[this.week - 1] && this.reveal(this.tabs[this.week - 1])).observe(root);
    back.addEventListener("click", () => onChoose(this.week - 1));
    next.addEventListener("click", () => onChoose(this.week + 1));
  }

  /** `busy`: the weeks with suggestions; `now`: today's week or 0; `terms`: what the term overview says of each week. */
  render({ weeks, week, busy, now = 0, terms = new Map() }) {
    if (this.tabs.length !== weeks) this.build(weeks);
    for (const [index, tab] of this.tabs.entries()) this.draw(tab, index + 1, { week, planned: busy.has(index + 1), now, term: terms.get(index + 1) });
    this.back.disabled = week <= 1;
    this.next.disabled = week >= weeks;
    if (week !== this.week) this.reveal(this.tabs[week - 1]);
    this.week = week;
  }

  draw(tab, number, { week, planned, now, term }) {
    const drawn = JSON.stringify([number === week, planned, now, term]);
    if (tab.drawnFrom === drawn) return;
    tab.drawnFrom = drawn;
    const marks = [term?.off_days && t("strip.off"), term?.exams && t("strip.exam")].filter(Boolean);
    tab.classList.toggle("has-plan", planned);
    tab.classList.toggle("now", number === now);
    tab.setAttribute("aria-label", [
      t("grid.week", { week: number }), number === now && t("strip.now"), term && t("strip.load", { count: term.task_sections }), planned && t("grid.suggested"), ...marks,
    ].filter(Boolean).join(", "));
    const load = term?.task_sections || 0;
    replace(tab, el("b", { text: number }),
      el("span", { class: `load h${STEPS.filter((step) => load >= step).length}` }, load ? el("span", { text: load }) : "", marks.slice(-1).map((text) => el("b", { text }))));
    if (number === week) tab.setAttribute("aria-current", "true");
    else tab.removeAttribute("aria-current");
  }

  /** While something is held: the weeks that can take it, or null. */
  markLegal(weeks) {
    for (const [index, tab] of this.tabs.entries()) tab.classList.toggle("legal", Boolean(weeks?.has(index + 1)));
  }

  build(weeks) {
    this.tabs = Array.from({ length: weeks }, (_, index) =>
      button("", () => this.onChoose(index + 1), { class: "week-tab", data: { week: index + 1 } }));
    replace(this.root, this.tabs);
  }

  /** Only the row itself is scrolled, never the page. */
  reveal(tab) {
    this.root.scrollLeft = tab.offsetLeft - this.root.offsetLeft - (this.root.clientWidth - tab.offsetWidth) / 2;
  }
}
