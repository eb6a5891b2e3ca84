import * as audit from "../../contract/compliance/audit.ts";
import type { Parts } from "../gateway/parts.ts";
import { staffRoute } from "../gateway/routing/route.ts";
import { presentParked } from "./present-parked-records.ts";

/** More than these at once are no list to read, but an incident; the oldest are shown. */
const mostParked = 500;

async function parkedNow({ parkedRecords, queries }: Parts) {
  const parked = await parkedRecords.list(mostParked);
  return presentParked(parked, await queries.numbersOf(parked.flatMap(({ subject }) => subject?.id ?? [])));
}

export const listParked = staffRoute(audit.listParked, (parts) => async () => ({
  body: await parkedNow(parts),
}));

/** Answers at once; what goes on is no longer listed a moment later. */
export const retryParked = staffRoute(audit.retryParked, (parts) => async ({ by }) => {
  const asked = await parts.parkedRecords.retry();
  parts.desk.log.info({ asked, staffId: by.userId }, "parked records are to be tried again");
  return { body: await parkedNow(parts) };
});
