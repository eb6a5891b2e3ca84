import { expect, test } from "vitest";
import { provePrivacy } from "./privacy.ts";

/** Far longer than a run takes on a machine with nothing else to do. */
const patienceMs = 900_000;

test(
  "Nothing that people typed is in anything that the product wrote, nor a key after its purge",
  async () => {
    const report = await provePrivacy({
      ...{ people: 6, kills: 1, seed: 20_261_123, redis: false, purgeAfterSeconds: 3 },
    });
    expect(report.findings).toEqual([]);
    expect(report).toMatchObject({ people: 17, drained: 6, purges: { count: 16 } });
    expect(report).toMatchObject({ mails: 1, conversationsPurged: 1 });
    expect(report.kills).toHaveLength(1);
    expect(report.keys.destroyed).toBeGreaterThanOrEqual(16);
    expect(report.restored.destroyed).toBeGreaterThan(0);
  },
  patienceMs,
);
