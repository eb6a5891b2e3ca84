import { afterEach, describe, expect, test, vi } from "vitest";
import { orderStream } from "../../../domain/order/events.ts";
import type { Order } from "../../../domain/order/state.ts";
import { owed } from "../../../domain/order/tasks/owed.ts";
import type { MailTemplate } from "../../../domain/order/vocabulary.ts";
import { StreamContended } from "../../../infra/commands/command-handler.ts";
import type { EventStore } from "../../../infra/event-store/event-store.ts";
import { StreamUnreadable } from "../../../infra/event-store/stream-unreadable.ts";
import { createTaskBench, type TaskBench, testSettings } from "../../../testing/services/task-fixture.ts";
import { customer } from "../../../testing/services/use-case-fixture.ts";
import { submitTogether } from "../../../testing/system/orders-fixture.ts";
import { recordBounce } from "../../correspondence/record-bounce.ts";
import { cancelOrder } from "../../orders/cancel-order.ts";
import { correctContact } from "../../orders/correct-contact.ts";
import { sharingOf } from "./shared-mail.ts";

/** Three orders with one payment, or as many as asked for. */
const paidTogether = (
  { deps }: TaskBench,
  many = 3,
  changesOf: (n: number) => Record<string, unknown> = () => ({}),
): Promise<string[]> =>
  submitTogether(
    deps,
    Array.from({ length: many }, (_, nth) => changesOf(nth)),
  );

/** What becomes of a mail of an order, as its worker has read it. */
async function sharingOfMail(bench: TaskBench, order: Order, wanted: MailTemplate) {
  const tasks = owed(order, bench.now().toISOString(), testSettings);
  const task = tasks.find((each) => each.kind === "mail" && each.template === wanted);
  const mail = order.mails.owed.find(({ template }) => template === wanted);
  if (task?.kind !== "mail" || !mail) throw new Error("It does not owe the mail.");
  return sharingOf(bench.deps, testSettings, { order, task, by: customer, commandId: "" }, mail);
}

const confirmationOf = async (bench: TaskBench, orderId: string) =>
  sharingOfMail(bench, await bench.order(orderId), "confirmation");

const confirm = (bench: TaskBench, orderId = "") => bench.perform(orderId, "mail-confirmation");
const stateOf = async (bench: TaskBench, orderId = "") => (await bench.order(orderId)).confirmation.state;

/** The mails of a template, each with the orders that it tells of. */
const toldBy = (bench: TaskBench, template: string) =>
  bench.mailer.sent
    .filter(({ messageId }) => messageId.startsWith(`${template}.`))
    .map(({ text }) => text.split("\n").map((line) => line.split(" ")[0]));

describe("The confirmation of orders that were paid for together", () => {
  test("is one mail, sent by whichever is first, and recorded in each", async () => {
    const bench = createTaskBench();
    const [first, second, third] = await paidTogether(bench);
    await confirm(bench, second);
    expect(bench.mailer.sent).toHaveLength(1);
    await confirm(bench, first);
    await confirm(bench, third);
    expect(bench.mailer.sent).toHaveLength(1);
    for (const orderId of [first, second, third]) expect(await stateOf(bench, orderId)).toBe("sent");
  });

  test("is decided and sent by one of those that are due at once, which records it in all", async () => {
    const bench = createTaskBench();
    const orderIds = await paidTogether(bench, 5);
    const decide = vi.spyOn(bench.deps.checkouts, "execute");
    const record = vi.spyOn(bench.deps.orders, "execute");
    await Promise.all(orderIds.map((orderId) => confirm(bench, orderId)));
    expect(decide).toHaveBeenCalledOnce();
    expect(record).toHaveBeenCalledTimes(orderIds.length);
    expect(bench.mailer.sent).toHaveLength(1);
    for (const orderId of orderIds) expect(await stateOf(bench, orderId)).toBe("sent");
  });

  test("is recorded by each of the others where the process died once it had left", async () => {
    const bench = createTaskBench();
    const [first, second] = await paidTogether(bench, 2);
    const { execute } = bench.deps.orders;
    const record = vi.spyOn(bench.deps.orders, "execute");
    record.mockImplementation(async (request) => {
      if (request.orderId !== first) throw new StreamContended("The process died.");
      return execute.call(bench.deps.orders, request);
    });
    expect(await confirm(bench, first)).toBe("StreamContended");
    record.mockRestore();
    expect(await stateOf(bench, second)).toBe("owed");
    await confirm(bench, second);
    expect(bench.mailer.sent).toHaveLength(1);
    expect(await stateOf(bench, second)).toBe("sent");
  });

  test("is waited for by the others while it is on its way", async () => {
    const bench = createTaskBench();
    const [first, second] = await paidTogether(bench, 2);
    bench.mailer.mood = "down";
    await confirm(bench, first);
    bench.mailer.mood = "well";
    expect(await confirm(bench, second)).toBe("later");
    expect(bench.mailer.sent).toEqual([]);
    await confirm(bench, first);
    await confirm(bench, second);
    expect(bench.mailer.sent).toHaveLength(1);
    expect(await stateOf(bench, second)).toBe("sent");
  });

  test("is sent by each for itself where the first never arrived", async () => {
    const bench = createTaskBench();
    const [first, second] = await paidTogether(bench, 2);
    bench.mailer.mood = "refusesAddress";
    await confirm(bench, first);
    bench.mailer.mood = "well";
    expect(await stateOf(bench, first)).toBe("undeliverable");
    await confirm(bench, second);
    expect(bench.mailer.sent).toHaveLength(1);
  });

  test("goes to each address that was given", async () => {
    const bench = createTaskBench();
    const emails = ["one@post.example", "other@post.example", "One@Post.example"];
    for (const orderId of await paidTogether(bench, 3, (n) => ({ email: emails[n] })))
      await confirm(bench, orderId);
    expect(bench.mailer.sent.map(({ to }) => to)).toEqual(["one@post.example", "other@post.example"]);
  });

  test("is sent again to a corrected address by the order that was corrected", async () => {
    const bench = createTaskBench();
    const [first, second] = await paidTogether(bench, 2);
    await confirm(bench, first);
    await correctContact(bench.deps, second ?? "", { email: "new@post.example" }, undefined, customer);
    await confirm(bench, second);
    expect(bench.mailer.sent.map(({ to }) => to)).toContain("new@post.example");
  });

  test("of the others is sent where the one that was to tell of them was corrected first", async () => {
    const bench = createTaskBench();
    const [first = "", second = ""] = await paidTogether(bench, 2);
    bench.mailer.mood = "down";
    await confirm(bench, first);
    bench.mailer.mood = "well";
    await correctContact(bench.deps, first, { email: "new@post.example" }, undefined, customer);
    await confirm(bench, first);
    await confirm(bench, second);
    expect(bench.mailer.sent.map(({ to }) => to)).toEqual(["new@post.example", "sian.rhys@post.example"]);
  });

  test("is prepared once by two workers, between which an order was corrected", async () => {
    const bench = createTaskBench();
    const { deps } = bench;
    const [first = "", second = ""] = await paidTogether(bench, 2);
    const { execute } = deps.checkouts;
    const held: (() => void)[] = [];
    deps.checkouts.execute = async (request) => {
      if (held.length === 0) await new Promise<void>((go) => held.push(go));
      return execute.call(deps.checkouts, request);
    };
    const slow = confirmationOf(bench, first);
    await expect.poll(() => held.length).toBe(1);
    await correctContact(deps, second, { email: "new@post.example" }, undefined, customer);
    const alone = { kind: "tells", others: [] };
    expect(await confirmationOf(bench, first)).toEqual(alone);
    held[0]?.();
    expect(await slow).toEqual(alone);
  });

  test("is sent by each for itself, once it is cancelled, and tells of the others even if the first is", async () => {
    const bench = createTaskBench();
    const [first = "", second = "", third = ""] = await paidTogether(bench);
    await cancelOrder(bench.deps, first, "customerRequest", customer);
    await confirm(bench, first);
    expect(await confirmationOf(bench, second)).toMatchObject({
      kind: "tells",
      others: [{ order: { orderId: third } }],
    });
    await confirm(bench, second);
    expect(await stateOf(bench, third)).toBe("sent");
    expect(bench.mailer.sent).toHaveLength(2);
  });

  test("tells of the others where the first was cancelled after another worker had prepared it", async () => {
    const bench = createTaskBench();
    const { checkouts } = bench.deps;
    const [first = "", second = ""] = await paidTogether(bench, 2);
    const before = await checkouts.lastSeen((await bench.order(first)).checkoutId ?? "");
    bench.mailer.mood = "down";
    await confirm(bench, first);
    bench.mailer.mood = "well";
    await cancelOrder(bench.deps, first, "customerRequest", customer);
    vi.spyOn(checkouts, "lastSeen").mockResolvedValueOnce(before);
    await confirm(bench, first);
    await confirm(bench, second);
    expect(toldBy(bench, "confirmation")).toEqual([[first, second]]);
  });

  test("leaves where all were cancelled before", async () => {
    const bench = createTaskBench();
    const orderIds = await paidTogether(bench, 2);
    for (const orderId of orderIds) await cancelOrder(bench.deps, orderId, "customerRequest", customer);
    for (const orderId of orderIds) expect(await confirm(bench, orderId)).toBeUndefined();
    expect(bench.mailer.sent).toHaveLength(2);
  });

  test("does not tell of an order that was corrected before it left, and does of one that was cancelled", async () => {
    const bench = createTaskBench();
    const [first = "", second = "", third = ""] = await paidTogether(bench);
    bench.mailer.mood = "down";
    await confirm(bench, first);
    bench.mailer.mood = "well";
    await correctContact(bench.deps, second, { email: "new@post.example" }, undefined, customer);
    await cancelOrder(bench.deps, third, "customerRequest", customer);
    const told = await confirmationOf(bench, first);
    expect(told).toMatchObject({ kind: "tells", others: [{ order: { orderId: third } }] });
  });

  describe("while an order of them cannot be read", () => {
    const broken = new Set<string>();
    const wrapStore = (store: EventStore): EventStore => ({
      append: (append) => store.append(append),
      readStream: async (stream, from) => {
        if (broken.has(stream)) throw new StreamUnreadable(stream, "changed", "It was changed.");
        return store.readStream(stream, from);
      },
      readAll: (after, limit) => store.readAll(after, limit),
      eventAt: (position) => store.eventAt(position),
      follow: (options) => store.follow(options),
      head: () => store.head(),
      logId: () => store.logId(),
      close: () => store.close(),
    });
    afterEach(() => broken.clear());

    test("is sent for the others, and for that one once it can be read", async () => {
      const bench = createTaskBench({ wrapStore });
      const [first, second, third = ""] = await paidTogether(bench);
      broken.add(orderStream(third));
      expect(await confirm(bench, first)).toBeUndefined();
      await confirm(bench, second);
      expect(bench.mailer.sent).toHaveLength(1);
      expect(await stateOf(bench, second)).toBe("sent");
      broken.clear();
      await confirm(bench, third);
      expect(bench.mailer.sent).toHaveLength(2);
      expect(await stateOf(bench, third)).toBe("sent");
    });

    test("is sent by each for itself where that one should have told of them", async () => {
      const bench = createTaskBench({ wrapStore });
      const [first = "", second] = await paidTogether(bench, 2);
      bench.mailer.mood = "down";
      await confirm(bench, first);
      bench.mailer.mood = "well";
      broken.add(orderStream(first));
      await confirm(bench, second);
      expect(bench.mailer.sent).toHaveLength(1);
    });
  });
});

describe("The same event of several orders that were paid for together", () => {
  /** Submitted at the same moment, but for those that are left out. */
  async function submitted(bench: TaskBench, orderIds: readonly string[]): Promise<void> {
    for (const orderId of orderIds) await confirm(bench, orderId);
    for (const orderId of orderIds) await bench.perform(orderId, "submit-");
  }
  const mailAll = async (bench: TaskBench, orderIds: readonly string[]) => {
    await Promise.all(orderIds.map((orderId) => bench.performAll(orderId)));
  };

  test("is one mail, a minute later, and recorded in each", async () => {
    const bench = createTaskBench();
    const orderIds = await paidTogether(bench);
    await submitted(bench, orderIds);
    await mailAll(bench, orderIds);
    expect(toldBy(bench, "submitted")).toEqual([]);
    bench.wait(60);
    await mailAll(bench, orderIds);
    bench.wait(60);
    await mailAll(bench, orderIds);
    for (const template of ["submitted", "dataDeleted"]) {
      const [told = [], ...others] = toldBy(bench, template);
      expect(told.toSorted()).toEqual(orderIds.toSorted());
      expect(others).toEqual([]);
    }
    for (const orderId of orderIds) expect((await bench.order(orderId)).mails.owed).toEqual([]);
  });

  test("is another mail where it comes more than a minute later", async () => {
    const bench = createTaskBench();
    const [first = "", second = "", third = ""] = await paidTogether(bench);
    await submitted(bench, [first, second]);
    bench.wait(61);
    await submitted(bench, [third]);
    await mailAll(bench, [first, second, third]);
    expect(toldBy(bench, "submitted").flat().toSorted()).toEqual([first, second].toSorted());
    bench.wait(60);
    await mailAll(bench, [first, second, third]);
    expect(toldBy(bench, "submitted").at(-1)).toEqual([third]);
    expect(toldBy(bench, "submitted")).toHaveLength(2);
  });

  test("is another mail for orders that were cancelled for another reason", async () => {
    const bench = createTaskBench();
    const [first = "", second = "", third = ""] = await paidTogether(bench);
    await cancelOrder(bench.deps, first, "customerRequest", customer);
    await cancelOrder(bench.deps, second, "customerRequest", customer);
    await cancelOrder(bench.deps, third, "staffRequest", customer);
    bench.wait(60);
    await mailAll(bench, [first, second, third]);
    expect(toldBy(bench, "cancelled").map((told) => told.length)).toEqual([2, 1]);
  });

  test("is told to the corrected address by the order that was corrected, at once", async () => {
    const bench = createTaskBench();
    const [first = "", second = ""] = await paidTogether(bench, 2);
    await submitted(bench, [first, second]);
    await correctContact(bench.deps, first, { email: "new@post.example" }, undefined, customer);
    await bench.perform(first, "mail-submitted");
    expect(toldBy(bench, "submitted")).toEqual([[first]]);
    bench.wait(60);
    await bench.perform(second, "mail-submitted");
    expect(toldBy(bench, "submitted")).toEqual([[first], [second]]);
  });

  test("is told by each for itself where the mail of the first never arrived", async () => {
    const bench = createTaskBench();
    const [first = "", second = ""] = await paidTogether(bench, 2);
    await submitted(bench, [first, second]);
    bench.wait(60);
    bench.mailer.mood = "refusesAddress";
    await bench.perform(first, "mail-submitted");
    bench.mailer.mood = "well";
    await bench.perform(second, "mail-submitted");
    expect(toldBy(bench, "submitted")).toEqual([[second]]);
  });

  test("is not told again where its mail came back while an order was read", async () => {
    const bench = createTaskBench();
    const [first = "", second = ""] = await paidTogether(bench, 2);
    await submitted(bench, [first, second]);
    bench.wait(60);
    const before = await bench.order(second);
    await bench.perform(first, "mail-submitted");
    const { about = "" } = (await bench.order(first)).mails.sent.at(-1) ?? {};
    await recordBounce(bench.deps, {
      ...{ subject: { kind: "order", id: first }, mail: { template: "submitted", about } },
      ...{ kind: "spam", code: "", commandId: "mail-1", by: customer },
    });
    expect(await sharingOfMail(bench, before, "submitted")).toEqual({ kind: "later" });
  });

  test("is told of every time that it happens", async () => {
    const bench = createTaskBench();
    const orderIds = await paidTogether(bench, 2);
    const [first = "", second = ""] = orderIds;
    for (const orderId of orderIds) await cancelOrder(bench.deps, orderId, "customerRequest", customer);
    await mailAll(bench, orderIds);
    bench.wait(60);
    await mailAll(bench, orderIds);
    expect(toldBy(bench, "refunded").flat().toSorted()).toEqual([first, second].toSorted());
    expect(toldBy(bench, "refunded")).toHaveLength(1);
  });
});
