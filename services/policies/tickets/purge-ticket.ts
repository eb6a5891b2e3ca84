import type { TicketCommand, TicketCommandData } from "../../../domain/ticket/commands.ts";
import { namedTicketRecords } from "../../../domain/ticket/state.ts";
import { type DestroyedTicketKind, destroyedTicketKind } from "../../../domain/ticket/vocabulary.ts";
import type { Desk } from "../../commands/desk.ts";
import { fingerprintKeyId } from "../../vault/stream-fingerprint.ts";
import { destroyUnnamed, failureCodeOf } from "../duties/purge.ts";
import type { DutyParts, Outcome } from "../errand.ts";
import type { TicketErrand } from "./perform-ticket-duty.ts";

/** Destroys all that was written in a ticket, and records the receipt or the failure; see the purge of orders. */
export async function purgeTicket(
  { desk, now, log }: DutyParts,
  errand: TicketErrand<"purge">,
): Promise<Outcome> {
  const { ticket, duty, by, commandId } = errand;
  const { ticketId } = ticket;
  const { attempt } = duty;
  const tell = (data: Extract<TicketCommand, { type: "PurgeTicket" }>["data"]) =>
    desk.tickets.tell({ ticketId, commandId, by, command: { type: "PurgeTicket", data } });
  try {
    await tell(await destroyAll(desk, errand));
    return "told";
  } catch (error) {
    const code = failureCodeOf(error);
    if (Date.parse(duty.dueAt) > now().getTime()) return "later";
    log.error({ ticketId, code, attempt }, "ALARM: personal data could not be destroyed");
    await tell({ outcome: "failed", code, attempt });
    return "told";
  }
}

async function destroyAll(
  desk: Desk,
  { ticket, duty }: TicketErrand<"purge">,
): Promise<TicketCommandData<"PurgeTicket">> {
  const keyRef = fingerprintKeyId(desk.deriveId, ticket.ticketId);
  const named = namedTicketRecords(ticket);
  // First, and left out of the receipt, which then follows from the log alone however often a crash makes it necessary.
  await destroyUnnamed(
    desk.vault,
    ticket.ticketId,
    "contact",
    (ref) => ref === keyRef || named.includes(ref),
  );
  const { kinds, keyFingerprint, probe } = await desk.vault.destroy([...named, keyRef]);
  const hadKey = kinds.includes("fingerprintKey");
  return {
    outcome: "purged",
    destroyed: destroyedKinds(ticket, hadKey),
    rule: duty.rule,
    keyFingerprint,
    probe,
    records: named.length + (hadKey ? 1 : 0),
  };
}

function destroyedKinds(
  { contactRef, messages, notes }: TicketErrand<"purge">["ticket"],
  hadKey: boolean,
): DestroyedTicketKind[] {
  const held: Readonly<Record<DestroyedTicketKind, boolean>> = {
    ticketContact: contactRef !== null,
    ticketMessage: messages.some(({ ref }) => ref !== null),
    ticketNote: notes.some(({ ref }) => ref !== null),
    fingerprintKey: hadKey,
  };
  return destroyedTicketKind.options.filter((kind) => held[kind]);
}
