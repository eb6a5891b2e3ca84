import * as z from "zod/mini";

// zod probes for eval to compile its parsers; the content security policy refuses it and every probe would be reported
// as a violation. Loaded first by main.ts, because the probe's answer is kept.
z.config({ jitless: true });
