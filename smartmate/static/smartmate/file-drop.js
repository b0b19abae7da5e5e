// A chosen file is looked at at once; a file may be dropped anywhere on the page, a picture pasted. What is copied from a page or a
// spreadsheet is kept as markup beside its words: words alone do not tell which cells go over several rows.

const MARKUP_MAX = 1_000_000;

const zone = () => document.querySelector("[data-drop]");

function markupBeside(field) {
  return field.name === "text" ? field.form?.elements.namedItem("markup") : null;
}

function look(field) {
  if (field.files.length) field.form.requestSubmit(field.form.querySelector("[name=way][value=look]"));
}

function take(files) {
  if (!files?.length || !zone()) return false;
  const field = zone().querySelector("input[type=file]");
  field.files = files;
  look(field);
  return true;
}

document.addEventListener("change", ({ target }) => {
  if (target.matches("[data-drop] input[type=file]")) look(target);
});
document.addEventListener("dragover", (event) => {
  if (!zone() || !event.dataTransfer.types.includes("Files")) return;
  event.preventDefault();
  zone().classList.add("over");
});
document.addEventListener("dragleave", (event) => {
  if (!event.relatedTarget) zone()?.classList.remove("over");
});
document.addEventListener("drop", (event) => {
  zone()?.classList.remove("over");
  if (take(event.dataTransfer.files)) event.preventDefault();
});
document.addEventListener("paste", (event) => {
  const { clipboardData, target } = event;
  // Spreadsheets lay a picture of the copied cells beside their words.
  if (!clipboardData.types.includes("text/plain") && take(clipboardData.files)) event.preventDefault();
  const markup = markupBeside(target);
  if (!markup) return;
  const whole = target.selectionStart === 0 && target.selectionEnd === target.value.length;
  const copied = clipboardData.getData("text/html").replaceAll("\0", "");
  markup.value = whole && copied.length <= MARKUP_MAX && /<table/i.test(copied) ? copied : "";
});
document.addEventListener("input", ({ target, inputType }) => {
  const markup = markupBeside(target);
  if (markup && inputType !== "insertFromPaste") markup.value = "";
});
