// What is done for the screen that is shown now and for each that comes after it.

const SHOWN = "screen:shown";

/** `start(root)` finds what it needs below `root` and listens there only: what it has begun goes with the screen. */
export function onEachScreen(start) {
  start(document);
  document.addEventListener(SHOWN, (event) => start(event.target));
}

export function tellShown(screen) {
  screen.dispatchEvent(new CustomEvent(SHOWN, { bubbles: true }));
}

/** A moment as the page writes dates: 9 月 5 日 周六 10:01. */
export function momentWords(moment) {
  const clock = new Intl.DateTimeFormat(document.documentElement.lang, {
    month: "short", day: "numeric", weekday: "short", hour: "2-digit", minute: "2-digit", hourCycle: "h23",
  });
  return clock.format(moment).replace(/(\d+)月(\d+)日/, "$1 月 $2 日 ");
}

/** Moments in the words and the time zone of the browser; what is to be copied is copied. */
export function startScreens() {
  onEachScreen((root) => {
    for (const node of root.querySelectorAll("time[datetime]")) node.textContent = momentWords(new Date(node.dateTime));
    for (const button of root.querySelectorAll("[data-copy]")) button.addEventListener("click", () => copy(button));
  });
}

async function copy(button) {
  const field = document.getElementById(button.dataset.copy);
  field.select();
  await navigator.clipboard?.writeText(field.value);
  button.setAttribute("aria-pressed", "true");
}
