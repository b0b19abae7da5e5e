// The frame around the screens of a signed-in student: screens change inside it, nothing is loaded anew.

import { startAccount } from "./account.js";
import { startChoices } from "./choices.js";
import { startOffline } from "./offline.js";
import { startScreens } from "./each-screen.js";
import { startSheets } from "./sheets.js";
import { startVisits } from "./visits.js";

startScreens();
startChoices();
startSheets();
startAccount();
startVisits();
startOffline();
