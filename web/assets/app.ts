// The script of every page. It only adds to pages that work without it: all
// content, links and forms are in the HTML.
import "htmx.org";
import "htmx.org/dist/ext/hx-sse.js";

import { keepPlaces } from "./columns";
import { offerCopying, offerLinks } from "./copy";
import { followKeys } from "./keys";
import { followLogin } from "./login";
import { patchDecks } from "./edit";
import { loadMedia } from "./media";
import { keepReaderChanges } from "./morph";
import { watchColumns } from "./live";
import { returnToPlaces } from "./places";
import { followChanges } from "./stream";
import { followTabs } from "./tabs";
import { tickTimes } from "./times";
import { keepTyped } from "./typed";
import { offerZone } from "./zone";

keepReaderChanges();
keepPlaces();
patchDecks();
loadMedia();
offerLinks();
followKeys();

document.addEventListener("DOMContentLoaded", () => {
  followLogin();
  offerCopying(document);
  returnToPlaces();
  followTabs();
  tickTimes();
  offerZone();
  keepTyped();
  followChanges(watchColumns());
});
