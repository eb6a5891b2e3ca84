import { randomUUID } from "node:crypto";
import { onEachNamed } from "./command-line.ts";

// npm run projections:rebuild [name]

await onEachNamed(async (projection, { pool, store }) => {
  const started = performance.now();
  const events = await projection.rebuild({ pool, store, newId: randomUUID });
  return `rebuilt from ${events} events in ${((performance.now() - started) / 1000).toFixed(1)} s.`;
});
