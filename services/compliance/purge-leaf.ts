import { z } from "zod";
import { questionClosed, questionPurged } from "../../domain/order/vocabulary.ts";
import type { StoredEvent } from "../../infra/event-store/event-store.ts";
import type { LeafDetails } from "../../infra/transparency/event-leaf.ts";

// As stored, in every version: what a leaf says never changes.

const word = z.string().regex(/^[\w-]+$/);
const fingerprint = z.string().regex(/^[0-9a-f]+$/);

const receipt = z.object({
  destroyed: z.array(word).min(1),
  rule: word,
  keyFingerprint: fingerprint,
  probe: word,
  records: z.number(),
});

const singleRecord = z.object({ keyFingerprint: fingerprint, probe: word });

const replacedRecord = z.object({ dataClass: word, keyFingerprint: fingerprint, probe: word });

const purges = new Map<string, z.ZodType<LeafDetails>>([
  ["SensitiveDataPurged", receipt.transform(detailsOfReceipt)],
  ["ContactDataPurged", receipt.transform(detailsOfReceipt)],
  ["TicketPurged", receipt.transform(detailsOfReceipt)],
  ["DraftPurged", receipt.transform(detailsOfReceipt)],
  ["LinkDestroyed", singleRecord.transform(detailsOfSingle(["savedDraftLink"], "mailed"))],
  ["GROQuestionPurged", singleRecord.transform(detailsOfSingle([questionPurged], questionClosed))],
  ["ReplacedRecordPurged", replacedRecord.transform(detailsOfReplaced)],
]);

/** What the leaf of a purge states: enough for a receipt without our database. Undefined for other events. */
export function purgeDetails({ type, data }: Pick<StoredEvent, "type" | "data">): LeafDetails | undefined {
  return purges.get(type)?.safeParse(data).data;
}

function detailsOfReceipt({
  destroyed,
  rule,
  probe,
  keyFingerprint,
  records,
}: z.output<typeof receipt>): LeafDetails {
  return [
    ["destroyed", destroyed.join(" ")],
    ["rule", rule],
    ["probe", probe],
    ["key", keyFingerprint],
    ["records", String(records)],
  ];
}

function detailsOfSingle(destroyed: string[], rule: string) {
  return (receipt: z.output<typeof singleRecord>): LeafDetails =>
    detailsOfReceipt({ destroyed, rule, ...receipt, records: 1 });
}

function detailsOfReplaced({
  dataClass,
  probe,
  keyFingerprint,
}: z.output<typeof replacedRecord>): LeafDetails {
  return [
    ["destroyed", dataClass],
    ["rule", "replaced"],
    ["probe", probe],
    ["key", keyFingerprint],
    ["records", "1"],
  ];
}
