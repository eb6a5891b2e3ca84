import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it, vi } from "vitest";
import type { Jobs } from "../../infra/jobs/jobs.ts";
import { MirrorUnreachable } from "../../infra/key-ring/key-ring.ts";
import { customer, orderRequest } from "../../testing/services/use-case-fixture.ts";
import { soon } from "../../testing/setup/patience.ts";
import { placeAndPay, placeOrder } from "../../testing/system/orders-fixture.ts";
import {
  followForAnHour,
  type House,
  hasty,
  noSweepSeconds,
  openHouse,
} from "../../testing/system/test-system.ts";
import { createOrder } from "../orders/create-order.ts";

const seeEvent = (house: House, orderId: string, type: string) =>
  vi.waitFor(async () => expect(await house.eventTypes(orderId)).toContain(type), soon);

const deadQueue: Jobs = {
  add: () => Promise.reject(new Error("The queue is full.")),
  work: async () => async () => undefined,
  standing: async () => ({ waiting: 0, delayed: 0, active: 0, oldestWaiting: undefined }),
  pending: async () => 0,
  wipe: async () => undefined,
  close: async () => undefined,
};

async function orderWithPurgeInQueue(house: House, jobs: Jobs): Promise<string> {
  const { orderId } = await placeAndPay(house.desk);
  await seeEvent(house, orderId, "SubmittedToGRO");
  await vi.waitFor(async () => {
    const { rows } = await house.pool.query("select kind from duties where subject_id = $1", [orderId]);
    // Jobs are added before the list is committed.
    expect(rows).toEqual([{ kind: "purge" }]);
  }, soon);
  expect(await jobs.pending()).toBeGreaterThan(0);
  return orderId;
}

describe("A wiped queue", () => {
  /** Its purge waited in the queue, a minute before it was due; now it is due, and the queue is empty. */
  async function orderWithLostPurge(house: House): Promise<string> {
    const jobs = await house.openJobs();
    const settings = { ...hasty, purgeAfterSeconds: 60 };
    await house.begin({ jobs, settings, sweepEverySeconds: noSweepSeconds });
    const orderId = await orderWithPurgeInQueue(house, jobs);
    await jobs.wipe();
    house.skip(61);
    return orderId;
  }

  it("loses nothing: the sweep restores the tasks", async () => {
    await using house = await openHouse();
    const orderId = await orderWithLostPurge(house);
    await house.begin();
    await seeEvent(house, orderId, "SensitiveDataPurged");
  });

  it("loses its tasks without the sweep", async () => {
    await using house = await openHouse();
    const lost = await orderWithLostPurge(house);
    const later = await placeAndPay(house.desk);
    await seeEvent(house, later.orderId, "SubmittedToGRO");
    expect(await house.eventTypes(lost)).not.toContain("SensitiveDataPurged");
  });

  it("loses nothing when wiped repeatedly at any moment", async () => {
    await using house = await openHouse();
    const jobs = await house.openJobs();
    await house.begin({ jobs });
    const wiping = new AbortController();
    const wiper = (async () => {
      // Limited: on a slow machine no work would get done between two wipes.
      for (let wipes = 0; wipes < 200 && !wiping.signal.aborted; wipes++) {
        await jobs.wipe();
        await delay(30);
      }
    })();
    const placed = await Promise.all(Array.from({ length: 8 }, () => placeAndPay(house.desk)));
    const finished = vi.waitFor(async () => {
      for (const { orderId } of placed) {
        house.skip(1); // Makes postponed tasks due at once.
        expect(await house.eventTypes(orderId)).toContain("SensitiveDataPurged");
      }
    }, soon);
    await finished.finally(() => wiping.abort());
    await wiper;
    const accepted = [...house.around.automation.accepted.keys()].map((key) => key.replace(/-\d+$/, ""));
    expect(accepted.length, "no order was accepted twice").toBe(new Set(accepted).size);
  });
});

describe("A job out of retries", () => {
  async function orderWithFailedMail(house: House, jobs: Jobs): Promise<string> {
    house.around.mailer.mood = "down";
    const { orderId } = await placeAndPay(house.desk);
    await vi.waitFor(async () => {
      expect(house.logLines.filter((line) => line.includes("a task failed"))).toHaveLength(2);
      expect(await jobs.pending()).toBe(0);
    }, soon);
    house.around.mailer.mood = "well";
    house.skip(60);
    return orderId;
  }

  it("is revived by the sweep", async () => {
    await using house = await openHouse();
    const jobs = await house.openJobs();
    await house.begin({ jobs });
    const orderId = await orderWithFailedMail(house, jobs);
    await seeEvent(house, orderId, "SensitiveDataPurged");
  });

  it("stays failed without the sweep", async () => {
    await using house = await openHouse();
    const jobs = await house.openJobs();
    await house.begin({ jobs, sweepEverySeconds: noSweepSeconds });
    const failed = await orderWithFailedMail(house, jobs);
    const later = await placeAndPay(house.desk);
    await seeEvent(house, later.orderId, "SensitiveDataPurged");
    expect(await house.eventTypes(failed)).not.toContain("ConfirmationSent");
  });

  it("does not delay other tasks", async () => {
    await using house = await openHouse();
    await house.begin();
    const { send } = house.around.mailer;
    house.around.mailer.send = (mail) =>
      mail.to === "broken@post.example" ? Promise.reject(new TypeError("Cannot be written.")) : send(mail);
    const broken = await placeAndPay(house.desk, { email: "broken@post.example" });
    const sound = await placeAndPay(house.desk);
    await seeEvent(house, sound.orderId, "SensitiveDataPurged");
    expect((await house.order(broken.orderId)).phase).toBe("Paid");
    expect(house.logLines.join("")).not.toContain("broken@post.example");
  });
});

describe("A queue that accepts nothing", () => {
  it("neither stops the follower nor delays purges of sensitive data", async () => {
    await using house = await openHouse();
    const worked = await house.begin();
    const { orderId } = await placeAndPay(house.desk);
    house.around.automation.mood = "answerLost";
    await seeEvent(house, orderId, "SubmissionStarted");
    await worked.stop();
    const policies = await house.begin({ jobs: deadQueue });
    const { accepted } = house.around.automation;
    const key = [...accepted.keys()][0] ?? "";
    // By hand: without a queue, the service is not asked.
    await house.desk.orders.tell({
      orderId,
      commandId: "told-by-staff",
      by: customer,
      command: {
        type: "RecordSubmission",
        data: { attempt: 1, groReferenceRef: null, submittedAt: accepted.get(key)?.acceptedAt ?? "" },
      },
    });
    house.skip(15);
    await seeEvent(house, orderId, "SensitiveDataPurged");
    expect((await policies.status()).state).toBe("following");
  });
});

describe("Due sealed records", () => {
  const dueAt = () => new Date().toISOString();
  const stray = (subject: string) => ({
    recordId: randomUUID(),
    subject,
    dataClass: "application" as const,
    kind: "application" as const,
    schemaVersion: 1,
    body: { SurnameAtBirth: "Llywelyn" },
    dueAt: dueAt(),
  });

  const dueNow = (house: House, subject: string) =>
    house.pool.query("update vault_records set due_at = now() where subject = $1", [subject]);

  it("are erased if no event names them, and kept otherwise", async () => {
    await using house = await openHouse();
    const { vault } = house.desk;
    const neverCreated = randomUUID();
    await vault.seal(stray(neverCreated));
    const { orderId } = await placeAndPay(house.desk);
    house.around.mailer.mood = "down"; // Keeps the order's data.
    const named = await vault.recordsOf(orderId);
    await dueNow(house, orderId);
    await vault.seal(stray(orderId));
    await followForAnHour(house);
    await house.begin();
    expect(await vault.recordsOf(neverCreated)).toEqual([]);
    const kept = await vault.recordsOf(orderId);
    expect(kept.map(({ recordId }) => recordId).sort()).toEqual(named.map(({ recordId }) => recordId).sort());
  });

  it("of an order that was only created expire with it", async () => {
    await using house = await openHouse();
    const { order } = await createOrder(house.desk, orderRequest(), undefined, "a-request");
    house.skip(86_400);
    await house.begin();
    await vi.waitFor(async () => expect(await house.desk.vault.recordsOf(order.orderId)).toEqual([]), soon);
  });

  it("restore their order's tasks if lost from the list", async () => {
    await using house = await openHouse();
    const first = await house.begin();
    const orderId = await placeOrder(house.desk);
    const { position } = await house.desk.orders.load(orderId);
    await vi.waitFor(async () => expect((await first.status()).position).toBe(position), soon);
    await first.stop();
    await house.pool.query("delete from duties");
    house.skip(86_400);
    await house.begin();
    await vi.waitFor(async () => expect(await house.desk.vault.recordsOf(orderId)).toEqual([]), soon);
  });

  it("that cannot be erased do not block others", async () => {
    await using house = await openHouse();
    const { vault } = house.desk;
    const [stuck, sound] = [stray(randomUUID()), stray(randomUUID())];
    await vault.seal({ ...stuck, dueAt: "2020-01-01T00:00:00.000Z" });
    await vault.seal(sound);
    const destroy: typeof vault.destroy = (refs) =>
      refs.includes(stuck.recordId)
        ? Promise.reject(new MirrorUnreachable("Not mounted."))
        : vault.destroy(refs);
    await followForAnHour(house);
    await house.begin({ desk: { ...house.desk, vault: { ...vault, destroy } } });
    expect(await vault.recordsOf(sound.subject)).toEqual([]);
    expect(await vault.recordsOf(stuck.subject)).toHaveLength(1);
    const now = house.desk.now().toISOString();
    expect(await vault.claimDue({ now, until: now, keptDays: 365, limit: 10 })).toEqual([]);
    expect(house.logLines.join("")).toContain("MirrorUnreachable");
  });
});
