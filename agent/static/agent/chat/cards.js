// Cards of the timeline: tools (any result view), confirmation, question.

import { button, el } from "../dom.js";
import { t, told } from "../i18n.js";
import { whenWords } from "../week/term.js";
import { unmarked } from "./marked-text.js";
import { typeOfQuestion } from "./timeline-model.js";

const TOOL_STATE = { done: "done", completed: "done", failed: "failed", blocked: "blocked" };

export function toolTitle(fields) {
  return fields.result_view?.collapsed?.title || fields.summary || fields.intent || fields.name;
}

/** What the sign of a step says; an empty result is neither a success nor a failure. */
export function stateOf({ open, fields }) {
  if (open) return "running";
  const state = TOOL_STATE[fields.status] || "failed";
  return state === "done" && foundNothing(fields.result_view?.expanded) ? "nothing" : state;
}

function foundNothing(expanded = {}) {
  const parts = expanded.sections || [];
  return !expanded.items?.length && parts.some((part) => part.type === "callout" && part.tone === "warning") && parts.every((part) => !part.items?.length);
}

/** The card of one tool call in any of its states; unknown view types still show title, status and text. */
export function toolCard(block, wasOpen) {
  const { fields } = block;
  const state = stateOf(block);
  const collapsed = fields.result_view?.collapsed || {};
  const title = toolTitle(fields);
  const subtitle = collapsed.subtitle || (block.open ? fields.message || fields.arguments_preview : "");
  const head = el("summary", { class: "tool-head" },
    el("span", { class: `tool-state ${state}`, attrs: { "aria-hidden": "true" } }),
    el("span", { class: "tool-words" },
      el("span", { class: "tool-title", text: title }),
      subtitle && el("span", { class: "tool-subtitle", text: subtitle })),
    el("span", { class: "tool-status", text: (state !== "nothing" && collapsed.status_label) || t(`tool.${state}`) }),
    metrics(collapsed.metrics));
  return el("details", { class: `card tool ${state}`, set: { open: wasOpen } }, head, el("div", { class: "card-body" }, toolBody(fields)));
}

function metrics(rows = []) {
  if (!rows.length) return null;
  return el("span", { class: "metrics" }, rows.map((row) =>
    el("span", { class: "metric" }, el("span", { class: "metric-label", text: row.label }), el("b", { text: row.value }))));
}

function toolBody(fields) {
  const expanded = fields.result_view?.expanded || {};
  // `items` are the rows of the card; the sections that show the same rows say what they are.
  const inSections = new Set((expanded.sections || []).flatMap((part) => part.items || []).map((row) => JSON.stringify(row)));
  const loose = (expanded.items || []).filter((row) => !inSections.has(JSON.stringify(row)));
  const rows = (fields.argument_view?.expanded?.fields || []).map((field) => ({ label: field.label, value: field.display }));
  return [
    loose.length ? items({ items: loose }) : null,
    (expanded.sections || []).map(section),
    rows.length ? section({ type: "kv", title: t("card.arguments"), fields: rows }) : null,
    fields.error_message && !expanded.sections?.length ? callout({ tone: "danger", title: fields.error_message }) : null,
    expanded.raw_text ? rawText(expanded) : null,
  ];
}

function rawText(expanded) {
  return el("details", { class: "raw" },
    el("summary", { text: expanded.raw_text_label || t("card.raw") }), el("pre", { text: expanded.raw_text }));
}

const SECTION = { items, kv: keyValues, callout };

function section(value) {
  return (SECTION[value.type] || items)(value);
}

function heading(value) {
  return value.title ? el("h3", { text: value.title }) : null;
}

function items(value) {
  return el("section", { class: "part" }, heading(value), value.summary && el("p", { class: "quiet", text: value.summary }),
    el("ul", { class: "entries" }, (value.items || []).map((entry) =>
      el("li", {},
        entryTitle(entry),
        (entry.tags || []).map((tag) => el("span", { class: "tag", text: tag })),
        entry.subtitle && el("div", { class: "quiet", text: entry.subtitle }),
        (entry.detail_lines || []).map((line) => el("div", { class: "detail", text: line }))))));
}

/** A title; with an address of the web it is a link that tells the other site nothing. */
function entryTitle(entry) {
  const url = entry.meta?.url || "";
  if (!/^https?:\/\//i.test(url)) return el("span", { class: "entry-title", text: entry.title });
  return el("a", { class: "entry-title", text: entry.title, attrs: { href: url, target: "_blank", rel: "noopener noreferrer" } });
}

function keyValues(value) {
  return el("section", { class: "part" }, heading(value),
    el("dl", { class: "pairs" }, (value.fields || []).map((row) => [el("dt", { text: row.label }), el("dd", { text: row.value })])));
}

function callout(value) {
  const words = value.subtitle || value.summary;
  return el("section", { class: `part callout ${value.tone || "info"}` }, heading(value), words && el("p", { text: words }),
    (value.detail_lines || []).map((line) => el("div", { class: "detail", text: line })));
}

/** A card's name as a group: as a landmark it would have to be the only one of its name, and a talk has many alike. */
export function group(name) {
  return { role: "group", "aria-label": name };
}

/** A request for consent. `answer(action, message)` is called once a button is used. */
export function confirmCard(block, answer) {
  const { fields } = block;
  const open = fields.status === "open";
  return el("div", { class: `card ask ${open ? "open" : "closed"}`, attrs: group(fields.title) },
    el("h3", { text: fields.title }),
    el("p", { class: "ask-text", text: fields.summary }),
    planSteps(fields.plan_steps),
    fields.fields?.length ? keyValues({ fields: fields.fields }) : null,
    changes(fields.changes),
    open ? confirmButtons(answer) : outcome(fields));
}

function planSteps(steps = []) {
  if (!steps.length) return null;
  return el("ol", { class: "steps" }, steps.map((step) =>
    el("li", {}, step.content, step.done_when && el("div", { class: "quiet", text: t("card.done_when", { text: step.done_when }) }))));
}

/** What moves; a change of a task class has no places. */
function changes(rows = []) {
  const moved = rows.filter((row) => row.before || row.after);
  return moved.length > 0 && el("ul", { class: "changes" }, moved.map((row) =>
    el("li", {}, el("b", { text: row.name }), " ",
      row.before ? el("s", { class: "quiet", text: whenWords(row.before) }) : el("span", { class: "quiet", text: placeOr(null) }), " → ",
      el("strong", { text: placeOr(row.after) }))));
}

function placeOr(place) {
  return place ? whenWords(place) : t("card.nowhere");
}

/** What is written beside the buttons is a change that is wanted: it is sent as such and never left out by a consent. */
function confirmButtons(answer) {
  const comment = el("input", { class: "comment", attrs: { type: "text", maxlength: 8000, placeholder: t("card.comment"), "aria-label": t("card.comment") } });
  const approve = button(t("action.approve"), () => answer("approve", ""), { class: "primary", data: { action: "approve" } });
  const reject = button(t("action.reject"), () => answer("reject", comment.value.trim()), { data: { action: "reject" } });
  comment.addEventListener("input", () => {
    const words = comment.value.trim();
    approve.disabled = Boolean(words);
    reject.textContent = t(words ? "action.amend" : "action.reject");
  });
  comment.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.isComposing) return;
    event.preventDefault();
    if (comment.value.trim()) reject.click();
  });
  return el("div", { class: "ask-actions" },
    approve,
    comment,
    reject,
    button(t("action.cancel"), () => answer("cancel", ""), { class: "plain", data: { action: "cancel" } }));
}

/**
 * A question of the agent, or the offer to go on after a break. `answer(action, message, option)`.
 * `said`: the words just above are the question, so they are not shown a second time.
 */
export function questionCard(block, { said, answer }) {
  const { fields } = block;
  const open = fields.status === "open";
  const actions = typeOfQuestion(fields) === "connection_recover"
    ? [button(t("action.resume"), () => answer("resume", ""), { class: "primary", data: { action: "resume" } })]
    : (fields.options || []).map((option, index) =>
      button(labelOf(fields.options, index), () => answer("reply", "", option.id), { class: "option", data: { option: option.id } }));
  const slim = said && open && !actions.length ? " slim" : "";
  return el("div", { class: `card ask ${open ? "open" : "closed"}${slim}`, attrs: group(t("card.question")) },
    el("p", { class: said ? "hidden-text" : "ask-text", text: unmarked(fields.question) }),
    said && open && el("p", { class: "quiet", text: t("interaction.open") }),
    open ? el("div", { class: "ask-actions" }, actions,
      button(t("action.cancel"), () => answer("cancel", ""), { class: "plain", data: { action: "cancel" } })) : outcome(fields));
}

/** Options of one name have their numbers, by which the question tells more of them. */
function labelOf(options, index) {
  const { label } = options[index];
  return options.filter((option) => option.label === label).length > 1 ? `${index + 1}. ${label}` : label;
}

function outcome(fields) {
  const action = fields.answer?.action;
  const options = fields.options || [];
  const chosen = options.findIndex((entry) => entry.id === fields.answer?.option);
  const words = action ? t(`answered.${action}`) : t(`interaction.${fields.status}`);
  const more = chosen < 0 ? fields.answer?.message : labelOf(options, chosen);
  return el("p", { class: "quiet answered", text: more ? told(words, more) : words });
}
