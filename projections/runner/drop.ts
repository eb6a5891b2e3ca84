import { onEachNamed } from "./command-line.ts";
import { dropOldVersions } from "./drop-versions.ts";

// npm run projections:drop [name]

await onEachNamed(async (projection, { pool }) => {
  const { dropped, stillUsed } = await dropOldVersions(pool, projection);
  const gone = dropped.length > 0 ? `dropped version ${dropped.join(", ")}` : "nothing older to drop";
  const kept = stillUsed.length > 0 ? `; version ${stillUsed.join(", ")} is still used by a process` : "";
  return `${gone}${kept}.`;
});
