// zod probes for eval to compile its parsers; the content security policy refuses it and every probe would be reported
// as a violation. Set where zod itself looks for it, because most public pages never load zod; its own `config` would
// bring it along. Loaded first by main.ts, because the probe's answer is kept.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });
