import * as contract from "../../contract/transparency/public-log.ts";
import { notFound } from "../gateway/errors/problem.ts";
import { route } from "../gateway/route.ts";

export const checkpoint = route(contract.showCheckpoint, ({ publicLog }) => async () => ({
  bytes: Buffer.from(await publicLog.checkpoint()),
}));

export const verifierKeys = route(contract.showVerifierKeys, ({ publicLog }) => async () => {
  const valid = (await publicLog.keys()).filter(({ state }) => state !== "revoked");
  return { bytes: Buffer.from(valid.map(({ key }) => `${key}\n`).join("")) };
});

export const logKeys = route(contract.showLogKeys, ({ publicLog }) => async () => ({
  body: { keys: [...(await publicLog.keys())] },
}));

export const witnesses = route(contract.showWitnesses, ({ publicLog }) => async () => {
  const { quorum, keys } = publicLog.witnesses();
  return { body: { quorum, keys: [...keys] } };
});

export const tile = route(contract.showTile, ({ publicLog }) => async ({ request }) => {
  const place = [request.params.tile ?? []].flat().join("/");
  const found = await publicLog.tile(`tile/${place}`);
  if (!found) throw notFound();
  return { bytes: Buffer.from(found) };
});
