import { describe, expect, test } from "vitest";
import { savedAnswers } from "../../../domain/saved-draft/sealed-records.ts";
import { draftBody } from "../../../testing/gateway/request-bodies-fixture.ts";
import { createTaskBench, type TaskBench } from "../../../testing/services/task-fixture.ts";
import { ticketRequest } from "../../../testing/services/ticket-fixture.ts";
import { customer } from "../../../testing/services/use-case-fixture.ts";
import { placeAndSubmit } from "../../../testing/system/orders-fixture.ts";
import { correctContact } from "../../orders/correct-contact.ts";
import { replaceDraft, saveDraft } from "../../orders/drafts/save-draft.ts";
import { openTicket } from "../../tickets/write-in-ticket.ts";

/** A bench on whose first read of a sealed record something else happens. */
function benchWith(meanwhile: (bench: TaskBench) => Promise<void>): { bench: TaskBench; begin: () => void } {
  let waits = false;
  const bench = createTaskBench({
    wrapVault: (vault) => ({
      ...vault,
      open: async (recordId, schema) => {
        if (waits) {
          waits = false;
          await meanwhile(bench);
        }
        return vault.open(recordId, schema);
      },
    }),
  });
  return {
    bench,
    begin: () => {
      waits = true;
    },
  };
}

test("A mail is sent, however slow the vault is, if it is still owed", async () => {
  const { bench, begin } = benchWith(async ({ wait }) => wait(5));
  const opened = await openTicket(bench.deps, ticketRequest(), null, undefined, "a-request");
  const { ticketId, mails } = opened.ticket;
  begin();
  await bench.performNow(ticketId, `mail-ticketOpened-${mails.owed[0]?.about}`);
  expect(bench.mailer.sent).toHaveLength(1);
});

test("The mail of a draft that was replaced and purged meanwhile is not recorded as undeliverable", async () => {
  const request = {
    email: "sian.rhys@post.example",
    key: "a-key",
    draft: savedAnswers.parse(draftBody().draft),
  };
  const { bench, begin } = benchWith(async ({ deps, performNow }) => {
    await replaceDraft(deps, request.key, "a-request");
    await performNow(draftId, "purge-draft-1");
  });
  const { draftId, mail } = await saveDraft(bench.deps, request, "a-request");
  begin();
  await bench.performNow(draftId, `mail-savedDraft-${mail?.about}`);
  const types = (await bench.store.readStream(`saved-draft-${draftId}`)).map(({ type }) => type);
  expect(types).toEqual(["DraftSaved", "DraftEnded", "DraftPurgeStarted", "DraftPurged"]);
});

describe("Where a correction comes before the address is read", () => {
  const email = "corrected@post.example";

  async function correctedWhile(name: string, before: readonly string[]): Promise<TaskBench> {
    let orderId = "";
    const { bench, begin } = benchWith(async ({ deps, performNow }) => {
      const { order } = await deps.orders.load(orderId);
      await correctContact(deps, orderId, { email }, { scope: orderId, key: "a-key" }, customer);
      await performNow(orderId, `destroy-${order.vault.contact}`);
    });
    ({ orderId } = await placeAndSubmit(bench.deps));
    for (const task of before) await bench.perform(orderId, task);
    begin();
    await bench.perform(orderId, name);
    await bench.performAll(orderId);
    expect(await bench.eventTypes(orderId)).not.toContain("MailUndeliverable");
    return bench;
  }

  const sentTo = (bench: TaskBench, template: string) =>
    bench.mailer.sent.filter(({ subject }) => subject === template).map(({ to }) => to);

  test("a mail goes to the new one", async () => {
    const bench = await correctedWhile("mail-submitted", ["mail-confirmation", "submit"]);
    expect(sentTo(bench, "submitted")).toEqual([email]);
  });

  test("the mail to a previous address goes nowhere else", async () => {
    let orderId = "";
    const { bench, begin } = benchWith(async ({ deps, order }) => {
      const [previous = ""] = (await order(orderId)).vault.superseded.map(({ ref }) => ref);
      await deps.vault.destroy([previous]);
    });
    ({ orderId } = await placeAndSubmit(bench.deps));
    await correctContact(bench.deps, orderId, { email }, undefined, customer);
    begin();
    await bench.perform(orderId, "mail-emailChanged");
    await bench.performAll(orderId);
    expect(sentTo(bench, "emailChanged")).toEqual([]);
    expect((await bench.order(orderId)).mails.owed).toEqual([]);
  });

  test("the confirmation that it asks for is the only one", async () => {
    const bench = await correctedWhile("mail-confirmation", []);
    expect(sentTo(bench, "confirmation")).toEqual([email]);
  });
});
