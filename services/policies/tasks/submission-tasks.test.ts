import { describe, expect, test } from "vitest";
import { applicationRecord, contactRecord } from "../../../domain/forms/sealed-records.ts";
import { variantRequest } from "../../../domain/forms/variant-request.ts";
import { addSeconds } from "../../../domain/instant.ts";
import { submissionKeyOf } from "../../../domain/order/payment/provider-keys.ts";
import { mostAutomaticAttempts } from "../../../domain/order/submission/submission-window.ts";
import type { Json } from "../../../infra/json.ts";
import { variantBody } from "../../../testing/gateway/request-bodies-fixture.ts";
import { acceptedAs } from "../../../testing/providers/fake-providers.ts";
import { createTaskBench, type TaskBench } from "../../../testing/services/task-fixture.ts";
import { Crash, customer, failingAppends, orderRequest } from "../../../testing/services/use-case-fixture.ts";
import { placeAndSubmit } from "../../../testing/system/orders-fixture.ts";
import { amendApplication } from "../../orders/amend-application.ts";
import { correctContact } from "../../orders/correct-contact.ts";

/** A paid order whose confirmation was sent, with its submission due. */
async function confirmedOrder(bench: TaskBench): Promise<string> {
  const { orderId } = await placeAndSubmit(bench.deps);
  expect(await bench.perform(orderId, "mail-confirmation")).toBeUndefined();
  return orderId;
}

const key = submissionKeyOf;

/** Stops the first request where a process may stop: the attempt is recorded, and nothing has been sent. */
function pauseFirstSubmission({ automation }: TaskBench): { reached: Promise<void>; wake: () => void } {
  const reached = Promise.withResolvers<void>();
  const woken = Promise.withResolvers<void>();
  const submit = automation.submit;
  automation.submit = async (application) => {
    automation.submit = submit;
    reached.resolve();
    await woken.promise;
    return submit(application);
  };
  return { reached: reached.promise, wake: woken.resolve };
}

/** Replaces the contact record by one that has more fields than this build knows. */
async function sealAsNewerBuild(
  { deps: { vault, orders, newId }, now }: TaskBench,
  orderId: string,
  newer: Readonly<Record<string, Json>>,
): Promise<void> {
  const { order } = await orders.load(orderId);
  const known = await vault.open(order.vault.contact ?? "", contactRecord);
  const contactRef = newId();
  await vault.seal({
    ...{ recordId: contactRef, subject: orderId, dataClass: "contact", kind: "contact", schemaVersion: 1 },
    body: { ...known, ...newer },
    dueAt: addSeconds(now().toISOString(), 86_400),
  });
  const command = {
    type: "CorrectContact" as const,
    data: { contactRef, postal: false, emailChanged: false },
  };
  await orders.execute({ orderId, commandId: "by a newer build", by: customer, command });
}

describe("Submitting an application", () => {
  test("asks whether the GRO has it, records the attempt, sends it and seals the reference", async () => {
    const bench = createTaskBench();
    const orderId = await confirmedOrder(bench);
    await bench.perform(orderId, "submit-1");
    expect(bench.automation.statusesAsked).toEqual([
      Array.from({ length: mostAutomaticAttempts }, (_, n) => key(orderId, n + 1)),
    ]);
    // An inquiry would have closed the key.
    expect(bench.automation.asked).toEqual([]);
    expect(bench.automation.sent).toMatchObject([
      { key: key(orderId, 1), notAfter: addSeconds(bench.now().toISOString(), 600) },
    ]);
    expect(bench.automation.sent[0]?.contact).toMatchObject({ contactFullName: "Mrs Siân Rhys" });
    const order = await bench.order(orderId);
    expect(order.phase).toBe("Submitted");
    const sealed = bench.deps.vault.records.get(order.vault.groReferences[0] ?? "");
    expect(sealed?.body).toEqual({ groOrderReference: "GRO-1" });
  });

  test("sends another person to post to, and keeps the customer's own reference", async () => {
    const bench = createTaskBench();
    const { orderId } = await placeAndSubmit(bench.deps);
    const recipient = { fullName: "Mair Evans", address: orderRequest().contact.contactAddress };
    await correctContact(
      bench.deps,
      orderId,
      { recipient, customerReference: "SMITH/42" },
      undefined,
      customer,
    );
    await bench.perform(orderId, "mail-confirmation");
    await bench.perform(orderId, "submit-1");
    expect(bench.automation.sent[0]?.contact).toMatchObject({ contactFullName: "Mrs Siân Rhys", recipient });
    expect(JSON.stringify(bench.automation.sent)).not.toContain("SMITH");
  });

  /** An order whose application names another applicant than its contact. */
  async function orderOfAna(bench: TaskBench): Promise<string> {
    const { orderId } = await placeAndSubmit(bench.deps);
    const ordered = variantBody({ customerFirstName: "Ana", customerLastName: "Alvarez Figueroa" });
    const { application } = variantRequest("2026-11-21").parse(ordered);
    const amendment = { application, groReferenceKnown: false };
    await amendApplication(bench.deps, orderId, amendment, undefined, customer);
    return orderId;
  }

  test.each([
    ["Ms Mary Ann van der Berg", "van der Berg", "Mary Ann", "van der Berg"],
    ["Ms Mary Ann Jones", undefined, "Mary Ann", "Jones"],
    // The application tells the last name apart, the contact does not.
    ["Ms Ana María Alvarez Figueroa", undefined, "Ana María", "Alvarez Figueroa"],
  ])("names the applicant as corrected since the order: %s", async (fullName, lastName, first, last) => {
    const bench = createTaskBench();
    const orderId = await orderOfAna(bench);
    const change = { contactFullName: fullName, contactLastName: lastName };
    await correctContact(bench.deps, orderId, change, undefined, customer);
    await bench.perform(orderId, "mail-confirmation");
    await bench.perform(orderId, "submit-1");
    expect(bench.automation.sent).toMatchObject([
      {
        application: { customerFirstName: first, customerLastName: last, certificateType: "Birth" },
        contact: { contactFullName: fullName },
      },
    ]);
  });

  test("names the applicant as ordered, though the contact is another, while nothing is corrected", async () => {
    const bench = createTaskBench();
    const orderId = await orderOfAna(bench);
    await bench.perform(orderId, "mail-confirmation");
    await bench.perform(orderId, "submit-1");
    expect(bench.automation.sent).toMatchObject([
      {
        application: { customerFirstName: "Ana", customerLastName: "Alvarez Figueroa" },
        contact: { contactFullName: "Mrs Siân Rhys" },
      },
    ]);
  });

  test("waits for a newer worker where a newer build asked for something that this one does not know", async () => {
    for (const newer of [
      { signedFor: true },
      { contactPhone: { Daytime: "01970 621234", Evening: "", Text: "07700 900123" } },
    ]) {
      const bench = createTaskBench();
      const orderId = await confirmedOrder(bench);
      await sealAsNewerBuild(bench, orderId, newer);
      expect(await bench.perform(orderId, "submit-1")).toBe("RecordNewer");
      expect(bench.automation.sent).toEqual([]);
      const order = await bench.order(orderId);
      expect([order.phase, order.attempts]).toMatchObject(["Confirmed", { open: null, count: 0 }]);
      expect(bench.logLines.join()).not.toContain("07700 9");
    }
  });

  test("is recorded before anything is sent", async () => {
    const bench = createTaskBench();
    const orderId = await confirmedOrder(bench);
    const typesWhenSent: string[][] = [];
    const submit = bench.automation.submit;
    bench.automation.submit = async (application) => {
      typesWhenSent.push(await bench.eventTypes(orderId));
      return submit(application);
    };
    await bench.perform(orderId, "submit-1");
    expect(typesWhenSent[0]?.at(-1)).toBe("SubmissionStarted");
  });

  test("is sent once by two workers at the same time", async () => {
    const bench = createTaskBench();
    const orderId = await confirmedOrder(bench);
    // Both have asked before either begins: the moment at which two processes could both send.
    const bothAsked = Promise.withResolvers<void>();
    const statuses = bench.automation.statuses;
    bench.automation.statuses = async (asked) => {
      const answer = await statuses(asked);
      if (bench.automation.statusesAsked.length === 2) bothAsked.resolve();
      await bothAsked.promise;
      return answer;
    };
    const other = bench.perform;
    await Promise.all([bench.perform(orderId, "submit-1"), other(orderId, "submit-1")]);
    expect(bench.automation.sent).toHaveLength(1);
    expect((await bench.order(orderId)).phase).toBe("Submitted");
  });

  test.each([
    ["soon", 0],
    ["after a day", 86_400],
  ])(
    "by a worker that paused before its request and woke %s is accepted once: others continued",
    async (_, seconds) => {
      const bench = createTaskBench();
      const orderId = await confirmedOrder(bench);
      const { reached, wake } = pauseFirstSubmission(bench);
      const paused = bench.perform(orderId, "submit-1");
      await reached;
      bench.wait(60);
      const other = bench.perform;
      await other(orderId, "ask-submission-1");
      bench.wait(60);
      await other(orderId, "submit-2");
      bench.wait(seconds);
      const before = await bench.eventTypes(orderId);
      wake();
      expect(await paused).toBeUndefined();
      expect([...bench.automation.accepted.keys()]).toEqual([key(orderId, 2)]);
      expect(await bench.eventTypes(orderId)).toEqual(before);
      expect((await bench.order(orderId)).submission).toMatchObject({ attempt: 2 });
    },
  );

  test("by a worker that paused for long, not taken over by another, is sent under the next key", async () => {
    const bench = createTaskBench();
    const orderId = await confirmedOrder(bench);
    const { reached, wake } = pauseFirstSubmission(bench);
    const paused = bench.perform(orderId, "submit-1");
    await reached;
    bench.wait(601);
    wake();
    expect(await paused).toBeUndefined();
    expect((await bench.order(orderId)).attempts).toMatchObject({ open: null, count: 1 });
    bench.wait(60);
    await bench.performAll(orderId);
    expect([...bench.automation.accepted.keys()]).toEqual([key(orderId, 2)]);
  });

  test("sends the application as amended while starting, not as opened before", async () => {
    const bench = createTaskBench();
    const orderId = await confirmedOrder(bench);
    const { vault, orders } = bench.deps;
    const open = vault.open;
    const amended = bench.deps.newId();
    vault.open = async (recordId, shape) => {
      vault.open = open;
      const body = await open(recordId, shape);
      const record = { subject: orderId, dataClass: "application", kind: "application" } as const;
      const dueAt = addSeconds(bench.now().toISOString(), 86_400);
      await vault.seal({
        ...record,
        recordId: amended,
        schemaVersion: 1,
        body: { ...(await open(recordId, applicationRecord)), gro: "amended" },
        dueAt,
      });
      const data = { applicationRef: amended, groReferenceKnown: true };
      const command = { type: "AmendApplication" as const, data };
      await orders.execute({ orderId, commandId: "amend", by: customer, command });
      return body;
    };
    await bench.perform(orderId, "submit-1");
    expect(bench.automation.sent).toMatchObject([{ application: { gro: "amended" } }]);
  });

  test("that is refused is retried a minute later under a new key", async () => {
    const bench = createTaskBench();
    const orderId = await confirmedOrder(bench);
    bench.automation.mood = "refuses";
    await bench.perform(orderId, "submit-1");
    expect((await bench.order(orderId)).phase).toBe("Confirmed");
    bench.automation.mood = "well";
    expect(await bench.due(orderId)).toEqual([]);
    bench.wait(60);
    await bench.performAll(orderId);
    expect([...bench.automation.accepted.keys()]).toEqual([key(orderId, 2)]);
    expect((await bench.order(orderId)).submission?.attempt).toBe(2);
  });

  test("whose answer is lost is asked about, and not sent again", async () => {
    const bench = createTaskBench();
    const orderId = await confirmedOrder(bench);
    bench.automation.mood = "answerLost";
    await bench.perform(orderId, "submit-1");
    expect((await bench.order(orderId)).phase).toBe("Submitting");
    bench.automation.mood = "down";
    bench.wait(120);
    await bench.performAll(orderId);
    expect((await bench.order(orderId)).attempts.open?.uncertain).toBe(2);
    bench.automation.mood = "well";
    bench.wait(3600);
    await bench.performAll(orderId);
    expect((await bench.order(orderId)).submission?.attempt).toBe(1);
    expect(bench.automation.sent).toHaveLength(1);
  });

  test("that never arrived is certain once asked, and is sent again", async () => {
    const bench = createTaskBench();
    const orderId = await confirmedOrder(bench);
    bench.automation.mood = "deaf";
    await bench.perform(orderId, "submit-1");
    bench.automation.mood = "well";
    bench.wait(120);
    await bench.performAll(orderId);
    bench.wait(60);
    await bench.performAll(orderId);
    expect(await bench.eventTypes(orderId)).toEqual(
      expect.arrayContaining(["SubmissionStarted", "SubmissionFailed", "SubmittedToGRO"]),
    );
    expect([...bench.automation.accepted.keys()]).toEqual([key(orderId, 2)]);
  });

  test("after a crash between starting and sending asks first", async () => {
    const bench = createTaskBench();
    const orderId = await confirmedOrder(bench);
    bench.automation.submit = async () => {
      throw new Crash();
    };
    expect(await bench.perform(orderId, "submit-1")).toBe("Error");
    expect(await bench.due(orderId)).toEqual([]);
    bench.wait(60);
    expect(await bench.due(orderId)).toEqual(["ask-submission-1-1"]);
  });

  test("to an unreachable service sends nothing, and is shown to staff after an hour", async () => {
    const bench = createTaskBench();
    const orderId = await confirmedOrder(bench);
    bench.automation.mood = "down";
    expect(await bench.perform(orderId, "submit-1")).toBe("unreachable");
    expect((await bench.order(orderId)).phase).toBe("Confirmed");
    bench.wait(3600);
    expect(await bench.perform(orderId, "submit-1")).toBeUndefined();
    expect((await bench.order(orderId)).attempts.open).toMatchObject({ attempt: 1, uncertain: 1 });
    expect(bench.automation.sent).toHaveLength(0);
    bench.automation.mood = "well";
    bench.wait(3600);
    await bench.performAll(orderId);
    bench.wait(60);
    await bench.performAll(orderId);
    expect(bench.automation.sent).toHaveLength(1);
  });

  test("to a service that refuses to answer keeps the attempt open", async () => {
    const bench = createTaskBench();
    const orderId = await confirmedOrder(bench);
    bench.automation.mood = "answerLost";
    await bench.perform(orderId, "submit-1");
    bench.automation.mood = "locked";
    bench.wait(120);
    expect(await bench.perform(orderId, "ask-submission-1-2")).toBeUndefined();
    expect((await bench.order(orderId)).attempts.open).toMatchObject({ attempt: 1, uncertain: 2 });
  });

  test("without a readable application starts, fails, and is left to staff", async () => {
    const bench = createTaskBench();
    const orderId = await confirmedOrder(bench);
    const { vault } = await bench.order(orderId);
    await bench.deps.vault.destroy([vault.application ?? ""]);
    await bench.perform(orderId, "submit-1");
    expect(bench.automation.sent).toHaveLength(0);
    expect(await bench.eventTypes(orderId)).toContain("SubmissionFailed");
  });

  test("seals the reference again when an unrecorded try sealed it and it was erased since", async () => {
    const bench = createTaskBench();
    const orderId = await confirmedOrder(bench);
    const first = bench.deps.deriveId("gro-order-reference", key(orderId, 1));
    const record = {
      recordId: first,
      subject: orderId,
      dataClass: "contact",
      kind: "groOrderReference",
    } as const;
    await bench.deps.vault.seal({ ...record, schemaVersion: 1, body: {}, dueAt: "2026-11-24T00:00:00.000Z" });
    await bench.deps.vault.destroy([first]);
    await bench.perform(orderId, "submit-1");
    const [ref] = (await bench.order(orderId)).vault.groReferences;
    expect(bench.deps.vault.records.get(ref ?? "")?.body).toEqual({ groOrderReference: "GRO-1" });
  });
});

describe("After a restore", () => {
  test("an application that the GRO accepted earlier is never sent twice", async () => {
    const bench = createTaskBench();
    const orderId = await confirmedOrder(bench);
    bench.automation.accepted.set(key(orderId, 1), acceptedAs(1, bench.now()));
    await bench.performAll(orderId);
    expect(bench.automation.sent).toHaveLength(0);
    expect((await bench.order(orderId)).submission).toMatchObject({ attempt: 1 });
  });

  test("an application accepted at a later, forgotten attempt is never sent twice", async () => {
    const bench = createTaskBench();
    const orderId = await confirmedOrder(bench);
    bench.wait(3600);
    bench.automation.accepted.set(key(orderId, 3), acceptedAs(1, bench.now()));
    await bench.performAll(orderId);
    expect(bench.automation.sent).toHaveLength(0);
    const order = await bench.order(orderId);
    expect(order.submission).toMatchObject({ attempt: 3 });
    expect(order.attempts.count).toBe(3);
  });

  test("a paid order is not failed while the GRO has it", async () => {
    const bench = createTaskBench();
    const { orderId } = await placeAndSubmit(bench.deps);
    bench.mailer.mood = "refusesAddress";
    await bench.performAll(orderId);
    bench.automation.accepted.set(key(orderId, 1), acceptedAs(1, bench.now()));
    bench.wait(7 * 86_400);
    await bench.perform(orderId, "unconfirmed");
    expect((await bench.order(orderId)).phase).toBe("Submitted");
  });

  test("after only failed attempts, an order fails when the service does not answer, not while the GRO has it", async () => {
    for (const [mood, phase] of [
      ["well", "Submitted"],
      ["down", "Failed"],
    ] as const) {
      const bench = createTaskBench();
      const orderId = await confirmedOrder(bench);
      bench.automation.mood = "refuses";
      await bench.perform(orderId, "submit-1");
      bench.automation.accepted.set(key(orderId, 2), acceptedAs(1, bench.now()));
      bench.automation.mood = mood;
      bench.wait(7 * 86_400);
      await bench.perform(orderId, "fail-2");
      expect((await bench.order(orderId)).phase).toBe(phase);
    }
  });

  test("a crash before the attempt is recorded sends nothing", async () => {
    let broken = false;
    const bench = createTaskBench({ wrapStore: failingAppends(() => broken) });
    const orderId = await confirmedOrder(bench);
    broken = true;
    expect(await bench.perform(orderId, "submit-1")).toBe("Error");
    broken = false;
    expect(bench.automation.sent).toHaveLength(0);
    await bench.performAll(orderId);
    expect(bench.automation.sent).toHaveLength(1);
  });
});
