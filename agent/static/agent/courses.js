// The page of courses: the import dialog; what was imported is shown by loading the page anew.

import { ImportDialog } from "./import-dialog.js";

new ImportDialog(document.getElementById("import-dialog"), document.getElementById("import-open"), { onImported: () => location.reload() });
document.documentElement.dataset.ready = "true";
