import type { OrderCommand } from "../../../domain/order/commands.ts";
import type { Order } from "../../../domain/order/state.ts";
import type { DataClass, PurgeFailureCode } from "../../../domain/order/vocabulary.ts";
import { MirrorUnreachable } from "../../../infra/key-ring/key-ring.ts";
import { ProbeFailed, RecordUnreadable, type Vault } from "../../vault/vault.ts";
import type { DutyParts, Errand, Outcome } from "../errand.ts";

/** Destroys all that an order holds of one class, and records the receipt or the failure. */
export async function purge({ desk }: DutyParts, errand: Errand<"purge">): Promise<Outcome> {
  const { order, duty, by, commandId } = errand;
  const refs = await recordsToDestroy(desk.vault, order, duty.dataClass);
  const command = await destroy(desk.vault, refs, duty);
  await desk.orders.tell({ orderId: order.orderId, commandId, by, command });
  return "settled";
}

/** What events name, and what was sealed without an event ever naming it. Records already gone only give their receipt again. */
async function recordsToDestroy(vault: Vault, order: Order, dataClass: DataClass): Promise<string[]> {
  const named =
    dataClass === "application"
      ? [order.vault.application, order.vault.signature]
      : [order.vault.contact, ...order.vault.groReferences];
  const superseded = order.vault.superseded
    .filter((record) => record.dataClass === dataClass)
    .map(({ ref }) => ref);
  const kept = (await vault.recordsOf(order.orderId, dataClass)).map(({ recordId }) => recordId);
  return [...new Set([...named.filter((ref) => ref !== null), ...superseded, ...kept])];
}

async function destroy(
  vault: Vault,
  refs: readonly string[],
  duty: Errand<"purge">["duty"],
): Promise<OrderCommand> {
  const type = duty.dataClass === "application" ? "PurgeSensitiveData" : "PurgeContactData";
  try {
    const { kinds, keyFingerprint, probe, recordIds } = await vault.destroy(refs);
    const destroyed = [...new Set(kinds)];
    return {
      type,
      data: {
        outcome: "purged",
        destroyed,
        rule: duty.rule,
        keyFingerprint,
        probe,
        records: recordIds.length,
      },
    };
  } catch (error) {
    const code = failureCodeOf(error);
    return { type, data: { outcome: "failed", code, attempt: duty.attempt } };
  }
}

/**
 * What the alarm is told. A fault of the database is none of these: then the failure could not be recorded either.
 * @throws whatever else it was, for the job to try again
 */
function failureCodeOf(error: unknown): PurgeFailureCode {
  if (error instanceof ProbeFailed) return "stillReadable";
  if (error instanceof MirrorUnreachable) return "keyRingUnavailable";
  if (error instanceof RecordUnreadable) return "other";
  throw error;
}
