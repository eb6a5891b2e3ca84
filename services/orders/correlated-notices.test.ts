import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { eventMetadata } from "../../infra/event-store/event-metadata.ts";
import { paidOrder, submit } from "../../testing/services/paid-order-fixture.ts";
import { testDependencies } from "../../testing/services/use-case-fixture.ts";
import type { OnBehalf } from "./orders.ts";
import { takeGroNotice } from "./submission/gro-webhook.ts";

const provider: OnBehalf = { actor: { kind: "provider", id: "gro" }, correlationId: "of-the-notice" };

test("a provider's report belongs to the request that led to it, even if the order was read meanwhile", async () => {
  const deps = testDependencies();
  const orderId = await paidOrder(deps);
  await submit(deps, orderId);
  const cause = (await deps.events(orderId)).at(-1);
  await deps.orders.execute({
    orderId,
    commandId: deps.newId(),
    by: { actor: { kind: "staff", id: "user_1" }, correlationId: "of-a-look" },
    command: { type: "AddNote", data: { noteRef: randomUUID() } },
  });
  const key = `order-${orderId}-submission-1`;
  const occurredAt = "2026-11-21T10:00:00.000Z";
  await takeGroNotice(deps, { noticeId: "n-1", key, kind: "dispatched", occurredAt }, provider);
  const dispatched = (await deps.events(orderId)).at(-1);
  expect(dispatched?.type).toBe("CertificateDispatched");
  expect(eventMetadata.parse(dispatched?.metadata)).toMatchObject({
    correlationId: eventMetadata.parse(cause?.metadata).correlationId,
    causationId: cause?.id,
    actor: { kind: "provider", id: "gro" },
  });
  expect(dispatched?.metadata.correlationId).not.toBe("of-the-notice");
});

test("a webhook about no order of ours is accepted", async () => {
  const notice = {
    noticeId: "n-1",
    key: `order-${randomUUID()}-submission-1`,
    kind: "dispatched" as const,
    occurredAt: "2026-11-21T10:00:00.000Z",
  };
  expect(await takeGroNotice(testDependencies(), notice, provider)).toBeUndefined();
});
