// What a page outside the frame does beyond its forms: a form is sent once.

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

document.documentElement.dataset.ready = "true";
