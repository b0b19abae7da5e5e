// Import of courses from a file: the server says what it would do, the student agrees, then it is written.

import { newKey, post } from "./api.js";
import { el, replace, whileBusy } from "./dom.js";
import { placeText, ruleText, t, weekday } from "./i18n.js";
import { toastError } from "./toast.js";

const LINES_SHOWN = 20;
const FORMATS = { ics: "ics", xlsx: "xlsx", csv: "csv", wakeup_schedule: "wakeup" };

/** The format that a file's name tells of; JSON when it tells nothing. */
function formatOf(name) {
  return FORMATS[name.toLowerCase().split(".").pop()] || "json";
}

/** Remarks with the same words become one line that names all their rows. */
function remarks(rows) {
  const told = new Map();
  for (const row of rows) {
    const message = row.message || t(`import.${row.status}`);
    told.set(message, [...(told.get(message) || []), row.row]);
  }
  return Array.from(told, ([message, numbers]) => t("import.row", { row: [...new Set(numbers)].join(", "), message }));
}

function list(lines) {
  return el("ul", {}, lines.map((line) => el("li", { text: line })));
}

function meeting(one) {
  const { name, day_of_week, section_from: from, section_to: to } = one;
  return t("import.meeting", { name, weekday: weekday(day_of_week), from, to, weeks: ranges(one.weeks) });
}

/** "1-3, 5" of ascending numbers. */
function ranges(numbers) {
  const runs = [];
  for (const number of numbers) {
    const last = runs.at(-1);
    if (last && last[1] === number - 1) last[1] = number;
    else runs.push([number, number]);
  }
  return runs.map(([first, last]) => (first === last ? first : `${first}-${last}`)).join(", ");
}

export class ImportDialog {
  /** `dialog` holds the form, `opener` the button that shows it; `onImported(events)` after so many were written. */
  constructor(dialog, opener, { onImported }) {
    const find = (selector) => dialog.querySelector(selector);
    Object.assign(this, {
      dialog, onImported, file: find("[type=file]"), report: find("[data-report]"), skip: find("[data-skip]"), submit: find("[data-submit]"),
    });
    opener.addEventListener("click", () => this.open());
    find("[data-close]").addEventListener("click", () => dialog.close());
    this.file.addEventListener("change", () => this.guard(() => this.check()));
    this.skip.addEventListener("change", () => {
      this.key = newKey();
      this.drawSubmit();
    });
    find("form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.guard(() => whileBusy(this.submit, () => this.write()));
    });
  }

  open() {
    this.file.value = "";
    this.forget();
    this.dialog.showModal();
  }

  /** What was found belongs to the file it was found in. */
  forget() {
    this.found = null;
    this.key = newKey();
    this.skip.checked = false;
    this.skip.closest("label").hidden = true;
    replace(this.report);
    this.drawSubmit();
  }

  async guard(work) {
    try {
      await work();
    } catch (error) {
      // Under a modal dialog the rest of the page is out of reach, so the refusal is told inside.
      const words = [error.code, error.message, ...(error.data?.errors || []).map((one) => one.message)];
      if (this.dialog.open) replace(this.report, el("p", { class: "problem", text: words.filter(Boolean).join(" · ") }));
      else toastError(error);
    }
    this.drawSubmit();
  }

  get chosen() {
    return this.file.files[0];
  }

  body() {
    const form = new FormData();
    form.set("file", this.chosen);
    form.set("format", formatOf(this.chosen.name));
    return form;
  }

  async check() {
    this.forget();
    const { chosen } = this;
    if (!chosen) return;
    const found = await post("/schedule/imports?dry_run=true", this.body());
    if (chosen !== this.chosen) return;
    this.found = found;
    this.skip.closest("label").hidden = this.faults.length === 0;
    this.drawReport();
  }

  get faults() {
    return (this.found?.rows || []).filter((row) => row.status === "invalid" || row.status === "conflict");
  }

  drawReport() {
    const { events, duplicates, conflicts, missing, rows } = this.found;
    const lines = [
      ...remarks(this.faults),
      ...remarks(rows.filter((row) => row.status === "ok" && row.message)),
      ...conflicts.map((one) => [placeText(one), ruleText(one.rule), one.with?.name].filter(Boolean).join(" · ")),
    ];
    replace(this.report,
      el("p", { text: t("import.found", { events, duplicates, faults: this.faults.length }) }),
      lines.length ? list(lines.slice(0, LINES_SHOWN)) : null,
      lines.length > LINES_SHOWN ? el("p", { class: "quiet", text: t("import.more", { count: lines.length - LINES_SHOWN }) }) : null,
      missing.length ? el("details", { class: "raw" }, el("summary", { text: t("import.missing", { count: missing.length }) }), list(missing.map(meeting))) : null);
  }

  drawSubmit() {
    const clean = this.faults.length === 0 || this.skip.checked;
    this.submit.disabled = !this.found?.events || !clean;
  }

  async write() {
    const query = `dry_run=false&skip_invalid=${this.skip.checked}`;
    const { events } = await post(`/schedule/imports?${query}`, this.body(), { key: this.key });
    this.dialog.close();
    this.onImported(events);
  }
}
