// Draws one week: sections as rows, days as columns; what a block is shows in its shape and in words, not only in colour.

import { el, replace, scrollerOf } from "../../dom.js";
import { t, weekday } from "../../i18n.js";
import { whenWords } from "../term.js";

const EDGE_PX = 28;
const SCROLL_PX = 10;
const HEAD_PX = 48;

export class WeekGrid {
  constructor(root) {
    this.root = root;
    this.ghost = el("div", { class: "ghost", attrs: { "aria-hidden": "true" } });
    this.days = [1, 2, 3, 4, 5, 6, 7];
    /** What was drawn last, by all that it was drawn from. */
    this.drawn = new Map();
  }

  /** `shown`: {semester, week, days, entries, firstDate, today, held, outside(day), offDays, keptFree, look, hidden}. */
  render(shown) {
    Object.assign(this, shown);
    const sections = this.semester.section_times.length;
    this.root.style.setProperty("--days", this.days.length);
    this.root.classList.toggle("dense", this.days.length === 7);
    this.layRows(sections);
    // An exam outside the sections of the day has no row: its day's head tells it.
    const visible = this.entries.filter((entry) => this.days.includes(entry.day_of_week) && entry.section_from > 0);
    const times = JSON.stringify(this.semester.section_times);
    const before = times === this.times ? this.drawn : new Map();
    Object.assign(this, { times, drawn: new Map() });
    this.keep = (source, draw) => {
      const key = JSON.stringify([this.days, this.bands, ...source]);
      if (!this.drawn.has(key)) this.drawn.set(key, before.get(key) || draw());
    };
    this.drawHeader();
    this.drawBackdrop(sections);
    for (const entry of [...visible].sort(byTime)) this.drawBlock(entry, visible);
    this.drawNowLine();
    setChildren(this.root, [...this.drawn.values()]);
    this.markHeld(this.held);
  }

  column(day) {
    return this.days.indexOf(day) + 2;
  }

  /** A row a section, and a band between the parts of the day. */
  layRows(sections) {
    this.bands = this.semester.day_parts.map(([first]) => first).filter((first) => first > 1 && first <= sections).sort((a, b) => a - b);
    const rows = Array.from({ length: sections }, (_, index) => `${this.bands.includes(index + 1) ? "var(--band) " : ""}minmax(var(--row), 1fr)`);
    this.root.style.gridTemplateRows = `auto ${rows.join(" ")}`;
  }

  /** The line of the grid where a section begins; it ends one further on. */
  row(section) {
    return section + 1 + this.bands.filter((first) => first <= section).length;
  }

  /** -1 before today, 0 today, 1 later; of a term that today is not in all days are before or later. */
  compare(day) {
    if (!this.today) return this.semester.over ? -1 : 1;
    return Math.sign((this.week - this.today.week) * 7 + day - this.today.day_of_week);
  }

  drawHeader() {
    this.keep(["corner"], () => at("1 / 1", el("div", { class: "corner", text: t("grid.section") })));
    for (const day of this.days) {
      const facts = {
        state: ["past", "today", ""][this.compare(day) + 1], date: this.firstDate && dayOfMonth(this.firstDate, day - 1), off: this.offDays?.get(day),
        exams: this.entries.filter((entry) => entry.day_of_week === day && !entry.section_from), loads: this.loads(day), kept: this.keptOn(day),
      };
      this.keep([day, facts], () => this.dayHead(day, facts));
    }
  }

  /** What the day keeps free, each with its hours where that is not the whole day. */
  keptOn(day) {
    const times = this.semester.section_times;
    return this.keptFree.filter((one) => one.day_of_week === day).map(({ name, section_from: from, section_to: to }) => (
      from === 1 && to === times.length ? name : `${name} ${times[from - 1][0]}–${times[to - 1][1]}`));
  }

  dayHead(day, { state, date, off, exams, loads, kept }) {
    return at(`1 / ${this.column(day)}`, el("div", { class: `day-head ${state}` },
      el("span", { text: weekday(day) }),
      date && el("b", { text: date }),
      state === "today" && el("span", { class: "hidden-text", text: t("grid.today") }),
      off && el("span", { class: "off-day", text: off, attrs: { title: off } }),
      kept.map((text) => el("span", { class: "off-day kept-free", text, attrs: { title: text } })),
      exams.map((entry) => el("span", { class: "off-day", text: `${entry.start_time} ${entry.name}`, attrs: { title: entry.name } })),
      el("span", { class: "loads", attrs: { title: t("grid.loads") } }, loads.map((text) => el("span", { text })))));
  }

  loads(day) {
    const sections = (type) => this.entries.filter((entry) => entry.day_of_week === day && entry.type === type && entry.section_from && !entry.interrupted)
      .reduce((sum, entry) => sum + entry.section_to - entry.section_from + 1, 0);
    return [t("grid.lessons", { count: sections("course") }), t("grid.tasks", { count: sections("task") })];
  }

  drawBackdrop(sections) {
    for (const first of this.bands) {
      this.keep(["band", first], () => at(`${this.row(first) - 1} / 1 / auto / -1`, el("div", { class: "band", attrs: { "aria-hidden": "true" } })));
    }
    const isKept = (day, section) => this.keptFree.some((one) => one.day_of_week === day && one.section_from <= section && section <= one.section_to);
    const looks = this.days.map((day) => [day, `cell ${["past", "today", ""][this.compare(day) + 1]}${this.outside(day) ? " outside" : ""}`]);
    for (let section = 1; section <= sections; section += 1) {
      const [from, to] = this.semester.section_times[section - 1];
      this.keep(["section", section, from, to], () => at(`${this.row(section)} / 1`,
        el("div", { class: "section-head" }, el("b", { text: section }), el("small", { text: from }), el("small", { text: to }))));
      for (const [day, plain] of looks) {
        const look = isKept(day, section) ? `${plain} kept-free` : plain;
        this.keep([section, day, look], () => at(`${this.row(section)} / ${this.column(day)}`, el("div", { class: look, data: { day, section } })));
      }
    }
  }

  /** Whether the clock stands inside it. */
  isNow(entry) {
    const clock = this.clock?.();
    const times = this.semester.section_times;
    return Boolean(clock) && this.compare(entry.day_of_week) === 0 && times[entry.section_from - 1][0] <= clock && clock < times[entry.section_to - 1][1];
  }

  /** Where today stands now: in the row of the running section, or of the next one. */
  drawNowLine() {
    const day = this.days.find((one) => this.compare(one) === 0);
    const clock = this.clock?.();
    if (!day || !clock) return;
    const row = this.semester.section_times.findIndex(([, to]) => clock < to);
    if (row < 0) return;
    const [from, to] = this.semester.section_times[row].map(minutes);
    const share = Math.min(1, Math.max(0, (minutes(clock) - from) / (to - from)));
    this.keep(["now", day, row, share], () => {
      const line = at(`${this.row(row + 1)} / ${this.column(day)}`, el("div", { class: "now-line", attrs: { "aria-hidden": "true" } }));
      line.style.top = `${Math.round(share * 100)}%`;
      return line;
    });
  }

  drawBlock(entry, entries) {
    const task = entry.type === "task";
    const guest = task ? this.isGuest(entry, entries) : wasGuest(entry, entries);
    const hosting = entry.type === "course" && entries.some((other) => other.type === "task" ? this.isGuest(other, [entry]) : wasGuest(other, [entry]));
    const over = entry.type === "exam" && entries.some((other) => other !== entry && !BELOW.has(other.type) && meet(entry, other));
    const clash = task && entry.status !== "removed" && entries.find((other) => other.type === "exam" && meet(entry, other))?.name;
    const look = entry.task_class_id && [this.look.of(entry.task_class_id), this.hidden?.has(entry.task_class_id), this.isNow(entry)];
    this.keep([entry, guest, hosting, over, clash, look], () => {
      const node = task ? this.task(entry, clash) : this.lesson(entry);
      node.classList.toggle("short", entry.section_from === entry.section_to);
      node.classList.toggle("hosting", hosting);
      node.classList.toggle("guest", guest);
      node.classList.toggle("over", over);
      return at(`${this.row(entry.section_from)} / ${this.column(entry.day_of_week)} / ${this.row(entry.section_to) + 1}`, node);
    });
  }

  isGuest(entry, entries) {
    return entries.some((host) => host !== entry && host.type === "course" && host.event_id === entry.event_id
      && entry.event_id && host.day_of_week === entry.day_of_week && host.section_from <= entry.section_from);
  }

  /** The page where this lesson, of this week alone, is moved or called off, or the exam is changed; Tab goes from block to block. */
  leadsTo(entry) {
    const page = entry.type === "exam" ? `exams/${entry.exam_id}` : `lessons/${entry.event_id}`;
    return { href: `/courses/${page}?next=${encodeURIComponent(`/week/${this.week}`)}`, tabindex: -1, draggable: "false" };
  }

  /** A lesson that does not take place: quiet, below whatever stands there instead. */
  fallen(entry) {
    const label = words(entry, t("grid.interrupted"));
    return el("a", { class: "entry fallen", attrs: { ...this.leadsTo(entry), "aria-label": label, title: label } },
      el("span", { class: "entry-name", text: entry.name }), el("span", { class: "entry-note" }, el("span", { class: "entry-mark quiet-mark", text: t("grid.interrupted") })));
  }

  /** What was done in part, where it stood; its rest stands elsewhere, or waits. */
  part(entry) {
    const label = words({ ...entry, name: this.look.spoken(entry) }, t("progress.partial"));
    return el("div", {
      class: `entry task part ${this.look.colorClass(entry.task_class_id)}${this.hidden?.has(entry.task_class_id) ? " faded" : ""}`,
      attrs: { role: "group", "aria-label": label, title: words(entry, t("progress.partial")) },
    },
    el("span", { class: "entry-line" }, this.look.seal(entry.task_class_id), el("span", { class: "entry-name", text: entry.name })),
    el("span", { class: "entry-note" }, el("span", { text: t("progress.partial") })));
  }

  lesson(entry) {
    if (entry.type === "fallen") return this.fallen(entry);
    if (entry.type === "part") return this.part(entry);
    const changed = entry.change && CHANGED.has(entry.change.kind) ? t(`change.${entry.change.kind}`) : "";
    const mark = entry.interrupted ? t("grid.interrupted") : changed;
    const note = [mark, entry.can_be_embedded && t("grid.embeddable")].filter(Boolean).join(" · ");
    const color = Number.isInteger(entry.color_index) ? ` c${entry.color_index}` : "";
    return el("a", {
      class: `entry ${entry.type === "exam" ? "exam" : "course"}${color}${entry.interrupted ? " interrupted" : ""}${entry.can_be_embedded ? " embeddable" : ""}`,
      attrs: { ...this.leadsTo(entry), "aria-label": words(entry, note), title: words(entry, note) }, data: { event: entry.event_id },
    }, el("span", { class: "entry-name", text: entry.name }), el("span", { class: "entry-note" }, el("span", { text: entry.location || "" }),
      mark ? el("span", { class: "entry-mark quiet-mark", text: mark }) : entry.can_be_embedded && el("span", { class: "entry-state" }, icon("frame"))));
  }

  /** What the draft takes off: where it stands on the timetable until then. */
  removedTask(entry) {
    const state = t("grid.removed");
    return el("div", {
      class: "entry task removed", attrs: { role: "group", "aria-label": words(entry, state), title: words(entry, state) },
    },
    el("span", { class: "entry-line" }, this.look.seal(entry.task_class_id, "out"), el("span", { class: "entry-name", text: entry.name })),
    el("span", { class: "entry-note" }, el("span", { class: "entry-state" }, el("span", { class: "entry-mark", text: t("mark.removed") }))));
  }

  /** `clash` names an exam at its time. */
  task(entry, clash = "") {
    if (entry.status === "removed") return this.removedTask(entry);
    const { look } = this;
    const draft = entry.status === "suggested";
    const marked = !draft && entry.progress && entry.progress !== "open" ? entry.progress : "";
    const progress = marked || (!draft && this.isNow(entry) ? "now" : "");
    const state = draft ? t(entry.moved ? "grid.unsaved" : "grid.suggested") : t(progress ? `progress.${progress}` : "grid.applied");
    const kind = [draft ? "suggested" : "applied", draft && entry.change === "moved" && "moved", progress,
      this.hidden?.has(entry.task_class_id) && "faded", clash && "clash", look.colorClass(entry.task_class_id)];
    const number = [this.semester.section_times[entry.section_from - 1][0], look.numberText(entry)].filter(Boolean).join(" · ");
    const label = words({ ...entry, name: look.spoken(entry) }, [state, entry.pinned && t("grid.pinned"), clash && t("grid.clash", { name: clash })].filter(Boolean).join(t("comma")));
    return el("div", {
      class: `entry task ${kind.filter(Boolean).join(" ")}`,
      attrs: { role: "button", tabindex: -1, "aria-roledescription": t("grid.movable"), "aria-label": label, title: words(entry, clash ? t("grid.clash", { name: clash }) : state) },
      data: { item: entry.task_item_id },
    },
    el("span", { class: "entry-line" }, look.seal(entry.task_class_id), el("span", { class: "entry-name", text: entry.name }), entry.pinned && icon("pin")),
    el("span", { class: "entry-note" }, el("span", { text: number }), el("span", { class: "entry-state" }, stateMark(entry, draft, progress, state))));
  }

  /** Mark what the item in hand, `length` sections long, could cover, and the lessons it could be done in. */
  markLegal(judge, length = 1) {
    const covered = { ok: new Set(), warned: new Set() };
    const hosts = new Set();
    for (const day of judge ? this.days : []) {
      for (let first = 1; first + length - 1 <= this.semester.section_times.length; first += 1) {
        const { state, host, rules } = judge(day, first);
        // That time has passed is seen anyway.
        if (rules.includes("in_the_past")) continue;
        if (host && state === "ok") hosts.add(host);
        for (let offset = 0; covered[state] && offset < length; offset += 1) covered[state].add(`${day}:${first + offset}`);
      }
    }
    for (const cell of this.root.querySelectorAll(".cell")) {
      const key = `${cell.dataset.day}:${cell.dataset.section}`;
      cell.classList.toggle("legal", covered.ok.has(key));
      cell.classList.toggle("warned", !covered.ok.has(key) && covered.warned.has(key));
    }
    for (const node of this.root.querySelectorAll("[data-event]")) node.classList.toggle("takes", hosts.has(Number(node.dataset.event)));
  }

  markHeld(itemId) {
    for (const node of this.root.querySelectorAll(".entry[data-item]")) {
      node.classList.toggle("held", Number(node.dataset.item) === itemId);
    }
  }

  /** `state` is ok, warned, bad or unknown. */
  showGhost(place, state, name, reason) {
    if (!this.days.includes(place.day_of_week)) return this.hideGhost();
    this.ghost.className = `ghost ${state}`;
    replace(this.ghost, name, reason && el("small", { text: reason }));
    this.ghost.style.gridArea = `${this.row(place.section_from)} / ${this.column(place.day_of_week)} / ${this.row(place.section_to) + 1} / span 1`;
    if (this.ghost.parentElement !== this.root) this.root.append(this.ghost);
    return undefined;
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
    const scroller = scrollerOf(this.root);
    const box = node.getBoundingClientRect();
    const frame = scroller.getBoundingClientRect();
    scroller.scrollLeft += Math.max(0, box.right - frame.right) || Math.min(0, box.left - frame.left - HEAD_PX);
    scroller.scrollTop += Math.max(0, box.bottom - frame.bottom) || Math.min(0, box.top - frame.top - HEAD_PX);
  }

  /** A pointer near an edge of the visible part scrolls it. */
  scrollNear(x, y) {
    const scroller = scrollerOf(this.root);
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

/** What was: it lies below what stands there now. */
const BELOW = new Set(["fallen", "part"]);

/** Why a lesson stands where the weekly pattern does not have it; only those the student cares to see at once. */
const CHANGED = new Set(["moved", "added", "room", "makeup"]);

export function icon(name) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("class", "i small");
  svg.setAttribute("aria-hidden", "true");
  const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
  use.setAttribute("href", `#i-${name}`);
  svg.append(use);
  return svg;
}

/** Only what is new is put in and only what is gone is taken out, so that the rest needs no new layout. */
function setChildren(root, nodes) {
  const wanted = new Set(nodes);
  for (const node of [...root.childNodes]) if (!wanted.has(node)) node.remove();
  let next = root.firstChild;
  for (const node of nodes) {
    if (node === next) next = node.nextSibling;
    else root.insertBefore(node, next);
  }
}

function at(area, node) {
  node.style.gridArea = area;
  return node;
}

function stateMark(entry, draft, progress, state) {
  if (draft) return el("span", { class: "entry-mark", text: t(`mark.${entry.change || "new"}`) });
  if (progress === "done") return icon("check");
  return progress ? state : "";
}

function byTime(a, b) {
  return BELOW.has(b.type) - BELOW.has(a.type) || a.day_of_week - b.day_of_week || a.section_from - b.section_from || b.section_to - a.section_to;
}

function words(entry, note) {
  const place = t("grid.entry", { when: whenWords(entry), name: entry.name });
  return [place, entry.type === "task" ? "" : entry.location, note].filter(Boolean).join(t("comma"));
}

/** Whether a part was done in a lecture. */
function wasGuest(entry, entries) {
  return entry.type === "part" && entries.some((host) => host.type === "course" && meet(entry, host));
}

/** Whether two blocks of the week share a section. */
function meet(one, other) {
  return one.day_of_week === other.day_of_week && one.section_from <= other.section_to && other.section_from <= one.section_to;
}

function minutes(clock) {
  const [hour, minute] = clock.split(":");
  return Number(hour) * 60 + Number(minute);
}

export function dateOf(first, days) {
  const date = new Date(`${first}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + days);
  return date;
}

function dayOfMonth(first, days) {
  return String(dateOf(first, days).getUTCDate());
}
