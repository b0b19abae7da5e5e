// The right side: week grid, unplaced items, save, apply, undo.

import { ApiError, envelope, get, newKey, post, send } from "./api.js";
import { ClassRules } from "./class-rules.js";
import { el, keepingFocus, replace, whileBusy } from "./dom.js";
import { buildItemsFromEntries, Draft } from "./draft.js";
import { DragControl } from "./drag.js";
import { hueOf, WeekGrid } from "./grid.js";
import { placeText, ruleText, t, told } from "./i18n.js";
import { ItemOrder } from "./item-order.js";
import { keep, kept } from "./keep.js";
import { toast, toastError } from "./toast.js";
import { WeekTabs } from "./week-tabs.js";

const byId = (id) => document.getElementById(id);

export class PlanPanel {
  constructor({ onApplied }) {
    this.onApplied = onApplied;
    this.draft = new Draft();
    this.conversationId = "";
    this.weekNumber = 1;
    this.wantedWeek = 1;
    this.weeks = new Map();
    this.grid = new WeekGrid(byId("week-grid"));
    this.tabs = new WeekTabs({
      root: byId("week-tabs"), back: byId("week-back"), next: byId("week-next"),
      onChoose: (week) => this.turnTo(week),
    });
    this.drag = new DragControl(this.grid, byId("plan"), this.dragHost());
    this.bindButtons();
  }

  dragHost() {
    return {
      handleOf: (itemId) => this.draft.handle(itemId),
      week: () => this.weekNumber,
      turnTo: (week) => this.turnTo(week),
      turnBy: (weeks) => this.turnTo(this.wantedWeek + weeks),
      judge: (handle, place) => this.draft.judge(handle, place, this.sections),
      drop: (handle, place) => this.drop(handle, place),
      announce: (handle, place, verdict) => this.announce(handle, place, verdict),
      reasonOf: (verdict) => reasonOf(verdict),
      released: () => { byId("in-hand").textContent = ""; },
      redraw: () => this.draw(),
      sections: 12,
    };
  }

  bindButtons() {
    byId("save").addEventListener("click", (event) => this.guard(event, () => this.save()));
    byId("discard").addEventListener("click", () => this.discard());
    byId("apply").addEventListener("click", (event) => this.guard(event, () => this.apply()));
    byId("undo").addEventListener("click", (event) => this.guard(event, () => this.undo()));
  }

  async guard(event, work) {
    this.busy = true;
    await whileBusy(event.currentTarget, () => work().catch((error) => this.refused(error)));
    this.busy = false;
    this.drawButtons();
  }

  /** What was refused for something another tab or device did is tried again from there. */
  async refused(error) {
    toastError(error);
    if (error.status === 409) await this.reloadAll().catch(toastError);
  }

  get sections() {
    return this.semester.section_times.length;
  }

  async start() {
    this.semester = await get("/schedule/semester");
    this.drag.host.sections = this.sections;
    await this.refreshBatches();
    await this.setWeek(this.semester.today?.week || 1);
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

  async turnTo(week) {
    try {
      await this.setWeek(week);
    } catch (error) {
      this.wantedWeek = this.weekNumber;
      toastError(error);
    }
  }

  entriesOfWeek() {
    const timetable = (this.weeks.get(this.weekNumber)?.events || []).flatMap((event) => entriesOfEvent(event, this.weekNumber));
    if (!this.draft.exists) return timetable;
    const inside = (entry) => this.draft.inWindow(entry);
    const places = new Map(timetable.map((entry) => [entry.event_id, entry.location]));
    const planned = this.draft.entries().filter((entry) => entry.week === this.weekNumber)
      .map((entry) => (entry.type === "course" ? { ...entry, location: places.get(entry.event_id) || "" } : entry));
    return [...timetable.filter((entry) => !inside(entry)), ...planned];
  }

  draw() {
    keepingFocus(byId("plan"), () => {
      this.grid.render({
        semester: this.semester,
        week: this.weekNumber,
        entries: this.entriesOfWeek(),
        firstDate: this.weeks.get(this.weekNumber)?.first_date,
        today: this.semester.today,
        held: this.drag.heldItem,
        outside: (day) => this.draft.exists && !this.draft.inWindow({ week: this.weekNumber, day_of_week: day }),
      });
      this.drawUnplaced();
    });
    this.drawWeeks();
    this.drawButtons();
    if (this.drag.held) this.drag.mark();
  }

  drawWeeks() {
    const busy = new Set(this.draft.entries().filter((entry) => entry.status === "suggested").map((entry) => entry.week));
    this.tabs.render({ weeks: this.semester.weeks, week: this.weekNumber, busy });
  }

  drawUnplaced() {
    const items = this.draft.unplaced();
    byId("unplaced").hidden = items.length === 0;
    replace(byId("unplaced-list"), items.map((item) => {
      const label = t("unplaced.item", { name: item.name, sections: item.sections });
      const chip = el("div", {
        class: "chip movable",
        attrs: { role: "button", tabindex: 0, "aria-roledescription": t("grid.movable"), "aria-label": `${label}, ${ruleText(item.rule)}` },
        data: { item: item.task_item_id },
      }, el("b", { text: label }), el("small", { text: ruleText(item.rule) }));
      chip.style.setProperty("--hue", hueOf(item.task_class_id));
      return el("li", {}, chip);
    }));
  }

  drawButtons() {
    const suggested = this.draft.entries().filter((entry) => entry.status === "suggested").length;
    byId("save").disabled = !this.draft.dirty;
    byId("discard").hidden = !this.draft.dirty;
    byId("apply").disabled = !this.draft.exists || this.running || (suggested === 0 && !this.draft.dirty);
    byId("undo").disabled = !this.lastBatch;
    byId("plan-summary").textContent = this.draft.exists ? this.summary() : t("plan.none");
  }

  summary() {
    const own = this.draft.dirty ? ` · ${t("plan.unsaved", { count: this.draft.moves.size })}` : "";
    return this.draft.preview.summary + own;
  }

  /** Shown beside the grid and read aloud. */
  announce(handle, place, verdict) {
    byId("in-hand").textContent = told(`${handle.name} → ${placeText(place)}`, reasonOf(verdict));
  }

  drop(held, place) {
    const handle = this.draft.handle(held.task_item_id);
    if (!handle) return; // a newer draft no longer has it
    const verdict = this.draft.move(handle, place, this.sections);
    if (!verdict.ok) toast(`${handle.name} → ${placeText(place)}`, "warning", [reasonOf(verdict)]);
    this.keepMoves();
  }

  // --- the draft ---------------------------------------------------------------------------------------------------

  async open(conversationId) {
    if (this.drag.held) this.drag.finish(false);
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
  }

  /** Fetch the preview; a conversation without a draft has none. Later calls win over earlier ones. */
  async loadPreview({ show = false } = {}) {
    const asked = this.conversationId;
    if (!asked) return;
    try {
      const preview = await get(`/agent/schedule-preview?conversation_id=${encodeURIComponent(asked)}`);
      if (asked !== this.conversationId || preview.revision < (this.draft.preview?.revision ?? 0)) return;
      this.draft.load(preview);
      await this.loadOrder(preview.task_class_ids);
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== "40053") throw error;
      if (asked === this.conversationId) this.draft.clear();
    }
    if (show) await this.showFirstSuggestion();
    this.draw();
  }

  /** The order of the items, for the classes of the draft that are not known yet; a class may be gone by now. */
  async loadOrder(classIds) {
    const { order } = this.draft;
    const unknown = classIds.filter((id) => !order.has(id));
    const found = await Promise.allSettled(unknown.map((id) => get(`/task-class/${id}`)));
    for (const { value } of found) if (value) order.set(value);
  }

  async showFirstSuggestion() {
    const suggested = this.draft.entries().filter((entry) => entry.status === "suggested");
    const weeks = suggested.map((entry) => entry.week);
    if (weeks.length && !weeks.includes(this.weekNumber)) await this.setWeek(Math.min(...weeks));
    const first = suggested.find((entry) => entry.week === this.weekNumber);
    if (first) this.grid.reveal(first.task_item_id);
  }

  /** The classes may have changed, and what is applied of them. */
  async setClasses(classes) {
    this.draft.rules = new ClassRules(this.semester, classes);
    this.draft.order = new ItemOrder();
    if (this.draft.exists) await this.loadOrder(this.draft.preview.task_class_ids);
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

  async save({ quiet = false } = {}) {
    const moves = this.draft.changed();
    const body = { conversation_id: this.conversationId, items: buildItemsFromEntries(moves), revision: this.draft.preview.revision };
    await post("/agent/schedule-state", body);
    await this.loadPreview();
    this.draft.forget(moves);
    this.keepMoves();
    this.draw();
    if (!quiet) toast(t("saved"), "success");
  }

  // --- the timetable -----------------------------------------------------------------------------------------------

  /** Save own moves, then write the whole difference; a lost answer is repeated with the same key. */
  async apply() {
    if (this.draft.dirty) await this.save({ quiet: true });
    const body = { conversation_id: this.conversationId, revision: this.draft.preview.revision };
    const wanted = JSON.stringify(body);
    if (this.pendingApply?.wanted !== wanted) this.pendingApply = { wanted, key: newKey() };
    const answer = await envelope(await send("POST", "/agent/schedule-apply", { body, key: this.pendingApply.key }));
    this.pendingApply = null;
    const count = answer.applied.length + answer.moved.length + answer.removed.length;
    toast(t(answer.batch_id ? "applied" : "applied.nothing", { count }), "success");
    await this.reloadAll();
    this.onApplied();
  }

  async undo() {
    const batch = this.lastBatch;
    if (!batch) return;
    const answer = await post(`/schedule/batches/${batch.batch_id}/undo`, undefined);
    toast(t("undone", { count: answer.task_item_ids.length }), "success");
    await this.reloadAll();
    this.onApplied();
  }

  async refreshBatches() {
    const page = await get("/schedule/batches?page=1");
    // The button beside the draft takes items back; an import is undone where courses are.
    this.lastBatch = page.list.find((batch) => batch.can_undo && batch.changes.length) || null;
  }

  /** What may have changed elsewhere: in another tab, on another device, or because a new day has begun. */
  async refresh() {
    if (this.drag.held || this.busy) return;
    this.semester = await get("/schedule/semester");
    await this.reloadAll();
  }

  /** The week that is shown stays until the new one is there. */
  async reloadAll() {
    const week = this.weekNumber;
    const [shown] = await Promise.all([get(`/schedule/week?week=${week}`), this.refreshBatches(), this.loadPreview()]);
    this.weeks = new Map([[week, shown]]);
    await this.setWeek(this.wantedWeek);
  }
}

/** What a verdict means to the student. */
function reasonOf(verdict) {
  if (verdict.swap) return t("drag.swap", { name: verdict.swap.entry.name });
  if (verdict.ok) return t(verdict.host ? "drag.embed" : "drag.ok");
  return verdict.blocker ? told(ruleText(verdict.reason), verdict.blocker.name) : ruleText(verdict.reason);
}

/** A timetable event (WeeklyEventBrief) in the form of a preview entry; a guest follows its host. */
function entriesOfEvent(event, week) {
  const course = event.type === "course";
  const entry = {
    week, day_of_week: event.day_of_week, section_from: event.section_from, section_to: event.section_to,
    name: event.name, type: course ? "course" : "task", status: "existing", task_item_id: event.task_item_id, task_class_id: 0,
    event_id: event.id, can_be_embedded: false, block_for_suggested: true, location: event.location,
  };
  const guest = event.embedded_task_info?.id;
  if (!guest) return [entry];
  return [entry, { ...entry, name: event.embedded_task_info.name, type: "task", task_item_id: guest, location: "" }];
}
