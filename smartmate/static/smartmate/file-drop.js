// A chosen file is looked at at once; a file may be dropped anywhere on the page, a picture pasted.

const zone = document.querySelector("[data-drop]");
const field = zone.querySelector("input[type=file]");

function look() {
  if (field.files.length) field.form.requestSubmit(field.form.querySelector("[name=way][value=look]"));
}

function take(files) {
  if (!files?.length) return false;
  field.files = files;
  look();
  return true;
}

field.addEventListener("change", look);
document.addEventListener("dragover", (event) => {
  if (!event.dataTransfer.types.includes("Files")) return;
  event.preventDefault();
  zone.classList.add("over");
});
document.addEventListener("dragleave", (event) => {
  if (!event.relatedTarget) zone.classList.remove("over");
});
document.addEventListener("drop", (event) => {
  zone.classList.remove("over");
  if (take(event.dataTransfer.files)) event.preventDefault();
});
document.addEventListener("paste", (event) => {
  if (take(event.clipboardData.files)) event.preventDefault();
});
