import { createHash } from "node:crypto";
import { orderNumberOf, orderReference } from "../../../domain/numbers.ts";
import type { DeriveId } from "../../vault/record-ids.ts";
import type { OrderMarks } from "./copied-lives.ts";

/** A UUID from 16 bytes of a digest. */
function uuidAt(digest: Buffer, at: number): string {
  const hex = digest.toString("hex", at, at + 16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
}

const digestOf = (...parts: readonly string[]): Buffer => {
  const digest = createHash("sha512");
  for (const part of parts) digest.update(part);
  return digest.digest();
};

/**
 * Ids and numbers of the nth order of a seed: always the same in this installation, and unpredictable outside it.
 * @param events number of event and command ids to create
 */
export function orderMarksOf(
  deriveId: DeriveId,
  seed: number,
  nth: number,
  startMs: number,
  events: number,
): OrderMarks {
  const root = deriveId("seeded-order", String(seed), String(nth));
  const ids = digestOf(root, "ids");
  const labels = digestOf(root, "labels");
  const many = Array.from({ length: Math.ceil(events / 2) }, (_, n) => digestOf(root, String(n)));
  return {
    orderId: uuidAt(ids, 0),
    contact: uuidAt(ids, 16),
    signature: uuidAt(ids, 32),
    application: uuidAt(ids, 48),
    groReference: uuidAt(labels, 48),
    orderNumber: orderNumberOf(labels.readBigUInt64BE(0)),
    reference: orderReference(new Date(startMs).getUTCFullYear(), labels.readUInt32BE(8) % 1000),
    intentId: `pi_${labels.toString("hex", 12, 24)}`,
    applicationKey: digestOf(root, "application").toString("hex", 0, 32),
    contactKey: digestOf(root, "contact").toString("hex", 0, 32),
    eventIds: many.flatMap((digest) => [uuidAt(digest, 0), uuidAt(digest, 16)]),
    commandIds: many.flatMap((digest) => [uuidAt(digest, 32), uuidAt(digest, 48)]),
    startMs,
  };
}
