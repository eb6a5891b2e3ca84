import * as z from "zod/mini";

/** Text as it stands in a field, half typed perhaps. What was stored by an older page and does not fit starts empty. */
export const text = (start = "") => z.catch(z.string(), start);
