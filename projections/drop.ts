import { onEachNamed } from "./command-line.ts";
import { dropOldVersions } from "./drop-versions.ts";

// npm run projections:drop [name]

await onEachNamed(async (projection, { pool }) => {
  const { dropped, stillFollowed } = await dropOldVersions(pool, projection);
  const gone = dropped.length > 0 ? `dropped version ${dropped.join(", ")}` : "nothing older to drop";
  const kept = stillFollowed.length > 0 ? `; version ${stillFollowed.join(", ")} is still followed` : "";
  return `${gone}${kept}.`;
});
