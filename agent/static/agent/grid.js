// Draws one week: sections as rows, days as columns, courses fixed, suggestions movable.

import { el, replace } from "./dom.js";
import { t, weekday } from "./i18n.js";

const DAYS = [1, 2, 3, 4, 5, 6, 7];
const EDGE_PX = 28;
const SCROLL_PX = 10;
const HEAD_PX = 48;
const HUES = [150, 28, 268, 330, 85, 200, 48, 300];

export class WeekGrid {
  constructor(root) {
    this.root = root;
    this.ghost = el("div", { class: "ghost", attrs: { "aria-hidden": "true" } });
    this.semester = null;
  }

  /** `week` with the entries of that week; `held` is the id of an item in the student's hand, or 0. */
  render({ semester, week, entries, firstDate, today, held, outside }) {
    this.semester = semester;
    const sections = semester.section_times.length;
    this.root.style.setProperty("--sections", sections);
    this.root.replaceChildren(
      ...this.header(week, firstDate, today),
      ...this.backdrop(sections, semester, outside),
      ...[...entries].sort(byTime).map((entry) => this.block(entry, entries, held)),
    );
  }

  header(week, firstDate, today) {
    const corner = el("div", { class: "corner", text: t("grid.week", { week }) });
    corner.style.gridArea = "1 / 1";
    return [corner, ...DAYS.map((day) => {
      const date = firstDate ? dateText(firstDate, day - 1) : "";
      const isToday = today && today.week === week && today.day_of_week === day;
      const head = el("div", { class: `day-head${isToday ? " today" : ""}` }, el("b", { text: weekday(day) }), date && el("small", { text: date }));
      head.style.gridArea = `1 / ${day + 1}`;
      return head;
    })];
  }

  backdrop(sections, semester, outside) {
    const starts = new Set(semester.day_parts.map((part) => part[0]));
    const nodes = [];
    for (let section = 1; section <= sections; section += 1) {
      const [from] = semester.section_times[section - 1];
      const edge = starts.has(section) && section > 1 ? " part-start" : "";
      const head = el("div", { class: `section-head${edge}` }, el("b", { text: section }), el("small", { text: from }));
      head.style.gridArea = `${section + 1} / 1`;
      nodes.push(head);
      for (const day of DAYS) {
        const cell = el("div", { class: `cell${edge}${outside(day) ? " outside" : ""}`, data: { day, section } });
        cell.style.gridArea = `${section + 1} / ${day + 1}`;
        nodes.push(cell);
      }
    }
    return nodes;
  }

  block(entry, entries, held) {
    const node = entry.status === "suggested" ? this.suggestion(entry, held) : this.fixed(entry);
    node.classList.toggle("short", entry.section_from === entry.section_to);
    node.classList.toggle("hosting", entry.type === "course" && entries.some((other) => other.type === "task" && this.isGuest(other, [entry])));
    if (entry.type === "task") node.classList.toggle("guest", this.isGuest(entry, entries));
    node.style.gridArea = `${entry.section_from + 1} / ${entry.day_of_week + 1} / ${entry.section_to + 2}`;
    return node;
  }

  isGuest(entry, entries) {
    return entries.some((host) => host !== entry && host.type === "course" && host.event_id === entry.event_id
      && entry.event_id && host.day_of_week === entry.day_of_week && host.section_from <= entry.section_from);
  }

  fixed(entry) {
    const kind = entry.type === "course" ? (entry.can_be_embedded ? "course embeddable" : "course") : "applied";
    const note = entry.can_be_embedded ? t("grid.embeddable") : entry.type === "task" ? t("grid.applied") : "";
    return el("div", { class: `entry ${kind}`, attrs: { role: "group", "aria-label": words(entry, note), title: words(entry, note) } },
      el("span", { class: "entry-name", text: entry.name }),
      el("span", { class: "entry-note", text: [entry.location, note].filter(Boolean).join(" · ") }));
  }

  suggestion(entry, held) {
    const node = el("div", {
      class: `entry suggested${entry.moved ? " moved" : ""}${held === entry.task_item_id ? " held" : ""}`,
      attrs: { role: "button", tabindex: 0, "aria-roledescription": t("grid.movable"), "aria-label": words(entry, entry.moved ? t("grid.unsaved") : t("grid.suggested")), title: words(entry, "") },
      data: { item: entry.task_item_id },
    },
    el("span", { class: "entry-name", text: entry.name }),
    el("span", { class: "entry-note", text: entry.moved ? t("grid.unsaved") : t("grid.suggested") }));
    node.style.setProperty("--hue", hueOf(entry.task_class_id));
    return node;
  }

  /** Colour the cells that the item in hand, `length` sections long, could cover. */
  markLegal(isLegal, length = 1) {
    const free = new Set();
    for (const cell of isLegal ? this.root.querySelectorAll(".cell") : []) {
      const day = Number(cell.dataset.day);
      const first = Number(cell.dataset.section);
      if (isLegal(day, first)) for (let offset = 0; offset < length; offset += 1) free.add(`${day}:${first + offset}`);
    }
    for (const cell of this.root.querySelectorAll(".cell")) {
      cell.classList.toggle("legal", free.has(`${cell.dataset.day}:${cell.dataset.section}`));
    }
  }

  markHeld(itemId) {
    for (const node of this.root.querySelectorAll(".entry[data-item]")) {
      node.classList.toggle("held", Number(node.dataset.item) === itemId);
    }
  }

  showGhost(place, ok, name, reason) {
    this.ghost.className = `ghost ${ok ? "ok" : "bad"}`;
    replace(this.ghost, name, reason && el("small", { text: reason }));
    this.ghost.style.gridArea = `${place.section_from + 1} / ${place.day_of_week + 1} / ${place.section_to + 2}`;
    if (this.ghost.parentElement !== this.root) this.root.append(this.ghost);
  }

  hideGhost() {
    this.ghost.remove();
  }

  revealGhost() {
    this.ghost.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  /** Bring an item into view sideways and downwards, without moving the page. */
  reveal(itemId) {
    const node = this.root.querySelector(`[data-item="${itemId}"]`);
    if (!node) return;
    const scroller = this.root.parentElement;
    const box = node.getBoundingClientRect();
    const frame = scroller.getBoundingClientRect();
    scroller.scrollLeft += Math.max(0, box.right - frame.right) || Math.min(0, box.left - frame.left - HEAD_PX);
    scroller.scrollTop += Math.max(0, box.bottom - frame.bottom) || Math.min(0, box.top - frame.top - HEAD_PX);
  }

  /** A pointer near an edge of the visible part scrolls it. */
  scrollNear(x, y) {
    const scroller = this.root.parentElement;
    const frame = scroller.getBoundingClientRect();
    const step = (at, from, to) => (at < from + EDGE_PX ? -SCROLL_PX : at > to - EDGE_PX ? SCROLL_PX : 0);
    if (y >= frame.top) scroller.scrollBy(step(x, frame.left, frame.right), step(y, frame.top, frame.bottom));
  }

  /** The cell under a point of the screen, or null. */
  cellAt(x, y) {
    const cell = document.elementsFromPoint(x, y).find((node) => node.classList?.contains("cell"));
    return cell ? { day: Number(cell.dataset.day), section: Number(cell.dataset.section) } : null;
  }

  focusItem(itemId) {
    this.root.querySelector(`[data-item="${itemId}"]`)?.focus();
  }
}

function byTime(a, b) {
  return a.day_of_week - b.day_of_week || a.section_from - b.section_from || b.section_to - a.section_to;
}

export function hueOf(classId) {
  return HUES[classId % HUES.length];
}

function words(entry, note) {
  const place = t("grid.entry", {
    weekday: weekday(entry.day_of_week), from: entry.section_from, to: entry.section_to, name: entry.name,
  });
  return [place, entry.location, note].filter(Boolean).join(", ");
}

function dateText(first, days) {
  const date = new Date(`${first}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + days);
  return `${date.getUTCMonth() + 1}/${date.getUTCDate()}`;
}
