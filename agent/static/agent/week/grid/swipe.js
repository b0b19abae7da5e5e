// A finger that is drawn across the grid turns to the days or the week beside.

const FAR_PX = 56;

/** `onTurn(1)` for what comes next, -1 for what was before. */
export function listenToSwipes(root, onTurn) {
  let start = null;
  root.addEventListener("touchstart", (event) => {
    start = event.touches.length === 1 ? { x: event.touches[0].clientX, y: event.touches[0].clientY } : null;
  }, { passive: true });
  root.addEventListener("touchend", (event) => {
    if (!start || root.closest(".holding")) return;
    const [across, down] = [event.changedTouches[0].clientX - start.x, event.changedTouches[0].clientY - start.y];
    start = null;
    if (Math.abs(across) > FAR_PX && Math.abs(across) > 2 * Math.abs(down)) onTurn(across < 0 ? 1 : -1);
  }, { passive: true });
}
