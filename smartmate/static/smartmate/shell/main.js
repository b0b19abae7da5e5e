// The frame around the screens of a signed-in student: screens change inside it, nothing is loaded anew.

import { startDevice } from "./device.js";
import { startOffline } from "./offline.js";
import { startScreens } from "./each-screen.js";
import { startVisits } from "./visits.js";

startScreens();
startDevice();
startVisits();
startOffline();
