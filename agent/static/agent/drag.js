// Moving a suggestion with the pointer or the keyboard. Both hold an item, try places, and drop or give up.

const MOVE_THRESHOLD_PX = 4;
const WEEK_HOVER_MS = 500;

const STEP = {
  ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1],
};

const HELD_KEYS = new Set([...Object.keys(STEP), "PageUp", "PageDown", "Enter", " ", "Escape"]);

export class DragControl {
  /**
   * `host` offers: handleOf(itemId), week(), setWeek(week), judge(handle, place), drop(handle, place),
   * announce(handle, place, verdict), redraw(), sections.
   */
  constructor(grid, area, host) {
    this.grid = grid;
    this.host = host;
    this.held = null;
    area.addEventListener("pointerdown", (event) => this.onPointerDown(event));
    area.addEventListener("keydown", (event) => this.onKey(event));
  }

  get heldItem() {
    return this.held?.handle.task_item_id ?? 0;
  }

  // --- pointer -----------------------------------------------------------------------------------------------------

  onPointerDown(event) {
    const node = event.target.closest?.("[data-item]");
    if (!node || event.button !== 0 || this.held) return;
    const handle = this.host.handleOf(Number(node.dataset.item));
    if (!handle) return;
    const start = { x: event.clientX, y: event.clientY, offset: grabbedSection(event, node, handle) };
    const move = (moved) => this.onPointerMove(moved, start, handle);
    const stop = (up) => {
      document.removeEventListener("pointermove", move);
      document.removeEventListener("pointerup", stop);
      document.removeEventListener("pointercancel", stop);
      if (this.held) this.finish(up.type === "pointerup");
    };
    document.addEventListener("pointermove", move);
    document.addEventListener("pointerup", stop);
    document.addEventListener("pointercancel", stop);
  }

  onPointerMove(event, start, handle) {
    const far = Math.hypot(event.clientX - start.x, event.clientY - start.y) > MOVE_THRESHOLD_PX;
    if (!this.held && !far) return;
    if (!this.held) this.hold(handle);
    event.preventDefault();
    this.hoverWeek(event);
    const cell = this.grid.cellAt(event.clientX, event.clientY);
    if (!cell) return this.away();
    return this.aim(cell.day, cell.section - start.offset);
  }

  /** A pointer that rests on a week button turns the page to that week. */
  hoverWeek(event) {
    const tab = document.elementFromPoint(event.clientX, event.clientY)?.closest?.("[data-week]");
    const week = tab ? Number(tab.dataset.week) : 0;
    if (week === this.hovered) return;
    this.hovered = week;
    clearTimeout(this.hoverTimer);
    if (week) this.hoverTimer = setTimeout(() => this.held && this.host.setWeek(week), WEEK_HOVER_MS);
  }

  away() {
    this.held.place = null;
    this.grid.hideGhost();
  }

  // --- keyboard ----------------------------------------------------------------------------------------------------

  onKey(event) {
    if (!this.held) {
      const node = event.target.closest?.("[data-item]");
      if (node && (event.key === "Enter" || event.key === " ")) {
        event.preventDefault();
        this.pickUp(Number(node.dataset.item));
      }
      return;
    }
    if (HELD_KEYS.has(event.key)) event.preventDefault();
    this.heldKey(event.key);
  }

  pickUp(itemId) {
    const handle = this.host.handleOf(itemId);
    if (!handle) return;
    this.hold(handle);
    const from = handle.from || { day_of_week: 1, section_from: 1 };
    this.grid.root.focus();
    this.aim(from.day_of_week, from.section_from);
  }

  heldKey(key) {
    const step = STEP[key];
    const { place } = this.held;
    if (step) this.aim((place?.day_of_week ?? 1) + step[0], (place?.section_from ?? 1) + step[1]);
    else if (key === "PageUp" || key === "PageDown") this.turn(key === "PageUp" ? -1 : 1);
    else if (key === "Enter" || key === " ") this.finish(true);
    else if (key === "Escape") this.finish(false);
  }

  async turn(weeks) {
    const { place } = this.held;
    await this.host.setWeek(this.host.week() + weeks);
    if (this.held && place) this.aim(place.day_of_week, place.section_from);
  }

  // --- both --------------------------------------------------------------------------------------------------------

  hold(handle) {
    this.held = { handle, place: null };
    this.redrawn();
  }

  /** Called after the grid was drawn anew while an item is held. */
  redrawn() {
    this.host.redraw();
    this.mark();
  }

  mark() {
    const { handle } = this.held;
    this.grid.markLegal((day, section) => this.host.judge(handle, this.placeOf(day, section)).ok, handle.length);
  }

  placeOf(day, section) {
    return {
      week: this.host.week(), day_of_week: day, section_from: section, section_to: section + this.held.handle.length - 1,
    };
  }

  aim(day, section) {
    const { handle, place: before } = this.held;
    const last = Math.max(1, this.host.sections - handle.length + 1);
    const place = this.placeOf(Math.min(7, Math.max(1, day)), Math.min(last, Math.max(1, section)));
    const verdict = this.host.judge(handle, place);
    this.held.place = place;
    this.grid.showGhost(place, verdict.ok, handle.name);
    const same = before && before.week === place.week && before.day_of_week === place.day_of_week && before.section_from === place.section_from;
    if (!same) this.host.announce(handle, place, verdict);
  }

  finish(drop) {
    const { handle, place } = this.held;
    this.held = null;
    clearTimeout(this.hoverTimer);
    this.grid.hideGhost();
    this.grid.markLegal(null);
    if (drop && place) this.host.drop(handle, place);
    this.host.redraw();
    this.grid.focusItem(handle.task_item_id);
  }
}

/** Which of its sections the pointer took hold of, so that the block does not jump. */
function grabbedSection(event, node, handle) {
  if (!handle.from || !node.classList.contains("entry")) return 0;
  const box = node.getBoundingClientRect();
  return Math.min(handle.length - 1, Math.max(0, Math.floor(((event.clientY - box.top) / box.height) * handle.length)));
}
