// A chosen file is looked at at once; a file may be dropped anywhere on the page, a picture pasted.

const zone = () => document.querySelector("[data-drop]");

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
  if (take(event.clipboardData.files)) event.preventDefault();
});
