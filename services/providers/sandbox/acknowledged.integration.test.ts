import { randomUUID } from "node:crypto";
import { expect, onTestFinished, test, vi } from "vitest";
import { startEmbedded } from "../../../infra/postgres/embedded.ts";
import { createPool } from "../../../infra/postgres/pool.ts";
import { ask, killServer } from "../../../testing/postgres/embedded-fixture.ts";
import { soon } from "../../../testing/setup/patience.ts";
import { temporaryFolder } from "../../../testing/setup/temporary-folder.ts";
import { createAutomationClient } from "../gro/automation-client.ts";
import { exampleSubmission } from "../gro/automation-protocol.ts";
import { createStripePayments } from "../stripe/stripe-payments.ts";
import { createSandbox } from "./sandbox.ts";

test("The sandbox forgets nothing that it acknowledged when its database is killed", async () => {
  const directory = temporaryFolder("sandbox");
  // What does not wait for the disk stays in memory for ten seconds.
  const settings = ["fsync=off", "wal_writer_delay=10s", "wal_writer_flush_after=1GB"];
  const { connectionString, stop } = await startEmbedded({ directory, settings });
  onTestFinished(stop);
  const pool = createPool(connectionString);
  onTestFinished(() => pool.end());
  const now = () => new Date();
  const sandbox = createSandbox({
    ...{ pool, now, newId: randomUUID, random: Math.random, log: { error: () => undefined } },
    ...{ installationSecret: Buffer.alloc(32, 1), cardPort: 0, dispatchAfterMs: 3_600_000 },
  });
  const { payments: card, automation: gro } = await sandbox.start();
  onTestFinished(() => sandbox.stop());
  if (!card || !gro) throw new Error("A part of the sandbox is missing.");
  const payments = createStripePayments({ ...card.stripe, now });
  const automation = createAutomationClient({ ...gro, now, newId: randomUUID, timeoutMs: 10_000 });

  /** Kills the database at once after an answer. @returns what a query finds once it is back */
  async function keptAfterKill(sql: string): Promise<unknown> {
    killServer(directory);
    return vi.waitFor(() => ask(connectionString, sql), soon);
  }

  const intent = await payments.createIntent({ orderId: randomUUID(), amountPence: 4500, attempt: 1 });
  expect(
    await keptAfterKill(
      `select status, (select count(*)::integer from sandbox.answers) as answers from sandbox.intents`,
    ),
  ).toEqual([{ status: "requires_payment_method", answers: 1 }]);

  const confirmed = await vi.waitFor(async () => {
    const answer = await fetch(`${card.cardOrigin}/confirm`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        ...{
          publishableKey: card.stripe.publishableKey,
          clientSecret: intent.clientSecret,
          returnUrl: null,
        },
        ...{ number: "4242424242424242", expiryMonth: 12, expiryYear: 2040, securityCode: "123" },
      }),
    });
    expect(answer.status).toBe(200);
    return answer.json();
  }, soon);
  expect(confirmed).toMatchObject({ paymentIntent: { status: "succeeded" } });
  expect(
    await keptAfterKill(
      `select status, (select type from sandbox.events where id = message_id) as told
       from sandbox.intents, sandbox.deliveries`,
    ),
  ).toEqual([{ status: "succeeded", told: "payment_intent.succeeded" }]);

  const submission = { ...exampleSubmission, notAfter: new Date(Date.now() + 600_000).toISOString() };
  const accepted = await automation.submit(submission);
  expect(
    await keptAfterKill(
      `select gro_order_reference as reference, kind,
         (select count(*)::integer from sandbox.deliveries where target = 'gro') as notices
       from sandbox.submissions join sandbox.outcomes using (key)`,
    ),
  ).toEqual([{ reference: accepted.groOrderReference, kind: "dispatched", notices: 1 }]);
});
