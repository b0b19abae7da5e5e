// Small helpers around the DOM. Data enters the page as text nodes and attributes only, never as markup.

/** Week and assistant: one part of the page, alive also while another screen stands in its place. */
export const live = document.getElementById("planner");
export const byId = (id) => live.querySelector(`#${id}`);

/** Build an element. `props` may hold class, text, attrs, data, on and any DOM property under `set`. */
export function el(tag, props = {}, ...children) {
  const node = document.createElement(tag);
  if (props.class) node.className = props.class;
  if (props.text !== undefined) node.textContent = props.text;
  for (const [name, value] of Object.entries(props.attrs || {})) {
    if (value === true) node.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) node.setAttribute(name, String(value));
  }
  for (const [name, value] of Object.entries(props.data || {})) node.dataset[name] = String(value);
  for (const [name, listener] of Object.entries(props.on || {})) node.addEventListener(name, listener);
  Object.assign(node, props.set || {});
  append(node, children);
  return node;
}

/** Append nodes, strings and nested arrays; empty values are skipped. */
export function append(node, children) {
  for (const child of [children].flat(Infinity)) {
    if (child === null || child === undefined || child === false || child === "") continue;
    node.append(child instanceof Node ? child : String(child));
  }
  return node;
}

export function replace(node, ...children) {
  node.replaceChildren();
  return append(node, children);
}

export function button(label, listener, props = {}) {
  return el("button", { ...props, text: label, attrs: { type: "button", ...props.attrs }, on: { click: listener } });
}

/** What scrolls a part of week or talk: the box around it, or all of the screen where that box grows with it. */
export function scrollerOf(node) {
  const box = node.parentElement;
  return node.checkVisibility() && getComputedStyle(box).overflowY === "visible" ? byId("main") : box;
}

/** A dialog is closed by a press beside it, which the second one of the double click that opened it is not. */
export function closeBeside(dialog) {
  dialog.addEventListener("click", (event) => event.target === dialog && event.detail < 2 && dialog.close());
}

export const isBusy = (control) => control.getAttribute("aria-busy") === "true";

/** Run `work` with the control busy, so that a double click does one thing. It is not disabled: that would take its focus. */
export async function whileBusy(control, work) {
  if (isBusy(control)) return undefined;
  control.setAttribute("aria-busy", "true");
  try {
    return await work();
  } finally {
    control.removeAttribute("aria-busy");
  }
}

/** Draw anew what lies below `root`; what had the focus gets it back, found again by its data or value. */
export function keepingFocus(root, draw) {
  const focused = root.contains(document.activeElement) ? selectorOf(document.activeElement) : "";
  draw();
  if (focused && !root.contains(document.activeElement)) root.querySelector(focused)?.focus({ preventScroll: true });
}

function selectorOf(node) {
  if (node.dataset.item) return `[data-item="${node.dataset.item}"]`;
  if (node.dataset.week) return `[data-week="${node.dataset.week}"]`;
  return node.type === "checkbox" ? `input[value="${node.value}"]` : "";
}
