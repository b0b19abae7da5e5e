// What every screen made of forms does beyond its forms: a form is sent once, and what is to be copied is copied.

document.addEventListener("submit", (event) => {
  if (event.defaultPrevented || event.target.method === "dialog") return;
  if (event.target.dataset.sent) {
    event.preventDefault();
    return;
  }
  event.target.dataset.sent = "true";
});

// A page that comes back from the browser's memory may send its forms again.
addEventListener("pageshow", () => {
  for (const form of document.querySelectorAll("form[data-sent]")) delete form.dataset.sent;
});

for (const button of document.querySelectorAll("[data-copy]")) {
  button.addEventListener("click", async () => {
    const field = document.getElementById(button.dataset.copy);
    field.select();
    await navigator.clipboard?.writeText(field.value);
    button.setAttribute("aria-pressed", "true");
  });
}

const clock = new Intl.DateTimeFormat(document.documentElement.lang, { month: "short", day: "numeric", weekday: "short", hour: "2-digit", minute: "2-digit", hour12: false });
for (const node of document.querySelectorAll("time[datetime]")) node.textContent = clock.format(new Date(node.dateTime));

document.documentElement.dataset.ready = "true";
