// The script of every page. It only adds to pages that work without it: all
// content, links and forms are in the HTML.
import "htmx.org";
import "htmx.org/dist/ext/hx-sse.js";

import { keepPlaces } from "./columns";
import { offerCopying, offerLinks } from "./copy";
import { followKeys } from "./keys";
