// The page of courses: the import dialog; what was imported is shown by loading the page anew, and told there.

import { ImportDialog } from "./import-dialog.js";
import { t } from "./i18n.js";
import { toast } from "./toast.js";

const IMPORTED = "smartmate.imported";

const events = sessionStorage.getItem(IMPORTED);
sessionStorage.removeItem(IMPORTED);
if (events) toast(t("import.done", { events }), "success");

new ImportDialog(document.getElementById("import-dialog"), document.getElementById("import-open"), {
  onImported: (imported) => {
    sessionStorage.setItem(IMPORTED, imported);
    location.reload();
  },
});
document.documentElement.dataset.ready = "true";
