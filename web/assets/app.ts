// The script of every page. It only adds to pages that work without it: all
// content, links and forms are in the HTML.
import "htmx.org";
import "htmx.org/dist/ext/hx-sse.js";

import { followActivities, watchActivities } from "./activities";
import { keepPlaces } from "./columns";
import { offerCopying, offerLinks } from "./copy";
import { patchDecks } from "./edit";
import { followKeys } from "./keys";
import { watchColumns } from "./live";
import { followLogin } from "./login";
import { loadMedia } from "./media";
import { keepReaderChanges } from "./morph";
import { readOn } from "./older";
import { returnToPlaces } from "./places";
import { followSteps } from "./steps";
import { followChanges } from "./stream";
import { followTabs } from "./tabs";
import { makeTasks } from "./tasks";
import { tickTimes } from "./times";
import { keepTyped } from "./typed";
import { followWriting } from "./writing";
import { offerZone } from "./zone";

keepReaderChanges();
keepPlaces();
patchDecks();
followSteps();
loadMedia();
offerLinks();
followKeys();
followActivities();
followWriting();
makeTasks();

document.addEventListener("DOMContentLoaded", () => {
  followLogin();
  offerCopying(document);
  returnToPlaces();
  followTabs();
  tickTimes();
  offerZone();
  keepTyped();
  readOn();
  followChanges(watchActivities(watchColumns()));
});
