// The item in hand: where it may go, as the server says; put down it becomes an own move, or a question with ways out.

import { post } from "../../api.js";
import { byId } from "../../dom.js";
import { buildItemsFromEntries } from "../draft/draft.js";
import { ruleText, t, told } from "../../i18n.js";
import { dated, whenWords } from "../term.js";
import { dropAsking, toast, toastError } from "../../toast.js";
import { DragControl } from "./drag.js";
import { LegalPlaces, UNKNOWN } from "./legal-places.js";

/** Rules that something can be done about: another place for a sibling, an exchange, a free place near by. */
const NEGOTIABLE = new Set(["order_before", "order_after", "occupied", "host_taken"]);

export class Hand {
  /** `host` offers: draw(), entries(), markWeeks(weeks or null), openBlock(itemId, node), refused(error). */
  constructor({ grid, draft, keeper, weeks }, host) {
    Object.assign(this, { draft, keeper, weeks, host, places: null });
    this.drag = new DragControl(grid, byId("main"), this.dragHost());
  }

  dragHost() {
    const { weeks } = this;
    return {
      handleOf: (itemId) => this.draft.handle(itemId) || this.appliedHandle(itemId),
      week: () => weeks.number,
      turnTo: (week) => weeks.turnTo(week),
      turnBy: (by) => weeks.turnBy(by),
      held: (handle) => this.askPlaces(handle).catch(toastError),
      judge: (handle, place) => this.judge(handle, place),
      drop: (handle, place) => this.drop(handle, place),
      announce: (handle, place, verdict) => announce(handle, place, verdict),
      reasonOf,
      open: (itemId, node) => this.host.openBlock(itemId, node),
      released: () => this.released(),
      redraw: () => this.host.draw(),
      sections: () => weeks.sections,
    };
  }

  get held() {
    return this.drag.held;
  }

  pickUp(itemId) {
    this.drag.pickUp(itemId);
  }

  /** What is in the hand goes back to where it was. */
  letGo() {
    if (this.drag.held) this.drag.finish(false);
  }

  /** What stands on the timetable can be lifted into the draft, unless it is done or has begun. */
  appliedHandle(itemId) {
    const entry = this.host.entries().find((one) => one.type === "task" && one.task_item_id === itemId && one.status === "existing");
    if (!entry || entry.progress === "done" || this.weeks.hasBegun(entry)) return null;
    return { ...entry, length: entry.section_to - entry.section_from + 1, from: entry, from_timetable: true };
  }

  // --- where it may go -----------------------------------------------------------------------------------------------

  /** Until the answer is there nothing is marked. */
  async askPlaces(handle) {
    const itemId = handle.task_item_id;
    this.places = null;
    await this.keeper.saving;
    const answer = await post("/agent/legal-places", { task_item_id: itemId, conversation_id: this.keeper.named });
    if (this.drag.heldItem !== itemId) return;
    this.places = new LegalPlaces(answer);
    this.host.markWeeks(this.places.weeks());
    this.drag.mark();
  }

  judge(handle, place) {
    return this.places?.itemId === handle.task_item_id ? this.places.verdict(place) : UNKNOWN;
  }

  released() {
    byId("in-hand").textContent = "";
    this.places = null;
    this.host.markWeeks(null);
  }

  // --- put down ------------------------------------------------------------------------------------------------------

  drop(held, place) {
    const verdict = this.judge(held, place);
    if (held.from_timetable) this.keeper.openFor(held).then(() => this.putDown(held, place, verdict)).catch(this.host.refused);
    else this.putDown(held, place, verdict);
  }

  putDown(held, place, verdict) {
    const handle = this.draft.handle(held.task_item_id) || (held.from_timetable && held);
    if (!handle) return; // a newer draft no longer has it
    dropAsking();
    if (verdict.state !== "bad") {
      this.draft.move(handle, place, verdict);
      this.keeper.keepMoves();
      this.keeper.saveSoon();
    } else if (verdict.rules.some((rule) => NEGOTIABLE.has(rule))) this.propose(handle, place).catch(this.host.refused);
    else toast(`${handle.name} → ${whenWords(place)}`, "warning", [reasonOf(verdict)]);
  }

  /** A place that something else holds: the refusal comes with ways out. */
  async propose(handle, place) {
    const { task_item_id, from_timetable } = handle;
    const items = buildItemsFromEntries([{ ...place, status: "suggested", task_item_id, from_timetable }]);
    await this.keeper.saving;
    await this.keeper.place(items).catch((error) => {
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
      await this.keeper.place(offer.items);
      const own = offer.items.find((item) => !item.by_hand) || offer.items[0];
      if (own.week !== this.weeks.number) await this.weeks.turnTo(offer.items[0].week);
    } catch (error) {
      await this.host.refused(error);
    }
  }
}

/** Shown beside the grid and read aloud. */
function announce(handle, place, verdict) {
  byId("in-hand").textContent = told(`${handle.name} → ${whenWords(place)}`, reasonOf(verdict));
}

/** What a verdict means to the student. */
function reasonOf({ state, host, swap, reasons }) {
  if (swap) return t("drag.swap");
  if (state === "unknown") return t("drag.unknown");
  if (state === "bad") return dated(reasons[0]) || ruleText("outside_window");
  const fine = t(host ? "drag.embed" : "drag.ok");
  return reasons.length ? told(fine, dated(reasons[0])) : fine;
}
