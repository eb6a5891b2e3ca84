import { presentParked } from "../admin-presenters/parked-records.ts";
import type { Parts } from "../parts.ts";
import type { Answer, StaffCall } from "../route.ts";

/** More than these at once are no list to read, but an incident; the oldest are shown. */
const mostParked = 500;

async function parkedNow({ parkedRecords, queries }: Parts) {
  const parked = await parkedRecords.list(mostParked);
  return presentParked(parked, await queries.numbersOf(parked.flatMap(({ subject }) => subject?.id ?? [])));
}

/** GET /api/admin/compliance/parked */
export const listParked = (parts: Parts) => async (): Promise<Answer> => ({ body: await parkedNow(parts) });

/** POST /api/admin/compliance/parked/retry: answers at once; what goes on is no longer listed a moment later. */
export const retryParked =
  (parts: Parts) =>
  async ({ by }: StaffCall): Promise<Answer> => {
    const asked = await parts.parkedRecords.retry();
    parts.desk.log.info({ asked, staffId: by.userId }, "parked records are to be tried again");
    return { status: 202, body: await parkedNow(parts) };
  };
