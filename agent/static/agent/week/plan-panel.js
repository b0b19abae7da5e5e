// The right side: the week with the draft laid over it. Wires its parts together and draws them.

import { weekAsked } from "../address.js";
import { byId, keepingFocus, live } from "../dom.js";
import { BlockActions } from "./block/block-actions.js";
import { Dock } from "./draft/dock.js";
import { Draft } from "./draft/draft.js";
import { DraftKeeper } from "./draft/draft-keeper.js";
import { DayStrip } from "./grid/day-strip.js";
import { entriesOfWeek, loadsOfTerm, sectionsOn } from "./grid/entries.js";
import { dateOf, WeekGrid } from "./grid/grid.js";
import { Legend } from "./grid/legend.js";
import { ShownWeeks } from "./grid/shown-weeks.js";
import { listenToSwipes } from "./grid/swipe.js";
import { drawDays, drawDoors, drawTitle } from "./grid/week-frame.js";
import { WeekKeys } from "./grid/week-keys.js";
import { WeekTabs } from "./grid/week-tabs.js";
import { Hand } from "./hand/hand.js";
import { keep, kept } from "../keep.js";
import { keepFocus } from "./keep-focus.js";
import { TaskLook } from "./task-look.js";
import { rememberNames } from "./term.js";
import { toastError } from "../toast.js";
import { UnplacedList } from "./unplaced-list.js";

export class PlanPanel {
  /** `onApplied()`: the timetable has changed; `onConversation(id)`: a draft was opened in a new conversation; `onAssistant()`: it is wanted; `onPlan(classId)`: so is a plan of a class; `onNames()`: names were learnt that look like places; `onFailed(error)` tells it. */
  constructor({ onApplied, onConversation, onAssistant, onPlan, onNames, onFailed }) {
    Object.assign(this, { onApplied, onConversation, onAssistant, onPlan, onNames, onFailed });
    this.classes = [];
    this.look = new TaskLook();
    this.grid = new WeekGrid(byId("week-grid"));
    this.draft = new Draft();
    this.weeks = new ShownWeeks(() => this.draw(), () => this.dock.render());
    const host = this.host();
    this.keeper = new DraftKeeper(this.draft, host);
    this.dock = new Dock(this.draft, this.keeper, host);
    this.hand = new Hand(this, host);
    this.blocks = new BlockActions(this, host);
    this.makeFrame();
  }

  /** What the parts ask of the week as a whole. */
  host() {
    return {
      look: () => this.look,
      week: () => this.weeks.number,
      opening: () => this.weeks.opening,
      entries: () => this.entries(),
      savedSectionsOn: (day) => sectionsOn(day, entriesOfWeek(this.weeks.number, this.weeks.shown, this.draft.saved)),
      draw: () => this.draw(),
      drawDock: () => this.dock.render(),
      showSemester: (id) => this.showSemester(id),
      revealFirst: () => this.showFirstSuggestion(),
      markWeeks: (weeks) => this.tabs.markLegal(weeks),
      openBlock: (itemId, node) => this.blocks.open(itemId, node),
      dropChanges: (ids) => this.dock.drop(ids),
      learnNames: (names) => this.learnNames(names),
      adopted: (id) => this.onConversation(id),
      applied: () => this.onApplied(),
      reload: () => this.reload(),
      refused: (error) => this.refused(error),
    };
  }

  makeFrame() {
    const { weeks } = this;
    this.tabs = new WeekTabs({
      root: byId("week-tabs"), back: byId("week-back"), next: byId("week-next"), onChoose: (week) => weeks.turnTo(week),
    });
    this.unplaced = new UnplacedList({
      root: byId("unplaced"), tab: byId("unplaced-tab"), other: byId("chat-tab"), side: byId("chat"), plan: byId("grid-scroller"),
      onPlace: (itemId) => this.hand.pickUp(itemId), onPlan: (classId) => this.onPlan(classId),
    });
    this.strip = new DayStrip(byId("day-strip"), (day) => weeks.showFrom(day));
    this.legend = new Legend(byId("class-legend"), () => this.draw());
    this.keys = new WeekKeys(byId("week-grid"), { help: byId("help"), holding: () => Boolean(this.hand.held), does: this.keyed() });
    listenToSwipes(byId("grid-scroller"), (step) => weeks.turnDays(step));
    byId("bare-close").addEventListener("click", () => {
      keep("bare-closed", true);
      this.draw();
    });
    byId("week-today").addEventListener("click", () => weeks.showToday());
    for (const choice of live.querySelectorAll("[data-days]")) choice.addEventListener("click", () => weeks.showDays(Number(choice.dataset.days)));
  }

  /** What the keys of the week do; see the help for them. */
  keyed() {
    const { weeks } = this;
    const onBlock = (icon) => (itemId) => this.blocks.run(itemId, icon);
    return {
      t: () => weeks.showToday(), 1: () => weeks.showDays(1), 3: () => weeks.showDays(3), 7: () => weeks.showDays(7),
      pageup: () => weeks.turnBy(-1), pagedown: () => weeks.turnBy(1),
      p: onBlock("pin"), d: onBlock("check"), delete: onBlock("out"),
      a: () => byId("review-open").hidden || byId("review-open").click(),
      "/": () => this.onAssistant(),
      "ctrl+z": () => byId("undo").hidden || byId("undo").click(),
    };
  }

  // --- what is loaded ------------------------------------------------------------------------------------------------

  start() {
    return this.weeks.start(this.dock.refreshBatches());
  }

  reload() {
    return this.weeks.reload(Promise.all([this.dock.refreshBatches(), this.keeper.load()]));
  }

  /** What may have changed elsewhere: in another tab, on another device, or because a new day has begun. */
  async refresh() {
    if (this.hand.held || this.dock.busy) return;
    await this.weeks.refresh();
    await this.reload();
  }

  /** What was refused for something another tab or device did is tried again from there. */
  async refused(error) {
    await this.onFailed(error);
    if ([404, 409, 422].includes(error.status)) await this.reload().catch(toastError);
  }

  open(conversationId) {
    this.hand.letGo();
    return this.keeper.open(conversationId);
  }

  /** The classes may have changed, and what is applied of them. */
  setClasses(classes) {
    this.classes = classes;
    this.classesKnown = true;
    this.learnNames(classes.map((one) => one.name));
    this.look = new TaskLook(classes);
    if (this.weeks.shown) this.drawUnplaced();
  }

  learnNames(names) {
    if (rememberNames(names)) this.onNames();
  }

  setRunning(running) {
    this.dock.running = running;
    if (this.weeks.semester) this.dock.render();
  }

  /** That of the draft, whose weeks are meant; what names places by week is told anew. */
  async showSemester(id) {
    if (await this.weeks.showSemester(id)) this.onNames();
  }

  // --- what is shown -------------------------------------------------------------------------------------------------

  entries() {
    return entriesOfWeek(this.weeks.number, this.weeks.shown, this.draft);
  }

  /** Nothing is drawn before the term is known: that draws all. */
  draw() {
    if (!this.weeks.semester) return;
    const entries = this.entries();
    const held = byId("week-grid").contains(document.activeElement);
    keepingFocus(byId("main"), () => {
      this.drawGrid(entries);
      this.keys.settle(this.weeks.number);
      this.drawUnplaced();
      this.drawStrip(entries);
      drawDoors({ hidden: this.isPlanned(), entries, classes: this.classes, countFree: (found) => this.weeks.countFree(found) });
    });
    if (held && document.activeElement === document.body && !this.hand.held) keepFocus();
    this.drawFrame();
    this.dock.render();
    if (this.hand.held) this.hand.drag.mark();
  }

  drawGrid(entries) {
    const { weeks } = this;
    this.grid.render({
      semester: weeks.semester,
      week: weeks.number,
      days: weeks.shownDays(),
      entries,
      firstDate: weeks.shown?.first_date,
      offDays: new Map((weeks.shown?.days || []).map((day) => [day.day_of_week, day.name])),
      keptFree: weeks.shown?.kept_free || [],
      today: weeks.semester.today,
      clock: () => weeks.clock(),
      held: this.hand.drag.heldItem,
      look: this.look,
      hidden: this.legend.hidden,
      outside: (day) => this.draft.exists && !this.draft.inWindow({ week: weeks.number, day_of_week: day }),
    });
  }

  drawUnplaced() {
    const others = this.isPlanned() ? this.draft.waitingBeside(this.classes) : [];
    this.unplaced.render(this.draft.unplaced(), { others, drafted: this.draft.exists, look: this.look });
  }

  drawStrip(entries) {
    const { weeks } = this;
    const first = weeks.shown?.first_date;
    this.strip.render({
      hidden: weeks.days === 7 || !first, shown: weeks.shownDays(), today: weeks.todayShown,
      dateOf: (day) => String(dateOf(first, day - 1).getUTCDate()),
      count: (day) => entries.filter((entry) => entry.type === "task" && entry.status !== "removed" && entry.day_of_week === day).length,
    });
  }

  drawFrame() {
    const { weeks, draft } = this;
    drawTitle(weeks.semester, weeks.number, weeks.shown?.first_date);
    drawDays(weeks.days);
    this.legend.render(this.classes.filter((one) => one.applied_count || draft.preview?.task_class_ids?.includes(one.id)), this.look);
    const busy = new Set(draft.entries().filter((entry) => entry.status === "suggested").map((entry) => entry.week));
    const { weeks: count, today } = weeks.semester;
    this.tabs.render({ weeks: count, week: weeks.number, busy, now: today?.week || 0, terms: loadsOfTerm(weeks.terms, draft) });
  }

  /** Whether there is, or may be, a plan, so that no doors need to lead to one. */
  isPlanned() {
    const { weeks } = this;
    const planned = this.draft.exists || this.dock.running || this.classes.some((one) => one.applied_count);
    return !this.classesKnown || planned || weeks.semester.over || weeks.number < (weeks.semester.today?.week || 1) || Boolean(kept("bare-closed"));
  }

  /** `stay`: of the week that is shown only, since an address asked for it. */
  async showFirstSuggestion({ stay = false } = {}) {
    const { weeks } = this;
    const suggested = this.draft.entries().filter((entry) => entry.status === "suggested");
    const where = suggested.map((entry) => entry.week);
    if (!stay && where.length && !where.includes(weeks.number)) await weeks.turnTo(Math.min(...where), { quiet: !weekAsked() });
    const [first] = suggested.filter((entry) => entry.week === weeks.number).sort((a, b) => a.day_of_week - b.day_of_week);
    if (!first) return;
    if (!weeks.shownDays().includes(first.day_of_week)) {
      weeks.firstDay = first.day_of_week;
      this.draw();
    }
    this.grid.reveal(first.task_item_id);
  }

  /** Takes a block of the shown week into the hand. */
  lift(itemId) {
    const entry = this.blocks.entryOf(itemId);
    if (!entry?.week) return;
    if (!this.weeks.shownDays().includes(entry.day_of_week)) this.weeks.showFrom(entry.day_of_week);
    this.hand.pickUp(itemId);
  }
}
