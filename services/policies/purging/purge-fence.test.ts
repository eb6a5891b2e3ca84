import { describe, expect, test } from "vitest";
import { Refused } from "../../../domain/decider.ts";
import { variantRequest } from "../../../domain/forms/variant-request.ts";
import { variantBody } from "../../../testing/gateway/request-bodies-fixture.ts";
import { customer } from "../../../testing/services/use-case-fixture.ts";
import { atEachPlace, type Interrupted, interrupted } from "../../../testing/system/interruption-fixture.ts";
import { placeAndSubmit } from "../../../testing/system/orders-fixture.ts";
import { amendApplication } from "../../orders/amend-application.ts";
import { correctContact } from "../../orders/correct-contact.ts";
import { recordDispute } from "../../orders/payments/returns.ts";
import { recordDispatch, recordOutcome } from "../../orders/staff/staff-actions.ts";

const staff = { by: { userId: "ann" }, reason: "customerAsked" as const, correlationId: "a-click" };
const nothing = async () => undefined;

/** Whether the order accepted the command. */
async function taken(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    if (error instanceof Refused) return false;
    throw error;
  }
}

/** An order whose contact data has reached its retention limit. */
async function fulfilledLongAgo({ bench }: Interrupted): Promise<{ orderId: string; intentId: string }> {
  const placed = await placeAndSubmit(bench.deps);
  await bench.performAll(placed.orderId);
  bench.wait(5);
  await bench.performAll(placed.orderId);
  await recordDispatch(bench.deps, placed.orderId, bench.now().toISOString(), staff);
  await bench.performAll(placed.orderId);
  bench.wait(395 * 86_400);
  return placed;
}

/** An order accepted by the GRO, with its application due for purging. */
async function submittedJustNow({ bench }: Interrupted): Promise<string> {
  const { orderId } = await placeAndSubmit(bench.deps);
  await bench.performAll(orderId);
  bench.wait(5);
  return orderId;
}

const countOf = async ({ bench }: Interrupted, orderId: string, type: string): Promise<number> =>
  (await bench.eventTypes(orderId)).filter((one) => one === type).length;

describe("A purge of contact data, at each of its steps", () => {
  test("leaves nothing readable of a correction made in between: it is purged too, or refused", async () => {
    const outcomes = new Set<boolean>();
    const places = await atEachPlace(async (nth) => {
      const world = interrupted();
      const { bench } = world;
      const { orderId } = await fulfilledLongAgo(world);
      const correct = async () => {
        const change = { email: "another@post.example" };
        outcomes.add(await taken(() => correctContact(bench.deps, orderId, change, undefined, customer)));
      };
      const came = await world.before(nth, correct, () => bench.performNow(orderId, "purge-contact-1-1"));
      await bench.performAll(orderId);
      expect(await bench.deps.vault.recordsOf(orderId)).toEqual([]);
      expect((await bench.order(orderId)).vault.contact).toBeNull();
      expect(await countOf(world, orderId, "ContactDataPurged")).toBe(1);
      return came;
    });
    expect(places).toBeGreaterThan(4);
    expect(outcomes).toEqual(new Set([true, false]));
  });

  test("purges nothing if a dispute comes before it starts, and everything if it comes after", async () => {
    const kept = new Set<boolean>();
    await atEachPlace(async (nth) => {
      const world = interrupted();
      const { bench } = world;
      const { orderId, intentId } = await fulfilledLongAgo(world);
      const held = (await bench.deps.vault.recordsOf(orderId)).length;
      const dispute = { id: "du_1", intentId, amountPence: 4500, reason: "general", outcome: undefined };
      const disputed = () => recordDispute(bench.deps, orderId, intentId, dispute, customer);
      const came = await world.before(nth, disputed, () => bench.performNow(orderId, "purge-contact-1-1"));
      await bench.performAll(orderId);
      const wasStarted = (await countOf(world, orderId, "ContactDataPurgeStarted")) === 1;
      kept.add(!wasStarted);
      expect(await bench.deps.vault.recordsOf(orderId)).toHaveLength(wasStarted ? 0 : held);
      expect(await countOf(world, orderId, "ContactDataPurged")).toBe(wasStarted ? 1 : 0);
      return came;
    });
    expect(kept).toEqual(new Set([true, false]));
  });

  test("is finished by the next try when the process dies, with the same receipt", async () => {
    const undisturbed = interrupted();
    const whole = await fulfilledLongAgo(undisturbed);
    await undisturbed.bench.performAll(whole.orderId);
    const wanted = (await undisturbed.bench.order(whole.orderId)).purges.contact.receipt;
    await atEachPlace(async (nth) => {
      const world = interrupted();
      const { bench } = world;
      const { orderId } = await fulfilledLongAgo(world);
      const came = await world.dyingBefore(nth, () => bench.performNow(orderId, "purge-contact-1-1"));
      await bench.performAll(orderId);
      expect(await bench.deps.vault.recordsOf(orderId)).toEqual([]);
      const { receipt } = (await bench.order(orderId)).purges.contact;
      expect({ ...receipt, keyFingerprint: "" }).toEqual({ ...wanted, keyFingerprint: "" });
      return came;
    });
  });
});

describe("A purge of an application, at each of its steps", () => {
  const { application } = variantRequest("2026-11-21").parse(variantBody());
  const entered = { application, groReferenceKnown: false };

  test("runs once with two workers, and the slower one leaves newer records alone", async () => {
    await atEachPlace(async (nth) => {
      const world = interrupted();
      const { bench } = world;
      const orderId = await submittedJustNow(world);
      const other = bench.perform;
      const enterAgain = async () => {
        await other(orderId, "purge-application");
        await recordOutcome(bench.deps, orderId, { outcome: "queried", question: "Which Bangor?" }, staff);
        await amendApplication(bench.deps, orderId, entered, undefined, customer);
      };
      const came = await world.before(nth, enterAgain, () =>
        bench.performNow(orderId, "purge-application-1-1"),
      );
      if (!came) return false;
      const { application, questions } = (await bench.order(orderId)).vault;
      const left = (await bench.deps.vault.recordsOf(orderId, "application")).map(({ recordId }) => recordId);
      expect(left.sort()).toEqual([application, ...questions.map(({ ref }) => ref)].sort());
      expect(questions).toHaveLength(1);
      for (const type of ["SensitiveDataPurgeStarted", "SensitiveDataPurged"]) {
        expect(await countOf(world, orderId, type)).toBe(1);
      }
      return true;
    });
  });

  test("includes records sealed by commands refused during the purge", async () => {
    await atEachPlace(async (nth) => {
      const world = interrupted();
      const { bench } = world;
      const orderId = await submittedJustNow(world);
      const crashAfterSealing = async () => {
        await bench.deps.vault.seal({
          recordId: bench.deps.newId(),
          subject: orderId,
          dataClass: "application",
          kind: "application",
          schemaVersion: 1,
          body: {},
          dueAt: bench.now().toISOString(),
        });
      };
      // Read, start, vault: a later command would be refused before sealing anything.
      const isBeforeItLooks = nth <= 3;
      const came = await world.before(nth, isBeforeItLooks ? crashAfterSealing : nothing, () =>
        bench.performNow(orderId, "purge-application-1-1"),
      );
      expect(await bench.deps.vault.recordsOf(orderId, "application")).toEqual([]);
      return came;
    });
  });
});

test("A replaced record is purged alone, whatever replaces it meanwhile", async () => {
  await atEachPlace(async (nth) => {
    const world = interrupted();
    const { bench } = world;
    const { orderId } = await placeAndSubmit(bench.deps);
    const correct = (customerReference: string) =>
      correctContact(bench.deps, orderId, { customerReference }, undefined, customer);
    await correct("FIRST/1");
    const [{ ref = "" } = {}] = (await bench.order(orderId)).vault.superseded;
    const came = await world.before(
      nth,
      () => correct("SECOND/2"),
      () => bench.performNow(orderId, `destroy-${ref}`),
    );
    const { contact, superseded } = (await bench.order(orderId)).vault;
    const left = (await bench.deps.vault.recordsOf(orderId, "contact")).map(({ recordId }) => recordId);
    expect(left).not.toContain(ref);
    expect(left).toEqual(expect.arrayContaining([contact, ...superseded.slice(1).map((old) => old.ref)]));
    return came;
  });
});

test("The previous address gets one mail, and its record goes, wherever a process dies in between", async () => {
  const email = "another@post.example";
  const places = await atEachPlace(async (nth) => {
    const world = interrupted();
    const { bench } = world;
    const { orderId } = await placeAndSubmit(bench.deps);
    await correctContact(bench.deps, orderId, { email }, undefined, customer);
    const { mails, vault } = await bench.order(orderId);
    const [{ ref = "" } = {}] = vault.superseded;
    const about = mails.owed.find(({ template }) => template === "emailChanged")?.about;
    const died = await world.dyingBefore(nth, async () => {
      await bench.performNow(orderId, `mail-emailChanged-${about}`);
      await bench.performNow(orderId, `destroy-${ref}`);
    });
    await bench.performAll(orderId);
    const told = bench.mailer.sent.filter(({ subject }) => subject === "emailChanged");
    // A mail whose result was not recorded leaves again, under the same id.
    expect(new Set(told.map(({ to, messageId }) => `${to} ${messageId}`))).toEqual(
      new Set([`sian.rhys@post.example emailChanged.${about}`]),
    );
    const left = (await bench.deps.vault.recordsOf(orderId, "contact")).map(({ recordId }) => recordId);
    expect(left).not.toContain(ref);
    expect(await countOf(world, orderId, "ReplacedRecordPurged")).toBe(1);
    return died;
  });
  expect(places).toBeGreaterThan(4);
});
