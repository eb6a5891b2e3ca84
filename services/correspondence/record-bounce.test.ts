import { describe, expect, test, vi } from "vitest";
import { type BounceKind, mailTaskName } from "../../domain/mailbox.ts";
import { savedAnswers } from "../../domain/saved-draft/sealed-records.ts";
import { StreamContended } from "../../infra/commands/command-handler.ts";
import { draftBody } from "../../testing/gateway/request-bodies-fixture.ts";
import { createTaskBench, type TaskBench } from "../../testing/services/task-fixture.ts";
import { ticketRequest } from "../../testing/services/ticket-fixture.ts";
import { customer } from "../../testing/services/use-case-fixture.ts";
import { placeAndSubmit, submitTogether } from "../../testing/system/orders-fixture.ts";
import { correctContact } from "../orders/correct-contact.ts";
import { saveDraft } from "../orders/drafts/save-draft.ts";
import { openTicket } from "../tickets/write-in-ticket.ts";
import { type Bounce, MailUnderWay, recordBounce } from "./record-bounce.ts";

const by = { actor: { kind: "provider", id: "mail" }, correlationId: "a-mail" } as const;

/** The confirmation of an order comes back, or another mail. */
async function comesBack(
  bench: TaskBench,
  orderId: string,
  kind: BounceKind,
  commandId = bench.deps.newId(),
  other?: Bounce["mail"],
) {
  const { first = "" } = (await bench.order(orderId)).confirmation;
  const mail = other ?? { template: "confirmation", about: first };
  await recordBounce(bench.deps, {
    ...{ subject: { kind: "order", id: orderId }, mail },
    ...{ kind, code: "5.1.1", commandId, by },
  });
  return bench.order(orderId);
}

async function confirmed(): Promise<{ bench: TaskBench; orderId: string }> {
  const bench = createTaskBench();
  const { orderId } = await placeAndSubmit(bench.deps);
  await bench.perform(orderId, "mail-confirmation");
  return { bench, orderId };
}

describe("A confirmation that comes back", () => {
  test("holds the order back until one arrives at a corrected address", async () => {
    const { bench, orderId } = await confirmed();
    expect(await comesBack(bench, orderId, "hard")).toMatchObject({
      phase: "Paid",
      confirmation: { state: "undeliverable" },
    });
    await bench.performAll(orderId);
    expect(bench.mailer.sent).toHaveLength(1);
    await correctContact(bench.deps, orderId, { email: "new@post.example" }, undefined, customer);
    await bench.perform(orderId, "mail-confirmation");
    expect(bench.mailer.sent.map(({ to }) => to)).toContain("new@post.example");
    expect((await bench.order(orderId)).phase).toBe("Confirmed");
  });

  test("softly is sent again an hour later, under the same message id, and the order goes on", async () => {
    const { bench, orderId } = await confirmed();
    expect(await comesBack(bench, orderId, "soft")).toMatchObject({
      phase: "Paid",
      confirmation: { state: "owed" },
    });
    bench.wait(3600);
    await bench.perform(orderId, "mail-confirmation");
    const [one, another] = bench.mailer.sent;
    expect(another).toEqual(one);
    expect((await bench.order(orderId)).phase).toBe("Confirmed");
  });

  test("after the submission holds nothing back", async () => {
    const { bench, orderId } = await confirmed();
    await bench.perform(orderId, "submit");
    expect(await comesBack(bench, orderId, "hard")).toMatchObject({
      phase: "Submitted",
      confirmation: { state: "undeliverable" },
    });
  });

  test("is recorded once, however often and under whatever id it is reported", async () => {
    const { bench, orderId } = await confirmed();
    await comesBack(bench, orderId, "hard", "mail-1");
    await comesBack(bench, orderId, "hard", "mail-1");
    await comesBack(bench, orderId, "soft", "mail-2");
    const bounces = (await bench.eventTypes(orderId)).filter((type) => type === "MailBounced");
    expect(bounces).toHaveLength(1);
  });

  test("before it is recorded as sent is to be reported again", async () => {
    const bench = createTaskBench();
    const { orderId } = await placeAndSubmit(bench.deps);
    await expect(comesBack(bench, orderId, "hard")).rejects.toThrow(MailUnderWay);
    await bench.perform(orderId, "mail-confirmation");
    expect((await comesBack(bench, orderId, "hard")).confirmation.state).toBe("undeliverable");
  });
});

describe("A mail about several orders of a checkout that comes back", () => {
  const emails = ["one@post.example", "one@post.example", "other@post.example"];

  test("concerns each order that it spoke for", async () => {
    const bench = createTaskBench();
    const orderIds = await submitTogether(
      bench.deps,
      emails.map((email) => ({ email })),
    );
    for (const orderId of orderIds) await bench.perform(orderId, "mail-confirmation");
    const [first = ""] = orderIds;
    await comesBack(bench, first, "hard", "mail-1");
    await comesBack(bench, first, "hard", "mail-1");
    const states = await Promise.all(orderIds.map(async (id) => (await bench.order(id)).confirmation.state));
    expect(states).toEqual(["undeliverable", "undeliverable", "sent"]);
  });

  /** Orders to the same address that the GRO has had for a minute, and the mail that will tell of it. */
  async function submitted() {
    const bench = createTaskBench();
    const orderIds = await submitTogether(bench.deps, [{}, {}, {}]);
    for (const orderId of orderIds) await bench.perform(orderId, "mail-confirmation");
    for (const orderId of orderIds) await bench.perform(orderId, "submit-");
    bench.wait(60);
    const [first = ""] = orderIds;
    const { owed } = (await bench.order(first)).mails;
    const { about = "" } = owed.find(({ template }) => template === "submitted") ?? {};
    return { bench, orderIds, mail: { template: "submitted", about } };
  }

  test("after the confirmation concerns each by its own event, and is sent again by each", async () => {
    const { bench, orderIds, mail } = await submitted();
    for (const orderId of orderIds) await bench.perform(orderId, "mail-submitted");
    await comesBack(bench, orderIds[0] ?? "", "soft", "mail-1", mail);
    for (const orderId of orderIds) {
      const owed = (await bench.order(orderId)).mails.owed.find(({ template }) => template === "submitted");
      expect(owed).toMatchObject({ template: "submitted", tries: 1 });
    }
    bench.wait(3600);
    for (const orderId of orderIds) await bench.perform(orderId, "mail-submitted");
    const again = bench.mailer.sent.filter(({ subject }) => subject === "submitted").slice(1);
    expect(again.map(({ text }) => text.split(" ")[0])).toEqual(orderIds);
  });

  test("before it is on record in all is to be reported again", async () => {
    const { bench, orderIds, mail } = await submitted();
    const [first = "", second = "", third = ""] = orderIds;
    const { execute } = bench.deps.orders;
    const record = vi.spyOn(bench.deps.orders, "execute").mockImplementation(async (request) => {
      if (request.orderId !== first) throw new StreamContended("The process died.");
      return execute.call(bench.deps.orders, request);
    });
    expect(await bench.perform(first, "mail-submitted")).toBe("StreamContended");
    record.mockRestore();
    const report = () => comesBack(bench, first, "soft", "mail-1", mail);
    await expect(report()).rejects.toThrow(MailUnderWay);
    await bench.perform(second, "mail-submitted");
    await expect(report()).rejects.toThrow(MailUnderWay);
    await bench.perform(third, "mail-submitted");
    expect(bench.mailer.sent.filter(({ subject }) => subject === "submitted")).toHaveLength(1);
    await report();
    bench.wait(3600);
    for (const orderId of [first, second, third]) await bench.perform(orderId, "mail-submitted");
    const again = bench.mailer.sent.filter(({ subject }) => subject === "submitted").slice(1);
    expect(again.map(({ text }) => text.split(" ")[0])).toEqual(orderIds);
  });
});

test("Mails that fall due to an unreachable address are recorded, and never leave", async () => {
  const { bench, orderId } = await confirmed();
  await bench.perform(orderId, "submit");
  await comesBack(bench, orderId, "hard");
  bench.wait(60);
  await bench.performAll(orderId);
  await bench.performAll(orderId);
  expect(bench.mailer.sent.map(({ subject }) => subject)).toEqual(["confirmation"]);
  const { mails } = await bench.order(orderId);
  expect(mails.owed).toEqual([]);
  expect(mails.undelivered).toMatchObject([
    { template: "confirmation", because: "hard" },
    { template: "submitted", because: "unreachable" },
    { template: "dataDeleted", because: "unreachable" },
  ]);
  // Nothing was corrected: the address is right, and they are sent again.
  await correctContact(bench.deps, orderId, {}, undefined, customer);
  await bench.performAll(orderId);
  expect(bench.mailer.sent.map(({ subject }) => subject).sort()).toEqual([
    ...["confirmation", "confirmation", "dataDeleted", "submitted"],
  ]);
});

test("Someone who reported a mail as unwanted gets only what is needed", async () => {
  const { bench, orderId } = await confirmed();
  await bench.perform(orderId, "submit");
  await comesBack(bench, orderId, "complaint");
  await bench.performAll(orderId);
  expect(bench.mailer.sent.map(({ subject }) => subject)).toEqual(["confirmation"]);
  expect(await bench.eventTypes(orderId)).toContain("MailUndeliverable");
});

test("A ticket whose acknowledgement came back is sent a new link, and the acknowledgement again", async () => {
  const bench = createTaskBench();
  const { ticket } = await openTicket(bench.deps, ticketRequest(), null, undefined, "a-request");
  const { ticketId, mails } = ticket;
  const mail = { template: "ticketOpened", about: mails.owed[0]?.about ?? "" };
  const bounce = { subject: { kind: "ticket", id: ticketId }, mail, kind: "hard", code: "550", by } as const;
  await expect(recordBounce(bench.deps, { ...bounce, commandId: "mail-1" })).rejects.toThrow(MailUnderWay);
  await bench.performNow(ticketId, `mail-ticketOpened-${mail.about}`);
  await recordBounce(bench.deps, { ...bounce, commandId: "mail-1" });
  const { acknowledgement } = (await bench.deps.tickets.load(ticketId)).ticket;
  expect(acknowledgement.state).toBe("undeliverable");
  const command = { type: "ReplaceTicketLink", data: {} } as const;
  const asked = await bench.deps.tickets.execute({ ticketId, commandId: "link", by: customer, command });
  for (const owed of asked.ticket.mails.owed) await bench.performNow(ticketId, mailTaskName(owed));
  expect((await bench.deps.tickets.load(ticketId)).ticket.acknowledgement.state).toBe("sent");
  expect(bench.mailer.sent).toHaveLength(3);
});

test("The mail of a saved draft that came back is recorded once", async () => {
  const bench = createTaskBench();
  const draft = savedAnswers.parse(draftBody().draft);
  const request = { email: "sian.rhys@post.example", key: "a-key", draft };
  const { draftId, mail } = await saveDraft(bench.deps, request, "a-request");
  if (!mail) throw new Error("The draft is owed no mail.");
  const bounce = { subject: { kind: "draft", id: draftId }, mail, kind: "hard", code: "", by } as const;
  await expect(recordBounce(bench.deps, { ...bounce, commandId: "mail-1" })).rejects.toThrow(MailUnderWay);
  await bench.performNow(draftId, `mail-savedDraft-${mail.about}`);
  await recordBounce(bench.deps, { ...bounce, commandId: "mail-1" });
  await recordBounce(bench.deps, { ...bounce, commandId: "mail-2" });
  const types = (await bench.store.readStream(`saved-draft-${draftId}`)).map(({ type }) => type);
  expect(types).toEqual(["DraftSaved", "MailSent", "MailBounced"]);
});

test("Nothing is recorded of an order that does not exist", async () => {
  const { deps } = createTaskBench();
  const mail = { template: "submitted", about: deps.newId() };
  const subject = { kind: "order", id: deps.newId() } as const;
  await recordBounce(deps, { subject, mail, kind: "hard", code: "", commandId: "mail-1", by });
});
