import { describe, expect, test } from "vitest";
import { Refused } from "../../../domain/decider.ts";
import { variantRequest } from "../../../domain/forms/variant-request.ts";
import type { EventStore } from "../../../infra/event-store/event-store.ts";
import { variantBody } from "../../../testing/gateway/request-bodies-fixture.ts";
import { createTaskBench, type TaskBench } from "../../../testing/services/task-fixture.ts";
import { customer, orderRequest } from "../../../testing/services/use-case-fixture.ts";
import { addVariant } from "../../orders/add-variant.ts";
import { correctContact } from "../../orders/correct-contact.ts";
import { createOrder } from "../../orders/create-order.ts";

const request = variantRequest("2026-11-21").parse(variantBody());

type Reading = { reads: number; events: number };

function counting(reading: Reading) {
  return (store: EventStore): EventStore => ({
    append: (append) => store.append(append),
    readStream: async (stream, from) => {
      const events = await store.readStream(stream, from);
      reading.reads += 1;
      reading.events += events.length;
      return events;
    },
    readAll: (after, limit) => store.readAll(after, limit),
    eventAt: (position) => store.eventAt(position),
    follow: (options) => store.follow(options),
    head: () => store.head(),
    logId: () => store.logId(),
    close: () => store.close(),
  });
}

async function opened({ deps }: TaskBench): Promise<string> {
  return (await createOrder(deps, orderRequest(), undefined, "a-request")).order.orderId;
}

/**
 * Sends the request `times` times, performs due tasks after each accepted one as policies would, and returns how many
 * were accepted.
 */
async function ask(bench: TaskBench, orderId: string, times: number): Promise<number> {
  let taken = 0;
  for (let n = 0; n < times; n++) {
    const outcome = await addVariant(bench.deps, orderId, request, undefined, customer).catch(
      (error: unknown) => {
        if (error instanceof Refused && error.rule === "too-many-variants") return undefined;
        throw error;
      },
    );
    if (!outcome) continue;
    taken += 1;
    await bench.performAll(orderId);
  }
  return taken;
}

describe("A replaced record", () => {
  test("is purged once, with a proof in the log, whatever happens later", async () => {
    const bench = createTaskBench();
    const orderId = await opened(bench);
    let destroyed = 0;
    const { destroy } = bench.deps.vault;
    bench.deps.vault.destroy = (recordIds) => {
      destroyed += 1;
      return destroy(recordIds);
    };
    await ask(bench, orderId, 3);
    await correctContact(bench.deps, orderId, { email: "sian@post.example" }, undefined, customer);
    await bench.performAll(orderId);
    await bench.performAll(orderId);
    expect(destroyed).toBe(3);
    const proofs = (await bench.eventTypes(orderId)).filter((type) => type === "ReplacedRecordPurged");
    expect(proofs).toHaveLength(3);
    const { application, contact, signature } = (await bench.order(orderId)).vault;
    expect([...bench.deps.vault.records.keys()].sort()).toEqual([application, contact, signature].sort());
  });

  test("that cannot be erased is retried, and nothing claims that it is gone", async () => {
    const bench = createTaskBench();
    const orderId = await opened(bench);
    for (let n = 0; n < 2; n++) await addVariant(bench.deps, orderId, request, undefined, customer);
    const { destroy } = bench.deps.vault;
    bench.deps.vault.destroy = () => Promise.reject(new Error("The mirror is away."));
    expect(await bench.perform(orderId, "destroy-")).toBeDefined();
    expect(await bench.eventTypes(orderId)).not.toContain("ReplacedRecordPurged");
    bench.deps.vault.destroy = destroy;
    await bench.performAll(orderId);
    expect((await bench.eventTypes(orderId)).at(-1)).toBe("ReplacedRecordPurged");
  });
});

describe("A customer who replaces the variant a thousand times", () => {
  test("is refused from the twenty-first on; each request makes one task, regardless of earlier ones", async () => {
    const reading: Reading = { reads: 0, events: 0 };
    const bench = createTaskBench({ wrapStore: counting(reading) });
    const orderId = await opened(bench);
    const costOf = async (work: () => Promise<unknown>): Promise<Reading> => {
      const before = { ...reading };
      await work();
      return { reads: reading.reads - before.reads, events: reading.events - before.events };
    };
    const costs: Reading[] = [];
    for (let n = 0; n < 20; n++) costs.push(await costOf(() => ask(bench, orderId, 1)));
    // The first replaces nothing. Each later one: decide, find tasks, erase one record, record it, check again.
    const [, second, ...later] = costs.map(({ reads }) => reads);
    expect(new Set(later)).toEqual(new Set([second]));
    // One for the order, 20 variants, 19 proofs: the stream stops growing.
    expect(await bench.eventTypes(orderId)).toHaveLength(40);
    const twentyFirst = await costOf(() => ask(bench, orderId, 1));
    const further = await costOf(() => ask(bench, orderId, 978));
    const thousandth = await costOf(() => ask(bench, orderId, 1));
    // Only the end of the stream is read again.
    expect([twentyFirst, thousandth]).toEqual(Array(2).fill({ reads: 1, events: 1 }));
    expect(further).toEqual({ reads: 978, events: 978 });
  });
});
