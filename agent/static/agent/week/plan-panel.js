// The right side: week grid, unplaced items, save, apply, undo.

import { ApiError, envelope, get, newKey, post, send } from "../api.js";
import { goToWeek, weekAsked } from "../address.js";
import { DayStrip } from "./grid/day-strip.js";
import { ask } from "../dialog.js";
import { byId, el, keepingFocus, live, replace, whileBusy } from "../dom.js";
import { buildItemsFromEntries, Draft } from "./draft/draft.js";
import { DragControl } from "./hand/drag.js";
import { BlockSheet, whenText } from "./block/block-sheet.js";
import { dateOf, WeekGrid } from "./grid/grid.js";
import { monthName, ruleText, t, told } from "../i18n.js";
import { LegalPlaces, UNKNOWN } from "./hand/legal-places.js";
import { ReviewSheet } from "./draft/review-sheet.js";
import { keep, kept } from "../keep.js";
import { TaskLook } from "./task-look.js";
import { listenToSwipes } from "./grid/swipe.js";
import { dated, rememberNames, rememberTerm, whenWords } from "./term.js";
import { toast, toastError } from "../toast.js";
import { UnplacedList } from "./unplaced-list.js";
import { WeekKeys } from "./grid/week-keys.js";
import { WeekTabs } from "./grid/week-tabs.js";

export class PlanPanel {
  /** `onApplied()`: the timetable has changed; `onConversation(id)`: a draft was opened in a new conversation; `onAssistant()`: it is wanted; `onNames()`: names were learnt that look like places. */
  constructor({ onApplied, onConversation, onAssistant, onNames }) {
    Object.assign(this, { onApplied, onConversation, onAssistant, onNames });
    this.draft = new Draft();
    this.conversationId = "";
    this.weekNumber = 1;
    this.wantedWeek = 1;
    this.weeks = new Map();
    this.days = narrow() ? 3 : 7;
    this.firstDay = 1;
    this.hidden = new Set();
    this.classes = [];
    this.terms = new Map();
    this.look = new TaskLook();
    this.grid = new WeekGrid(byId("week-grid"));
    this.sheet = new BlockSheet(byId("block-sheet"));
    this.saving = null;
    this.review = new ReviewSheet(byId("review"), this.reviewHost());
    this.tabs = new WeekTabs({
      root: byId("week-tabs"), back: byId("week-back"), next: byId("week-next"),
      onChoose: (week) => this.turnTo(week),
    });
    this.unplaced = new UnplacedList({
      root: byId("unplaced"), tab: byId("unplaced-tab"), other: byId("chat-tab"), side: byId("chat"), plan: byId("grid-scroller"),
      onPlace: (itemId) => this.drag.pickUp(itemId),
    });
    this.strip = new DayStrip(byId("day-strip"), (day) => this.showFrom(day));
    this.drag = new DragControl(this.grid, byId("main"), this.dragHost());
    this.keys = new WeekKeys(byId("week-grid"), { help: byId("help"), holding: () => Boolean(this.drag.held), does: this.keyed() });
    listenToSwipes(byId("grid-scroller"), (step) => this.turnDays(step));
    this.bindButtons();
  }

  dragHost() {
    return {
      handleOf: (itemId) => this.draft.handle(itemId) || this.appliedHandle(itemId),
      week: () => this.weekNumber,
      turnTo: (week) => this.turnTo(week),
      turnBy: (weeks) => this.turnTo(this.wantedWeek + weeks),
      held: (handle) => this.askPlaces(handle).catch(toastError),
      judge: (handle, place) => (this.places?.itemId === handle.task_item_id ? this.places.verdict(place) : UNKNOWN),
      drop: (handle, place) => this.drop(handle, place),
      announce: (handle, place, verdict) => this.announce(handle, place, verdict),
      reasonOf: (verdict) => reasonOf(verdict),
      open: (itemId, node) => this.openBlock(itemId, node),
      released: () => this.released(),
      redraw: () => this.draw(),
      sections: 12,
    };
  }

  /** What the keys of the week do; see the help for them. */
  keyed() {
    const onBlock = (name) => (itemId) => {
      const entry = this.entryOf(itemId);
      const action = entry && this.actionsOf(entry).find((one) => one.icon === name);
      action?.run();
    };
    return {
      t: () => this.showToday(), 1: () => this.showDays(1), 3: () => this.showDays(3), 7: () => this.showDays(7),
      pageup: () => this.turnTo(this.wantedWeek - 1), pagedown: () => this.turnTo(this.wantedWeek + 1),
      p: onBlock("pin"), d: onBlock("check"), delete: onBlock("out"),
      a: () => byId("review-open").hidden || byId("review-open").click(),
      "/": () => this.onAssistant(),
      "ctrl+z": () => byId("undo").hidden || byId("undo").click(),
    };
  }

  reviewHost() {
    return {
      look: () => this.look,
      week: () => this.weekNumber,
      sectionsOn: (day) => this.sectionsOn(day),
      drop: (ids) => this.dropChanges(ids).catch((error) => this.refused(error)),
      apply: () => this.apply().then(() => byId("review").close()).catch((error) => this.refused(error)),
      discard: () => this.discardDraft().catch((error) => this.refused(error)),
    };
  }

  bindButtons() {
    byId("save").addEventListener("click", (event) => this.guard(event, () => this.saveMoves()));
    byId("review-open").addEventListener("click", (event) => this.guard(event, () => this.openReview()));
    window.addEventListener("online", () => this.saveSoon());
    byId("discard").addEventListener("click", () => this.discard());
    byId("throw-away").addEventListener("click", () => this.discardDraft().catch((error) => this.refused(error)));
    byId("apply").addEventListener("click", (event) => this.guard(event, () => this.apply()));
    byId("undo").addEventListener("click", (event) => this.guard(event, () => this.undo()));
    byId("bare-close").addEventListener("click", () => {
      keep("bare-closed", true);
      this.draw();
    });
    byId("week-today").addEventListener("click", () => this.showToday());
    for (const choice of live.querySelectorAll("[data-days]")) choice.addEventListener("click", () => this.showDays(Number(choice.dataset.days)));
  }

  async guard(event, work) {
    this.busy = true;
    byId("undo").disabled = true; // what it takes back may just be changing
    await whileBusy(event.currentTarget, () => work().catch((error) => this.refused(error)));
    this.busy = false;
    this.drawButtons();
  }

  /** What was refused for something another tab or device did is tried again from there. */
  async refused(error) {
    toastError(error);
    if (error.status === 409 || error.status === 422) await this.reloadAll().catch(toastError);
  }

  get sections() {
    return this.semester.section_times.length;
  }

  /** Everything is asked at once; the week that the address names, else the current one. */
  async start() {
    const asked = weekAsked();
    const current = () => get("/schedule/week");
    const week = asked ? get(`/schedule/week?week=${asked}`).catch(current) : current();
    const [semester, shown] = await Promise.all([get("/schedule/semester"), week, this.refreshBatches(), this.loadTerm()]);
    this.semester = semester;
    rememberTerm(semester);
    this.drag.host.sections = this.sections;
    this.drawDays();
    const { today } = semester;
    if (this.days < 7 && today?.week === shown.week) this.firstDay = today.day_of_week;
    this.weeks.set(shown.week, shown);
    await this.setWeek(shown.week);
  }

  /** The load, the exams and the days off of every week. */
  async loadTerm() {
    const term = await get("/schedule/term").catch(() => null);
    this.terms = new Map((term?.weeks || []).map((one) => [one.week, one]));
  }

  /** The overview of every week as the draft would make it. */
  loads() {
    const loads = new Map([...this.terms].map(([week, one]) => [week, { ...one }]));
    const add = (place, sign) => {
      const one = place && loads.get(place.week);
      if (one) one.task_sections += sign * (place.section_to - place.section_from + 1);
    };
    const { new: added = [], moved = [], removed = [] } = this.draft.preview?.difference || {};
    for (const row of [...added, ...moved]) add(row.after, 1);
    for (const row of [...moved, ...removed]) add(row.before, -1);
    return loads;
  }

  // --- which days ----------------------------------------------------------------------------------------------------

  shownDays() {
    const last = Math.min(7, this.firstDay + this.days - 1);
    const first = Math.max(1, last - this.days + 1);
    return Array.from({ length: last - first + 1 }, (_, index) => first + index);
  }

  showDays(days) {
    this.days = days;
    const { today } = this.semester;
    this.firstDay = days < 7 && today?.week === this.weekNumber ? today.day_of_week : 1;
    this.drawDays();
    this.draw();
  }

  /** The days from this one on, of the shown week. */
  showFrom(day) {
    this.firstDay = Math.min(day, 8 - this.days);
    this.draw();
  }

  /** The days beside those that are shown, in the week beside when this one ends. */
  async turnDays(step) {
    const first = this.firstDay + step * this.days;
    const inside = this.days < 7 && first > 1 - this.days && first <= 7;
    if (inside) return this.showFrom(Math.max(1, first));
    const before = this.weekNumber;
    this.firstDay = step > 0 ? 1 : 8 - this.days;
    await this.turnTo(this.weekNumber + step);
    if (this.weekNumber === before) this.firstDay = step > 0 ? 8 - this.days : 1;
    return this.draw();
  }

  drawStrip(entries) {
    const first = this.weeks.get(this.weekNumber)?.first_date;
    const { today } = this.semester;
    this.strip.render({
      hidden: this.days === 7 || !first, shown: this.shownDays(), today: today?.week === this.weekNumber ? today.day_of_week : 0,
      dateOf: (day) => String(dateOf(first, day - 1).getUTCDate()),
      count: (day) => entries.filter((entry) => entry.type === "task" && entry.status !== "removed" && entry.day_of_week === day).length,
    });
  }

  drawDays() {
    for (const choice of live.querySelectorAll("[data-days]")) choice.setAttribute("aria-pressed", String(Number(choice.dataset.days) === this.days));
  }

  async showToday() {
    const { today } = this.semester;
    if (!today) return;
    this.firstDay = this.days < 7 ? today.day_of_week : 1;
    await this.turnTo(today.week);
    this.draw();
  }

  // --- what is shown -----------------------------------------------------------------------------------------------

  /** The shown week changes with its data; of several turns the last one counts. */
  async setWeek(week) {
    const wanted = Math.min(this.semester.weeks, Math.max(1, week));
    this.wantedWeek = wanted;
    if (!this.weeks.has(wanted)) {
      const { weeks } = this;
      weeks.set(wanted, await get(`/schedule/week?week=${wanted}`));
    }
    if (this.wantedWeek !== wanted) return;
    this.weekNumber = wanted;
    this.draw();
  }

  async turnTo(week, { quiet = false } = {}) {
    try {
      await this.setWeek(week);
      if (!quiet) goToWeek(this.weekNumber);
    } catch (error) {
      this.wantedWeek = this.weekNumber;
      toastError(error);
    }
  }

  entriesOfWeek() {
    const shown = this.weeks.get(this.weekNumber);
    const fallen = (shown?.fallen_out || []).map((event) => ({ ...entriesOfEvent(event, this.weekNumber)[0], type: "fallen" }));
    const timetable = [...fallen, ...(shown?.events || []).flatMap((event) => entriesOfEvent(event, this.weekNumber))];
    if (!this.draft.exists) return timetable;
    const inside = (entry) => this.draft.inWindow(entry);
    const places = new Map(timetable.filter((entry) => entry.type === "course").map((entry) => [entry.event_id, entry.location]));
    const planned = this.draft.entries().filter((entry) => entry.week === this.weekNumber)
      .map((entry) => (entry.type === "course" ? { ...entry, location: places.get(entry.event_id) || "" } : this.named(entry)));
    const stays = (entry) => entry.type === "fallen" || !inside(entry) && !(entry.type === "task" && this.draft.changes(entry.task_item_id));
    return [...timetable.filter(stays), ...this.draft.removed(this.weekNumber), ...planned];
  }

  /** An entry of the preview with the ids of its item and class, which those on the timetable have under other names. */
  named(entry) {
    const itemId = entry.task_item_id || entry.item_id || 0;
    const change = entry.moved || this.draft.wasMoved(itemId) ? "moved" : "new";
    return { ...entry, task_item_id: itemId, task_class_id: entry.task_class_id || entry.class_id || 0, change };
  }

  draw() {
    const entries = this.entriesOfWeek();
    keepingFocus(byId("main"), () => {
      this.grid.render({
        semester: this.semester,
        week: this.weekNumber,
        days: this.shownDays(),
        entries,
        firstDate: this.weeks.get(this.weekNumber)?.first_date,
        offDays: new Map((this.weeks.get(this.weekNumber)?.days || []).map((day) => [day.day_of_week, day.name])),
        today: this.semester.today,
        clock: () => clockIn(this.semester.time_zone),
        held: this.drag.heldItem,
        look: this.look,
        hidden: this.hidden,
        outside: (day) => this.draft.exists && !this.draft.inWindow({ week: this.weekNumber, day_of_week: day }),
      });
      this.keys.settle();
      this.unplaced.render(this.draft.unplaced(), this.look);
      this.drawStrip(entries);
      this.drawBare(entries);
    });
    this.drawWeeks();
    this.drawButtons();
    if (this.drag.held) this.drag.mark();
  }

  /** Where nothing was ever planned: what there is, and the doors that lead on. */
  drawBare(entries) {
    const root = byId("bare");
    const planned = this.draft.exists || this.running || this.classes.some((one) => one.applied_count);
    root.hidden = !this.classesKnown || planned || this.weekNumber < (this.semester.today?.week || 1) || Boolean(kept("bare-closed"));
    if (root.hidden) return;
    const lessons = entries.filter((entry) => entry.type === "course");
    const taken = lessons.reduce((sum, { section_from: from, section_to: to }) => sum + to - from + 1, 0);
    const ids = this.classes.filter((one) => one.mode === "auto").map((one) => one.id);
    const there = lessons.length
      ? t("bare.lessons", { count: new Set(lessons.map((one) => one.name)).size, free: 7 * this.sections - taken }) : t("bare.no_lessons");
    byId("bare-words").textContent = there;
    byId("bare-next").textContent = t(ids.length ? "bare.plan" : "bare.write");
    byId("bare-plan").hidden = !ids.length;
    byId("bare-plan").href = `/chat?classes=${ids.join(",")}&message=${encodeURIComponent(t("bare.wish"))}`;
    byId("bare-task").classList.toggle("primary", !ids.length);
    byId("bare-import").hidden = lessons.length > 0 && ids.length > 0;
  }

  /** Sections of tasks on a day of the shown week, as the draft has them. */
  sectionsOn(day) {
    return this.entriesOfWeek().filter((one) => one.type === "task" && one.status !== "removed" && one.day_of_week === day)
      .reduce((sum, { section_from: from, section_to: to }) => sum + to - from + 1, 0);
  }

  drawTitle() {
    byId("week-title").textContent = t("grid.week", { week: this.weekNumber });
    byId("print-week").search = `?week=${this.weekNumber}`;
    const first = this.weeks.get(this.weekNumber)?.first_date;
    if (!first) return;
    const [from, to] = [dateOf(first, 0), dateOf(first, 6)];
    const words = (key, date) => t(key, { month: monthName(date.getUTCMonth() + 1), day: date.getUTCDate() });
    const end = words(from.getUTCMonth() === to.getUTCMonth() ? "date.day" : "date", to);
    byId("week-dates").textContent = `${words("date", from)} – ${end} · ${t(this.weekNumber % 2 ? "week.odd" : "week.even")}`;
  }

  drawLegend() {
    const shown = this.classes.filter((one) => one.applied_count || this.draft.preview?.task_class_ids?.includes(one.id)).slice(0, LEGEND_MAX);
    replace(byId("class-legend"), shown.map((one, index) => el("button", {
      class: `legend-chip ${this.look.colorClass(one.id)}${index < LEGEND_NAMED ? " named" : ""}`,
      attrs: { type: "button", "aria-pressed": String(!this.hidden.has(one.id)), title: one.name }, data: { class: one.id },
      on: { click: () => this.toggleClass(one.id) },
    }, this.look.seal(one.id), el("span", { class: "legend-name", text: one.name }), el("span", { class: "hidden-text", text: one.name }))));
  }

  toggleClass(id) {
    if (!this.hidden.delete(id)) this.hidden.add(id);
    this.draw();
    byId("class-legend").querySelector(`[data-class="${id}"]`)?.focus();
  }

  drawWeeks() {
    this.drawTitle();
    this.drawLegend();
    const busy = new Set(this.draft.entries().filter((entry) => entry.status === "suggested").map((entry) => entry.week));
    this.tabs.render({ weeks: this.semester.weeks, week: this.weekNumber, busy, now: this.semester.today?.week || 0, terms: this.loads() });
  }

  drawButtons() {
    const { differs } = this.draft;
    const waiting = this.draft.dirty && !this.saving;
    byId("save").hidden = !waiting;
    byId("save").disabled = !waiting;
    byId("discard").hidden = !waiting;
    byId("review-open").hidden = !differs;
    byId("apply").disabled = !this.draft.exists || this.running || !differs;
    byId("apply").hidden = byId("throw-away").hidden = !this.draft.exists || !differs;
    byId("undo").disabled = !this.lastBatch || this.busy;
    byId("undo").hidden = !this.lastBatch;
    byId("dock").className = `dock ${waiting ? "refused" : this.draft.exists && differs ? "draft" : ""}`;
    const count = document.getElementById("draft-count");
    const changes = this.draft.preview?.difference.changed ?? 0;
    if (count) {
      count.hidden = !changes;
      count.textContent = changes || "";
    }
    const words = this.summary();
    if (byId("plan-summary").textContent !== words) byId("plan-summary").textContent = words;
  }

  /** What the dock says: how much the draft changes, and whether it is saved. */
  summary() {
    if (!this.draft.exists) return t("plan.none");
    const { new: added, moved, removed } = this.draft.preview.difference;
    const counts = [["new", added], ["moved", moved], ["removed", removed]].filter(([, rows]) => rows.length)
      .map(([kind, rows]) => t(`dock.${kind}`, { count: rows.length }));
    const unplaced = this.draft.unplaced().length;
    return [
      counts.length ? told(t("dock.draft"), counts.join(t("comma"))) : !this.draft.dirty && t("dock.same"),
      unplaced > 0 && t("dock.unplaced", { count: unplaced }),
      this.draft.dirty ? t(this.saving ? "dock.saving" : "plan.unsaved", { count: this.draft.moves.size }) : counts.length > 0 && t("saved"),
    ].filter(Boolean).join(" · ");
  }

  // --- one block -----------------------------------------------------------------------------------------------------

  openBlock(itemId, node) {
    const entry = this.entryOf(itemId);
    if (!entry) return;
    this.sheet.open({
      seal: this.look.seal(entry.task_class_id), title: entry.name, near: node,
      facts: this.factsOf(entry), actions: this.actionsOf(entry), reason: entry.week ? this.whyOf(entry) : null,
    });
  }

  /** Takes a block of the shown week into the hand. */
  lift(itemId) {
    const entry = this.entryOf(itemId);
    if (!entry?.week) return;
    if (!this.shownDays().includes(entry.day_of_week)) this.showFrom(entry.day_of_week);
    this.drag.pickUp(itemId);
  }

  entryOf(itemId) {
    return this.entriesOfWeek().find((one) => one.type === "task" && itemId && one.task_item_id === itemId)
      || this.draft.unplaced().find((one) => one.task_item_id === itemId);
  }

  /** One sentence; nothing when there is none to give. */
  async whyOf(entry) {
    const body = { task_item_id: entry.task_item_id, conversation_id: this.draft.exists ? this.conversationId : undefined };
    return dated((await post("/agent/why", body)).message);
  }

  factsOf(entry) {
    const { first_monday: monday, section_times: times } = this.semester;
    const draft = entry.status === "suggested";
    const state = !entry.week ? t("block.unplaced") : t(draft ? "block.draft" : `progress.${entry.progress || "open"}`);
    const number = entry.task_order ? t("grid.number", { order: entry.task_order, total: entry.task_total }) : "";
    return [
      [t("block.task"), [this.look.className(entry.task_class_id), number].filter(Boolean).join(" · ")],
      entry.week && [t("block.time"), whenText(entry, monday, times)],
      this.hostOf(entry) && [t("block.host"), this.hostOf(entry)],
      [t("block.state"), [state, entry.pinned && t("grid.pinned")].filter(Boolean).join(" · ")],
      entry.rule && [t("block.why"), ruleText(entry.rule)],
    ].filter(Boolean);
  }

  hostOf(entry) {
    if (!entry.week || !entry.event_id) return "";
    const host = this.entriesOfWeek().find((one) => one.type === "course" && one.event_id === entry.event_id);
    return host ? [host.name, host.location].filter(Boolean).join(" · ") : "";
  }

  actionsOf(entry) {
    const draft = entry.status === "suggested" || !entry.week;
    const mark = (progress, name) => ({ icon: name, label: t(`action.${progress}`), run: () => this.act(() => this.mark(entry, progress)) });
    if (draft) return this.draftActions(entry);
    const begun = this.hasBegun(entry);
    return [
      this.appliedHandle(entry.task_item_id) && { icon: "move", label: t("action.move"), run: () => this.drag.pickUp(entry.task_item_id) },
      entry.progress === "open" || !begun ? mark("done", "check") : mark("open", "clock"),
      begun && entry.progress !== "missed" && mark("missed", "x"),
      begun && entry.section_to > entry.section_from && mark("partial", "clock"),
      { icon: "pin", label: t(entry.pinned ? "action.unpin" : "action.pin"), run: () => this.act(() => this.pin(entry)) },
      !begun && { icon: "out", label: t("action.takeOff"), run: () => this.act(() => this.takeOff(entry)) },
    ].filter(Boolean);
  }

  /** What is not on the timetable yet is moved, pinned or left out of the draft. */
  draftActions(entry) {
    const move = { icon: "move", label: t(entry.week ? "action.move" : "action.place"), run: () => this.drag.pickUp(entry.task_item_id) };
    if (!entry.week || this.draft.moves.has(entry.task_item_id)) return [move];
    const out = () => this.dropChanges([entry.task_item_id]).catch((error) => this.refused(error));
    return [move, { icon: "pin", label: t(entry.pinned ? "action.unpin" : "action.pin"), run: () => this.pinDraft(entry) },
      { icon: "out", label: t(entry.change === "moved" ? "review.stay" : "review.drop"), run: out }];
  }

  async pinDraft(entry) {
    try {
      const body = { conversation_id: this.conversationId, task_item_ids: [entry.task_item_id] };
      await post(`/agent/draft-${entry.pinned ? "unpin" : "pin"}`, body);
      await this.loadPreview();
    } catch (error) {
      await this.refused(error);
    }
  }

  hasBegun(entry) {
    const { today, time_zone: zone, section_times: times } = this.semester;
    if (!today) return false;
    const days = (entry.week - today.week) * 7 + entry.day_of_week - today.day_of_week;
    return days < 0 || (days === 0 && times[entry.section_from - 1][0] <= clockIn(zone));
  }

  /** What changes the timetable at once; it can be undone from the dock. */
  async act(work) {
    try {
      await work();
      await this.reloadAll();
      this.onApplied();
    } catch (error) {
      await this.refused(error);
    }
  }

  async mark(entry, progress) {
    await post(`/schedule/task-items/${entry.task_item_id}/progress`, { progress });
    toast(t(`marked.${progress}`, { name: entry.name }), "success");
  }

  /** What is pinned is moved by nobody but the student. */
  async pin(entry) {
    await post(`/schedule/task-items/${entry.task_item_id}/${entry.pinned ? "unpin" : "pin"}`, undefined, { key: newKey() });
  }

  async takeOff(entry) {
    await post(`/schedule/task-items/${entry.task_item_id}/undo`, undefined, { key: newKey() });
    toast(t("taken", { name: entry.name }), "success");
  }

  /** Shown beside the grid and read aloud. */
  announce(handle, place, verdict) {
    byId("in-hand").textContent = told(`${handle.name} → ${whenWords(place)}`, reasonOf(verdict));
  }

  /** Ask where the item in hand may go; until the answer is there nothing is marked. */
  async askPlaces(handle) {
    const itemId = handle.task_item_id;
    this.places = null;
    await this.saving;
    const body = { task_item_id: itemId, conversation_id: this.draft.exists ? this.conversationId : undefined };
    const answer = await post("/agent/legal-places", body);
    if (this.drag.heldItem !== itemId) return;
    this.places = new LegalPlaces(answer);
    this.tabs.markLegal(this.places.weeks());
    this.drag.mark();
  }

  released() {
    byId("in-hand").textContent = "";
    this.places = null;
    this.tabs.markLegal(null);
  }

  /** What stands on the timetable can be lifted into the draft, unless it is done or has begun. */
  appliedHandle(itemId) {
    const entry = this.entriesOfWeek().find((one) => one.type === "task" && one.task_item_id === itemId && one.status === "existing");
    if (!entry || entry.progress === "done" || this.hasBegun(entry)) return null;
    return { ...entry, length: entry.section_to - entry.section_from + 1, from: entry, from_timetable: true };
  }

  /** A draft that has the item's class in it; a conversation is opened for it when there is none. */
  async openDraftFor(handle) {
    if (this.draft.preview?.task_class_ids.includes(handle.task_class_id)) return;
    const opened = await post("/agent/replan", { kind: "hand", conversation_id: this.conversationId || undefined });
    if (opened.conversation_id !== this.conversationId) this.onConversation(opened.conversation_id);
    this.conversationId = opened.conversation_id;
    await this.loadPreview();
  }

  drop(held, place) {
    const verdict = this.drag.host.judge(held, place);
    if (held.from_timetable) this.openDraftFor(held).then(() => this.putDown(held, place, verdict)).catch((error) => this.refused(error));
    else this.putDown(held, place, verdict);
  }

  putDown(held, place, verdict) {
    const handle = this.draft.handle(held.task_item_id) || (held.from_timetable && held);
    if (!handle) return; // a newer draft no longer has it
    if (verdict.state !== "bad") {
      this.draft.move(handle, place, verdict);
      this.keepMoves();
      this.saveSoon();
    } else if (verdict.rules.some((rule) => NEGOTIABLE.has(rule))) this.propose(handle, place).catch((error) => this.refused(error));
    else toast(`${handle.name} → ${whenWords(place)}`, "warning", [reasonOf(verdict)]);
  }

  /** A place that something else holds: the refusal comes with ways out. */
  async propose(handle, place) {
    const { task_item_id, from_timetable } = handle;
    const [item] = buildItemsFromEntries([{ ...place, status: "suggested", task_item_id, from_timetable }]);
    await this.saving;
    await this.postState([item]).catch((error) => {
      if (!error.data?.conflicts) throw error;
      this.offer(handle, place, error.data);
    });
  }

  /** Why it cannot be there, and what could be done instead, to be taken with one press. */
  offer(handle, place, { conflicts, offers = [] }) {
    const reasons = conflicts.map((one) => (one.with ? told(ruleText(one.rule), one.with.name) : ruleText(one.rule))).slice(0, 2);
    const along = offers.filter((one) => one.kind === "shift_followers").map((one) => one.message);
    toast(`${handle.name} → ${whenWords(place)}`, "warning", [...reasons, ...along], offers.map((one) => ({
      label: one.kind === "swap" ? one.message : t(`offer.${one.kind}`, { words: one.message, count: one.items.length - 1 }),
      run: () => this.take(one),
    })));
  }

  async take(offer) {
    try {
      await this.postState(offer.items);
      const own = offer.items.find((item) => !item.by_hand) || offer.items[0];
      if (own.week !== this.weekNumber) await this.turnTo(offer.items[0].week);
    } catch (error) {
      await this.refused(error);
    }
  }

  /** Places that the server has proposed or shall judge; what it takes is drawn. */
  async postState(items) {
    await post("/agent/schedule-state", {
      conversation_id: this.conversationId, revision: this.draft.preview.revision,
      items: items.map(({ task_class_id: _, ...item }) => item),
    });
    await this.loadPreview();
  }

  // --- the draft ---------------------------------------------------------------------------------------------------

  async open(conversationId) {
    if (this.drag.held) this.drag.finish(false);
    await this.saving;
    this.conversationId = conversationId;
    this.draft.clear();
    if (conversationId) await this.loadPreview();
    else this.draw();
    this.restoreMoves();
  }

  keepMoves() {
    const { preview } = this.draft;
    keep("moves", this.draft.dirty && { conversation: this.conversationId, revision: preview.revision, moves: this.draft.changed() });
  }

  /** Own moves from before a reload, while the draft is still the one they were made on. */
  restoreMoves() {
    const own = kept("moves");
    if (own?.conversation !== this.conversationId || own.revision !== this.draft.preview?.revision) return;
    this.draft.restore(own.moves);
    this.draw();
    this.saveSoon();
  }

  /** Events that come close together are answered by one preview: the one that is asked for after the last of them. */
  loadPreview({ show = false } = {}) {
    this.wantsShow ||= show;
    this.nextPreview ??= Promise.resolve(this.preview).catch(() => {}).then(() => {
      const options = { show: this.wantsShow };
      Object.assign(this, { nextPreview: null, wantsShow: false });
      this.preview = this.fetchPreview(options);
      return this.preview;
    });
    return this.nextPreview;
  }

  /** A conversation without a draft has none. */
  async fetchPreview({ show }) {
    const asked = this.conversationId;
    if (!asked) return;
    try {
      const preview = await get(`/agent/schedule-preview?conversation_id=${encodeURIComponent(asked)}`);
      if (asked !== this.conversationId || preview.revision < (this.draft.preview?.revision ?? 0)) return;
      this.draft.load(preview);
      this.learnNames([...preview.hybrid_entries, ...preview.unplaced_items].map((one) => one.name));
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== "40053") throw error;
      if (asked === this.conversationId) this.draft.clear();
    }
    this.draw();
    if (show) await this.showFirstSuggestion();
  }

  async showFirstSuggestion() {
    const suggested = this.draft.entries().filter((entry) => entry.status === "suggested");
    const weeks = suggested.map((entry) => entry.week);
    if (weeks.length && !weeks.includes(this.weekNumber)) await this.setWeek(Math.min(...weeks));
    const [first] = suggested.filter((entry) => entry.week === this.weekNumber).sort((a, b) => a.day_of_week - b.day_of_week);
    if (!first) return;
    if (!this.shownDays().includes(first.day_of_week)) {
      this.firstDay = first.day_of_week;
      this.draw();
    }
    this.grid.reveal(first.task_item_id);
  }

  /** The classes may have changed, and what is applied of them. */
  setClasses(classes) {
    this.classes = classes;
    this.classesKnown = true;
    this.learnNames(classes.map((one) => one.name));
    this.look = new TaskLook(classes);
  }

  setRunning(running) {
    this.running = running;
    if (this.semester) this.drawButtons();
  }

  discard() {
    this.draft.discard();
    this.keepMoves();
    this.draw();
    byId("week-grid").focus({ preventScroll: true });
  }

  /** The draft saves itself; what could not be saved stays, and the button for it shows. */
  saveSoon() {
    if (this.draft.dirty) this.saveMoves();
  }

  /** Saves until nothing is left to save, and answers whether it could; who asks meanwhile waits for the same end. */
  saveMoves() {
    this.saving ??= this.saveAll().then(() => true, (error) => this.refused(error).then(() => false)).finally(() => {
      this.saving = null;
      this.drawButtons();
    });
    this.drawButtons();
    return this.saving;
  }

  async saveAll() {
    while (this.draft.dirty) await this.saveOnce();
  }

  async saveOnce() {
    const moves = this.draft.changed();
    const body = { conversation_id: this.conversationId, items: buildItemsFromEntries(moves), revision: this.draft.preview.revision };
    try {
      await post("/agent/schedule-state", body);
    } catch (error) {
      this.giveBack(moves, error.data?.conflicts);
      throw error;
    }
    await this.loadPreview();
    this.draft.forget(moves);
    this.keepMoves();
    this.draw();
  }

  /** What the server does not allow goes back to where it was; what it could not be asked about stays to be saved. */
  giveBack(moves, conflicts = []) {
    const refused = new Set(conflicts.map((one) => one.task_item_id));
    this.draft.forget(moves.filter((move) => refused.has(move.task_item_id)));
    this.keepMoves();
    this.draw();
  }

  async openReview() {
    if (this.draft.dirty && !(await this.saveMoves())) return;
    this.review.show(await get(`/agent/draft-diff?conversation_id=${encodeURIComponent(this.conversationId)}`));
  }

  async dropChanges(ids) {
    const body = { conversation_id: this.conversationId, task_item_ids: ids, revision: this.draft.preview.revision };
    const difference = await post("/agent/draft-drop", body);
    await this.loadPreview();
    if (difference.changed) this.review.show(difference);
    else byId("review").close();
  }

  async discardDraft() {
    const count = this.draft.preview.difference.changed + this.draft.moves.size;
    if (!(await ask({ title: t("review.discard_title"), text: t("review.discard_text", { count }), action: t("review.discard"), danger: true }))) return;
    await this.saving;
    this.discard();
    const answer = await post("/agent/schedule-discard", { conversation_id: this.conversationId, revision: this.draft.preview.revision });
    byId("review").close();
    toast(t("discarded", { count: answer.discarded }), "success");
    await this.reloadAll();
  }

  // --- the timetable -----------------------------------------------------------------------------------------------

  /** Save own moves, then write the whole difference; a lost answer is repeated with the same key. */
  async apply() {
    if (this.draft.dirty && !(await this.saveMoves())) return;
    const body = { conversation_id: this.conversationId, revision: this.draft.preview.revision };
    const wanted = JSON.stringify(body);
    if (this.pendingApply?.wanted !== wanted) this.pendingApply = { wanted, key: newKey() };
    const answer = await envelope(await send("POST", "/agent/schedule-apply", { body, key: this.pendingApply.key }));
    this.pendingApply = null;
    const count = answer.applied.length + answer.moved.length + answer.removed.length;
    await this.reloadAll();
    toast(t(answer.batch_id ? "applied" : "applied.nothing", { count }), "success", [],
      answer.batch_id ? [{ label: t("action.undo"), run: () => this.undo(answer.batch_id).catch((error) => this.refused(error)) }] : []);
    this.onApplied();
  }

  async undo(batchId = this.lastBatch) {
    if (!batchId) return;
    const answer = await post(`/schedule/batches/${batchId}/undo`, undefined);
    this.lastBatch = null;
    await this.reloadAll();
    const count = answer.task_item_ids.length;
    toast(count ? t("undone", { count }) : t("undone.whole"), "success", [],
      this.draft.differs ? [{ label: t("action.redo"), run: () => this.apply().catch((error) => this.refused(error)) }] : []);
    this.onApplied();
  }

  async refreshBatches() {
    const page = await get("/schedule/batches?page=1");
    // The button beside the draft takes items back; an import is undone where courses are.
    this.lastBatch = page.list.find((batch) => batch.can_undo && (batch.changes.length || batch.source === "class-delete"))?.batch_id ?? null;
  }

  /** What may have changed elsewhere: in another tab, on another device, or because a new day has begun. */
  async refresh() {
    if (this.drag.held || this.busy) return;
    const [semester] = await Promise.all([get("/schedule/semester"), this.loadTerm()]);
    this.semester = semester;
    rememberTerm(semester);
    this.drag.host.sections = this.sections;
    await this.reloadAll();
  }

  learnNames(names) {
    if (rememberNames(names)) this.onNames();
  }

  /** The week that is shown stays until the new one is there. */
  async reloadAll() {
    const week = this.weekNumber;
    const [shown] = await Promise.all([get(`/schedule/week?week=${week}`), this.refreshBatches(), this.loadPreview()]);
    this.weeks = new Map([[week, shown]]);
    await this.setWeek(this.wantedWeek);
  }
}

const LEGEND_MAX = 8;
const LEGEND_NAMED = 2;

/** Rules that something can be done about: another place for a sibling, an exchange, a free place near by. */
const NEGOTIABLE = new Set(["order_before", "order_after", "occupied", "host_taken"]);

/** What a verdict means to the student. */
function reasonOf({ state, host, swap, reasons }) {
  if (swap) return t("drag.swap");
  if (state === "unknown") return t("drag.unknown");
  if (state === "bad") return dated(reasons[0]) || ruleText("outside_window");
  const fine = t(host ? "drag.embed" : "drag.ok");
  return reasons.length ? told(fine, dated(reasons[0])) : fine;
}

/** A timetable event (WeeklyEventBrief) in the form of a preview entry; a guest follows its host. */
function entriesOfEvent(event, week) {
  const { id, embedded_task_info: guest, ...rest } = event;
  const entry = {
    ...rest, week, status: "existing", task_item_id: event.task_item_id, event_id: id,
    task_class_id: event.task_class_id || 0, interrupted: event.status === "interrupted", can_be_embedded: false, block_for_suggested: true,
  };
  if (!guest?.id) return [entry];
  return [entry, { ...entry, ...guest, type: "task", task_item_id: guest.id, event_id: id, interrupted: false, location: "" }];
}

function narrow() {
  return window.matchMedia("(max-width: 860px)").matches;
}

/** "14:05" where the term is taught. */
function clockIn(zone) {
  return new Intl.DateTimeFormat("en-GB", { timeZone: zone, hour: "2-digit", minute: "2-digit" }).format(new Date());
}
