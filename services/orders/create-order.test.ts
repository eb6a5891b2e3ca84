import { describe, expect, test } from "vitest";
import { Refused } from "../../domain/decider.ts";
import { contactRecord } from "../../domain/forms/sealed-records.ts";
import { savedAnswers } from "../../domain/saved-draft/sealed-records.ts";
import { CommandReused } from "../../infra/commands/repeats.ts";
import { draftBody, newDraftKey } from "../../testing/gateway/request-bodies-fixture.ts";
import {
  Crash,
  failingAppends,
  orderRequest,
  testDependencies,
} from "../../testing/services/use-case-fixture.ts";
import { createOrder } from "./create-order.ts";
import { deleteDraft, saveDraft } from "./drafts/save-draft.ts";

const key = { scope: "open-order", key: "0f1e2d3c-0000-4000-8000-000000000000" };
const other = orderRequest({ email: "other@post.example" });

/** As with the log in another store: a crash may leave records that no event names. */
const sealedBefore = { storedByAppends: false };

describe("Opening an order", () => {
  test("seals before it appends: the event names records that can be opened", async () => {
    const deps = testDependencies();
    const { order } = await createOrder(deps, orderRequest(), key, "a-request");
    const contact = await deps.vault.open(order.vault.contact ?? "", contactRecord);
    expect(contact.contactFullName).toBe("Mrs Siân Rhys");
    expect(order.vault.signature).not.toBeNull();
  });

  test("again with its key gives the same order, also to another process of the installation", async () => {
    const deps = testDependencies();
    const first = await createOrder(deps, orderRequest(), key, "a-request");
    const again = await createOrder({ ...deps }, orderRequest(), key, "another-request");
    expect(again.order).toEqual(first.order);
    expect(again.position).toBe(first.position);
    expect(await deps.events(first.order.orderId)).toHaveLength(1);
  });

  test("from one draft has one certificate's id, which tells nothing of the draft's; without a draft it has none", async () => {
    const deps = testDependencies();
    const idsOf = async (draftId?: string) => {
      const { order } = await createOrder(deps, orderRequest({ draftId }), undefined, "a-request");
      return order.certificateIds;
    };
    const first = await idsOf("k3j9-draft");
    expect(first).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/)]);
    expect(await idsOf("k3j9-draft")).toEqual(first);
    expect(await idsOf("another")).not.toEqual(first);
    expect(await idsOf()).toBeUndefined();
    expect(await idsOf("")).toBeUndefined();
  });

  test("with a key of version 7 has an id ordered by the key's time, also when it is repeated much later", async () => {
    const deps = testDependencies();
    const open = async (uuid: string, parts = deps) => {
      const { order } = await createOrder(parts, orderRequest(), { ...key, key: uuid }, "a-request");
      return order.orderId;
    };
    const [later, earlier] = [
      await open("019aba3c-0000-7000-8000-000000000000"),
      await open("019aba3b-0000-7000-8000-000000000000"),
    ];
    expect(earlier < later).toBe(true);
    const nextYear = new Date(deps.now().getTime() + 365 * 86_400_000);
    expect(await open("019aba3c-0000-7000-8000-000000000000", { ...deps, now: () => nextYear })).toBe(later);
    expect(await deps.events(later)).toHaveLength(1);
  });

  test("without a key has an id ordered by the clock", async () => {
    const deps = testDependencies();
    const hourLater = new Date(deps.now().getTime() + 3_600_000);
    const opened = async (parts: typeof deps) =>
      (await createOrder(parts, orderRequest(), undefined, "a-request")).order.orderId;
    const later = await opened({ ...deps, now: () => hourLater });
    expect((await opened(deps)) < later).toBe(true);
  });

  test("again with its key and another body is refused", async () => {
    const deps = testDependencies();
    await createOrder(deps, orderRequest(), key, "a-request");
    await expect(createOrder(deps, other, key, "a-request")).rejects.toThrow(CommandReused);
  });

  test("after a crash before appending takes another body, and the event names a record that holds it", async () => {
    let broken = true;
    const deps = testDependencies(
      failingAppends(() => broken),
      sealedBefore,
    );
    await expect(createOrder(deps, orderRequest(), key, "a-request")).rejects.toThrow(Crash);
    expect([...deps.vault.records.values()].filter(({ kind }) => kind === "contact")).toHaveLength(1);
    broken = false;
    const { order } = await createOrder(deps, other, key, "a-request");
    const contact = await deps.vault.open(order.vault.contact ?? "", contactRecord);
    expect(contact.email).toBe("other@post.example");
  });

  test("after a crash and the sweep names a record that can be opened, not the one that was destroyed", async () => {
    let broken = true;
    const deps = testDependencies(
      failingAppends(() => broken),
      sealedBefore,
    );
    await expect(createOrder(deps, orderRequest(), key, "a-request")).rejects.toThrow(Crash);
    const orphans = [...deps.vault.records.values()].filter(({ kind }) => kind !== "fingerprintKey");
    await deps.vault.destroy(orphans.map(({ recordId }) => recordId));
    broken = false;
    const { order } = await createOrder(deps, orderRequest(), key, "a-request");
    expect((await deps.vault.open(order.vault.contact ?? "", contactRecord)).email).toBe(
      "sian.rhys@post.example",
    );
  });

  test("with the key of an order that was purged answers the first result and keeps nothing new", async () => {
    const deps = testDependencies();
    const first = await createOrder(deps, orderRequest(), key, "a-request");
    await deps.vault.destroy([...deps.vault.records.keys()]);
    const again = await createOrder(deps, other, key, "a-request");
    expect(again.position).toBe(first.position);
    expect([...deps.vault.records.keys()]).toEqual([]);
  });

  test("with a key whose traces were destroyed before an order came to be is refused", async () => {
    let broken = true;
    const deps = testDependencies(
      failingAppends(() => broken),
      sealedBefore,
    );
    await expect(createOrder(deps, orderRequest(), key, "a-request")).rejects.toThrow(Crash);
    await deps.vault.destroy([...deps.vault.records.keys()]);
    broken = false;
    await expect(createOrder(deps, orderRequest(), key, "a-request")).rejects.toThrow(CommandReused);
  });

  test("names the saved drafts that it completes by their ids: those that their keys open, or will open", async () => {
    const deps = testDependencies();
    const [open, ended] = [newDraftKey(), newDraftKey()];
    const draft = savedAnswers.parse(draftBody().draft);
    const save = (key: string) =>
      saveDraft(deps, { email: "sian.rhys@post.example", key, draft }, "a-request");
    const { draftId } = await save(open);
    await save(ended);
    await deleteDraft(deps, ended, "a-request");
    const late = newDraftKey();
    const savedDrafts = [open, ended, late, open];
    const { order } = await createOrder(deps, orderRequest({ savedDrafts }), key, "a-request");
    expect(order.savedDraftIds).toEqual([draftId, (await save(late)).draftId]);
    const written = JSON.stringify(await deps.events(order.orderId));
    for (const key of savedDrafts) expect(written).not.toContain(key);
    const again = await createOrder(deps, orderRequest({ savedDrafts }), key, "a-request");
    expect(again.order).toEqual(order);
  });

  test("without a key needs no fingerprint, and keeps no key to compare by", async () => {
    const deps = testDependencies();
    await createOrder(deps, orderRequest(), undefined, "a-request");
    expect([...deps.vault.records.values()].map(({ kind }) => kind).sort()).toEqual(["contact", "signature"]);
  });

  test("that no choice costs is refused with the unit prices", async () => {
    const deps = testDependencies();
    const attempt = createOrder(deps, orderRequest({ totalAmount: 44 }), key, "a-request");
    await expect(attempt).rejects.toThrow(Refused);
    await expect(attempt).rejects.toMatchObject({ details: { standardPence: 4500, priorityPence: 7500 } });
  });
});
