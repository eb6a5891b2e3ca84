import { expect, test } from "vitest";
import { testDatabase } from "../../testing/postgres/test-database.ts";
import { patienceMs } from "../../testing/setup/patience.ts";
import { temporaryFolder } from "../../testing/setup/temporary-folder.ts";
import { sendThroughKills } from "./mail.ts";

async function short(more: { readonly forgets?: boolean } = {}) {
  const { connectionString, drop } = await testDatabase();
  try {
    const folder = temporaryFolder("mail");
    const bounds = { mails: 140, kills: 3, stalledAfterMs: patienceMs };
    return await sendThroughKills({ connectionString, folder, ...bounds, ...more });
  } finally {
    await drop();
  }
}

test("Each mail is recorded once or refused as documented, whatever is killed", async () => {
  const { findings, taken, refused } = await short();
  expect(findings).toEqual([]);
  expect([taken, refused]).toEqual([130, 10]);
});

test("It is found when a mail is acknowledged and not recorded", async () => {
  const { findings } = await short({ forgets: true });
  expect(findings).toContainEqual(expect.stringContaining("recorded 0 times instead of 1"));
});
