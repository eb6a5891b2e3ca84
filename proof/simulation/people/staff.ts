import { amendApplication } from "../../../services/orders/amend-application.ts";
import type { StaffAct } from "../../../services/orders/command-ids.ts";
import { correctContact } from "../../../services/orders/correct-contact.ts";
import { requestErasure } from "../../../services/orders/staff/staff-actions.ts";
import { takeGroNotice } from "../../../services/orders/submission/gro-webhook.ts";
import type { GroNotice } from "../../../services/providers/gro/automation.ts";
import { amended, behalfOf, chance, clicked, notify, persist, type Site, waits } from "./site.ts";

// What staff and the GRO do with an order once it is paid for.

/** Each act is meant to be done once, however often clicked. */
export const actOf = ({ newId }: Site, userId: string): StaffAct => ({
  by: { userId },
  reason: "goodwill",
  idempotencyKey: newId(),
  correlationId: newId(),
});

/** All is to be erased; and at the same moment the customer corrects an address, and corrects it again. */
export async function eraseAndCorrect(site: Site, orderId: string): Promise<void> {
  await waits(site, 20_000, 120_000);
  const act = actOf(site, "user_ann");
  for (let corrections = 0; corrections < 3; corrections++) site.aside(correct(site, orderId));
  const erased = await clicked(site, 0.2, "ask for erasure", (deps) => requestErasure(deps, orderId, act));
  if (erased.length === 0) return;
  site.acknowledge.order(
    orderId,
    "erasure",
    ({ erasureRequestedAt, vault }) => erasureRequestedAt !== null || vault.contact === null,
  );
}

async function correct(site: Site, orderId: string): Promise<void> {
  await waits(site, 0, 60);
  const key = { scope: orderId, key: site.newId() };
  const email = `${key.key}@example.org`;
  await persist(site, "correct contact", (deps) =>
    correctContact(deps, orderId, { email }, key, behalfOf(site, orderId)),
  );
}

/** The GRO sends the certificate, or asks. The customer answers with another application. */
export async function reportOutcome(site: Site, orderId: string): Promise<void> {
  await waits(site, 30_000, 300_000);
  const kind = chance(site, 0.3) ? "queried" : "dispatched";
  const key = [...site.automation.accepted.keys()].find((one) => one.includes(orderId));
  if (key === undefined) return;
  const notice: GroNotice = { noticeId: site.newId(), key, kind, occurredAt: site.now().toISOString() };
  site.tell(() => `GRO: ${kind} ${key}`);
  notify(site, "gro", (deps, by) => takeGroNotice(deps, notice, by));
  if (kind === "queried") await answer(site, orderId);
  else if (chance(site, 0.7)) await eraseAndCorrect(site, orderId);
}

async function answer(site: Site, orderId: string): Promise<void> {
  await waits(site, 20_000, 60_000);
  const key = { scope: orderId, key: site.newId() };
  const amendment = amended(site);
  await persist(site, "answer the GRO", (deps) =>
    amendApplication(deps, orderId, amendment, key, behalfOf(site, orderId)),
  );
}
