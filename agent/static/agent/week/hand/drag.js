// Moving a task: dragged with the pointer, or picked up (its sheet, M) and put down (click, tap, keys).

import { singleKeys } from "../grid/week-keys.js";

const MOVE_THRESHOLD_PX = 4;
const LONG_PRESS_MS = 350;
const WEEK_HOVER_MS = 500;

const STEP = {
  ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1],
};

const HELD_KEYS = new Set([...Object.keys(STEP), "PageUp", "PageDown", "Enter", " ", "m", "M", "Escape"]);

export class DragControl {
  /**
   * `host` offers: handleOf(itemId), week(), turnTo(week), turnBy(weeks), held(handle), judge(handle, place),
   * drop(handle, place), announce(handle, place, verdict), reasonOf(verdict), open(itemId, node), released(), redraw(),
   * sections(): how many a day has.
   */
  constructor(grid, area, host) {
    this.grid = grid;
    this.area = area;
    this.host = host;
    this.held = null;
    area.addEventListener("pointerdown", (event) => this.onPointerDown(event));
    area.addEventListener("pointermove", (event) => this.onHover(event));
    area.addEventListener("click", (event) => this.onClick(event));
    area.addEventListener("click", (event) => this.onLesson(event), true);
    area.addEventListener("keydown", (event) => this.onKey(event));
    document.addEventListener("pointerdown", (event) => this.held?.inHand && !event.target.closest?.("#plan, #unplaced") && this.finish(false));
  }

  get heldItem() {
    return this.held?.handle.task_item_id ?? 0;
  }

  // --- dragging ----------------------------------------------------------------------------------------------------

  onPointerDown(event) {
    this.dragged = false;
    const node = event.target.closest?.("[data-item]");
    if (!node || event.button !== 0 || this.held) return;
    const handle = this.host.handleOf(Number(node.dataset.item));
    if (!handle) return;
    const start = { x: event.clientX, y: event.clientY, offset: grabbedSection(event, node, handle) };
    if (event.pointerType === "touch") this.awaitLongPress(node, handle, start);
    else this.track(handle, start);
  }

  /** A finger that rests on a suggestion lifts it; one that moves at once scrolls the page. */
  awaitLongPress(node, handle, start) {
    start.resting = true;
    const timer = setTimeout(() => {
      start.resting = false;
      this.lift(handle);
      this.aimAt(start.x, start.y, start.offset);
    }, LONG_PRESS_MS);
    const touched = new AbortController();
    this.track(handle, start, () => {
      clearTimeout(timer);
      touched.abort();
    });
    // Touch events stay with the node they began on, even when it is drawn anew.
    node.addEventListener("touchmove", (touch) => this.heldItem && touch.preventDefault(), { passive: false, signal: touched.signal });
    node.addEventListener("contextmenu", (menu) => menu.preventDefault(), { signal: touched.signal });
  }

  /** Follow the pointer until it is released. */
  track(handle, start, onStop = () => {}) {
    const move = (event) => {
      if (!this.held && Math.hypot(event.clientX - start.x, event.clientY - start.y) <= MOVE_THRESHOLD_PX) return;
      if (start.resting) return stop(event);
      if (!this.held) this.lift(handle);
      event.preventDefault();
      this.hoverWeek(event);
      this.grid.scrollNear(event.clientX, event.clientY);
      this.aimAt(event.clientX, event.clientY, start.offset);
    };
    const stop = (event) => {
      onStop();
      document.removeEventListener("pointermove", move);
      document.removeEventListener("pointerup", stop);
      document.removeEventListener("pointercancel", stop);
      if (this.held && !this.held.inHand) this.finish(event.type === "pointerup");
      setTimeout(() => { this.dragged = false; }); // once the click that comes with it has been heard
    };
    document.addEventListener("pointermove", move);
    document.addEventListener("pointerup", stop);
    document.addEventListener("pointercancel", stop);
  }

  lift(handle) {
    this.dragged = true;
    this.hold(handle, false);
  }

  aimAt(x, y, offset) {
    const cell = this.grid.cellAt(x, y);
    if (cell) return this.aim(cell.day, cell.section - offset);
    this.held.place = null;
    return this.grid.hideGhost();
  }

  /** A pointer that rests on a week button turns the page to that week. */
  hoverWeek(event) {
    const tab = document.elementFromPoint(event.clientX, event.clientY)?.closest?.("[data-week]");
    const week = tab ? Number(tab.dataset.week) : 0;
    if (week === this.hovered) return;
    this.hovered = week;
    clearTimeout(this.hoverTimer);
    if (week) this.hoverTimer = setTimeout(() => this.held && this.host.turnTo(week), WEEK_HOVER_MS);
  }

  // --- in hand: click, tap, keyboard -------------------------------------------------------------------------------

  /** What is in the hand is put down on a lesson: its link leads nowhere then. */
  onLesson(event) {
    if (!(this.held || this.dragged) || !event.target.closest?.("a.entry")) return;
    event.preventDefault();
    event.stopPropagation();
    this.onClick(event);
  }

  onClick(event) {
    if (this.dragged) return;
    if (this.held) {
      const cell = this.grid.root.contains(event.target) ? this.grid.cellAt(event.clientX, event.clientY) : null;
      if (!cell) return;
      this.aim(cell.day, cell.section);
      this.finish(true);
      return;
    }
    const node = event.target.closest?.("[data-item]");
    if (node) this.host.open(Number(node.dataset.item), node);
  }

  onHover(event) {
    if (!this.held?.inHand || event.pointerType === "touch") return;
    const cell = this.grid.cellAt(event.clientX, event.clientY);
    if (cell) this.aim(cell.day, cell.section);
  }

  onKey(event) {
    if (!this.held) {
      const node = event.target.closest?.("[data-item]");
      if (node) this.itemKey(event, node);
      return;
    }
    if (event.key === "Tab") this.finish(false);
    // The week buttons stay usable with something in hand.
    if (!HELD_KEYS.has(event.key) || (event.key !== "Escape" && event.target.closest("button"))) return;
    event.preventDefault();
    this.heldKey(event.key);
  }

  /** Enter opens a block, M takes it into the hand. */
  itemKey(event, node) {
    const itemId = Number(node.dataset.item);
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.host.open(itemId, node);
    } else if (event.key.toLowerCase() === "m" && singleKeys() && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      this.pickUp(itemId);
    }
  }

  pickUp(itemId) {
    const handle = this.host.handleOf(itemId);
    if (!handle) return;
    this.hold(handle, true);
    const from = handle.from || { day_of_week: 1, section_from: 1 };
    this.grid.root.focus({ preventScroll: true });
    this.aim(from.day_of_week, from.section_from);
  }

  heldKey(key) {
    const step = STEP[key];
    const { place } = this.held;
    if (step) {
      this.aim((place?.day_of_week ?? 1) + step[0], (place?.section_from ?? 1) + step[1]);
      this.grid.revealGhost();
    } else if (key === "PageUp" || key === "PageDown") this.turn(key === "PageUp" ? -1 : 1);
    else if (key === "Escape") this.finish(false);
    else this.finish(true);
  }

  async turn(weeks) {
    const { place } = this.held;
    await this.host.turnBy(weeks);
    if (this.held && place) this.aim(place.day_of_week, place.section_from);
  }

  // --- all ---------------------------------------------------------------------------------------------------------

  hold(handle, inHand) {
    this.held = { handle, place: null, inHand };
    this.mark();
    this.host.held(handle);
  }

  /** Show what is held and where it could lie; called again when the grid was drawn anew. */
  mark() {
    const { handle, place } = this.held;
    this.area.classList.add("holding");
    this.grid.markHeld(handle.task_item_id);
    this.grid.markLegal((day, section) => this.host.judge(handle, this.placeOf(day, section)), handle.length);
    if (place) this.aim(place.day_of_week, place.section_from);
  }

  placeOf(day, section) {
    return {
      week: this.host.week(), day_of_week: day, section_from: section, section_to: section + this.held.handle.length - 1,
    };
  }

  aim(day, section) {
    const { handle, place: before } = this.held;
    const last = Math.max(1, this.host.sections() - handle.length + 1);
    const place = this.placeOf(Math.min(7, Math.max(1, day)), Math.min(last, Math.max(1, section)));
    const verdict = this.host.judge(handle, place);
    this.held.place = place;
    this.grid.showGhost(place, verdict.state, handle.name, this.host.reasonOf(verdict));
    const same = before && before.week === place.week && before.day_of_week === place.day_of_week && before.section_from === place.section_from;
    if (!same || this.told !== verdict.state) this.host.announce(handle, place, verdict);
    this.told = verdict.state;
  }

  /** Put down, or give back: then the week it came from is shown again. */
  finish(drop) {
    const { handle, place } = this.held;
    this.held = null;
    clearTimeout(this.hoverTimer);
    this.area.classList.remove("holding");
    this.grid.hideGhost();
    this.grid.markLegal(null);
    if (drop && place) this.host.drop(handle, place);
    this.host.released();
    // Also when a turn to another week is still under way.
    const back = !drop && handle.from;
    Promise.resolve(back ? this.host.turnTo(handle.from.week) : this.host.redraw())
      .then(() => this.held || this.grid.focusItem(handle.task_item_id));
  }
}

/** Which of its sections the pointer took hold of, so that the block does not jump. */
function grabbedSection(event, node, handle) {
  if (!handle.from || !node.classList.contains("entry")) return 0;
  const box = node.getBoundingClientRect();
  return Math.min(handle.length - 1, Math.max(0, Math.floor(((event.clientY - box.top) / box.height) * handle.length)));
}
