// What the draft changes, looked through before it is applied; a single change can be left out.

import { button, closeBeside, el, replace, whileBusy } from "../../dom.js";
import { monthName, t, weekday } from "../../i18n.js";
import { icon } from "../grid/grid.js";
import { dated } from "../term.js";

/** So many without a place are named at once: the changes come behind them. */
const MOST_UNPLACED = 5;
const KINDS = ["moved", "removed", "new"];
/** Facts of the difference, and whether more of it is good. */
const FACTS = { late_items: false, heavy_days: false, evenings_with_study: false, days_before_deadline: true, placed: true };

export class ReviewSheet {
  /** `host` offers: look(), week(), savedSectionsOn(day), drop(ids), apply(), discard(); each of the last three answers when it is done. */
  constructor(root, host) {
    this.root = root;
    this.host = host;
    closeBeside(root);
  }

  /** `difference` as GET /agent/draft-diff answers it. */
  show(difference) {
    const { root } = this;
    const stay = this.keepPlace();
    replace(root, this.head(difference), el("div", { class: "sheet-body", attrs: { tabindex: -1 } },
      benefits(difference.benefits), this.unplaced(difference.unplaced), loads(difference.load, this.host),
      KINDS.map((kind) => this.group(kind, difference[kind]))), this.foot(difference));
    if (root.open) stay();
    else root.showModal();
  }

  /** What is drawn anew stays where it was scrolled to; the row that comes after one that is gone has its focus. */
  keepPlace() {
    const rows = () => [...this.root.querySelectorAll("li[data-item]")];
    const body = () => this.root.querySelector(".sheet-body");
    const number = rows().findIndex((row) => row.contains(document.activeElement));
    const top = body()?.scrollTop;
    return () => {
      const row = number < 0 ? null : rows()[number] || rows().at(-1);
      body().scrollTop = top;
      (row?.querySelector("button") || body()).focus();
    };
  }

  head(difference) {
    const close = button("", () => this.root.close(), { class: "plain icon", attrs: { "aria-label": t("action.close") } });
    close.append(icon("x"));
    return el("header", {},
      el("div", { class: "sheet-title" }, el("h2", { text: t("review.title"), attrs: { id: "review-title" } }),
        el("p", { class: "quiet", text: t("review.count", { count: difference.changed }) })), close);
  }

  group(kind, rows) {
    if (!rows.length) return null;
    return el("section", {}, el("h3", {}, t(`review.${kind}`), " ", el("span", { class: "tag", text: rows.length })),
      el("ul", { class: "change-list" }, rows.map((row) => this.row(kind, row))));
  }

  row(kind, row) {
    const name = el("span", {}, el("b", { text: row.name }), " ", el("small", { class: "quiet", text: row.class_name }));
    const out = button(t(kind === "new" ? "review.drop" : "review.stay"), (event) => this.guard(event, () => this.host.drop([row.task_item_id])), {
      class: "plain", attrs: { "aria-label": `${t(kind === "new" ? "review.drop" : "review.stay")}: ${row.name}` },
    });
    return el("li", { data: { item: row.task_item_id } }, this.host.look().seal(row.task_class_id), name,
      el("span", { class: "where" }, row.before && el("s", { text: whenOf(row.before) }), row.before && " → ",
        row.after ? el("b", { text: whenOf(row.after) }) : t("block.unplaced"),
        row.after?.host_name && ` · ${t("review.host", { name: row.after.host_name })}`, row.reason && ` · ${dated(row.reason)}`), out);
  }

  unplaced(rows) {
    if (!rows.length) return null;
    const list = (some) => el("ul", {}, some.map((row) => el("li", { text: [row.name, dated(row.reason)].filter(Boolean).join(" · ") })));
    const more = rows.length > MOST_UNPLACED + 1 ? rows.slice(MOST_UNPLACED) : [];
    return el("section", { class: "callout warning" }, el("b", { text: t("review.unplaced", { count: rows.length }) }),
      list(rows.slice(0, rows.length - more.length)),
      more.length > 0 && el("details", {}, el("summary", { text: t("review.unplaced_more", { count: more.length }) }), list(more)));
  }

  foot(difference) {
    const apply = button(t("action.apply"), (event) => this.guard(event, () => this.host.apply()), { class: "primary", data: { action: "apply" } });
    apply.disabled = !difference.changed;
    return el("footer", {}, button(t("review.discard"), (event) => this.guard(event, () => this.host.discard()), { class: "danger", data: { action: "discard" } }),
      el("span", { class: "spring" }), button(t("review.back"), () => this.root.close()), apply);
  }

  guard(event, work) {
    return whileBusy(event.currentTarget, work);
  }
}

function benefits(facts) {
  const told = Object.entries(FACTS).filter(([name]) => facts[name]);
  if (!told.length) return null;
  return el("ul", { class: "benefits" }, told.map(([name, moreIsGood]) => {
    const value = facts[name];
    const good = value > 0 === moreIsGood;
    return el("li", { class: good ? "good" : "bad" }, icon(good ? "check" : "clock"),
      el("span", { text: t(`benefit.${name}.${value > 0 ? "more" : "less"}`, { count: Math.abs(value) }) }));
  }));
}

/** Bars of the shown week, day by day; of other weeks those of the days that differ, folded away. */
function loads(changed, host) {
  if (!changed.length) return null;
  const week = host.week();
  const rows = changed.some((row) => row.week === week) ? [...wholeWeek(changed, host), ...changed.filter((row) => row.week !== week)] : changed;
  const most = Math.max(...rows.flatMap((row) => [row.before, row.after]));
  const first = rows.some((row) => row.week === week) ? week : rows[0].week;
  const weeks = [...new Set(rows.map((row) => row.week))];
  const part = (number) => el("div", { class: "load-week" }, el("b", { text: t("grid.week", { week: number }) }),
    el("ul", { class: "load-days" }, rows.filter((row) => row.week === number).map((row) => loadOf(row, most))));
  const others = weeks.filter((number) => number !== first);
  return el("section", { class: "loads" }, el("h3", {}, t("review.load"), " ", el("small", { class: "quiet", text: t("review.load_how") })),
    part(first), others.length > 0 && el("details", {}, el("summary", { text: t("review.load_more") }), others.map(part)));
}

function wholeWeek(changed, host) {
  return [1, 2, 3, 4, 5, 6, 7].map((day) => {
    const sections = host.savedSectionsOn(day);
    const same = { week: host.week(), day_of_week: day, before: sections, after: sections };
    return changed.find((row) => row.week === host.week() && row.day_of_week === day) || same;
  });
}

function loadOf(row, most) {
  const bar = (value, kind) => {
    const node = el("i", { class: kind });
    node.style.height = `${Math.round((value / most) * 100)}%`;
    return node;
  };
  return el("li", { attrs: { title: t("review.load_day", { before: row.before, after: row.after }) } },
    el("span", { class: "hidden-text", text: t("review.load_day", { before: row.before, after: row.after }) }),
    el("b", { text: row.after, attrs: { "aria-hidden": "true" } }),
    el("span", { class: "bars", attrs: { "aria-hidden": "true" } }, bar(row.before, "before"), bar(row.after, "after")),
    el("span", { text: weekday(row.day_of_week) }));
}

/** Date, weekday and clock times of a place of the difference. */
function whenOf(place) {
  const [, month, day] = place.date.split("-").map(Number);
  return t("when", { month: monthName(month), day, weekday: weekday(place.day_of_week), from: place.start_time, to: place.end_time });
}
