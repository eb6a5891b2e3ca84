import { expect, test } from "vitest";
import { changeOf, createCollected, roleChangedIn } from "./staff-updates.ts";

test.each([
  ["order-0f1e", { topic: "orders", key: "0f1e" }],
  ["ticket-0f1e", { topic: "tickets", key: "0f1e" }],
  ["saved-draft-0f1e", { topic: "drafts", key: "0f1e" }],
  ["settings", { topic: "settings", key: "settings" }],
  ["customer-0f1e", undefined],
  ["order-", undefined],
])("the stream %s is announced as %j", (stream, change) => {
  expect(changeOf({ stream })).toEqual(change);
});

test("only grants and revocations change a role, and of one person each", () => {
  expect(roleChangedIn({ type: "StaffGranted", data: { userId: "user_1", role: "staff" } })).toBe("user_1");
  expect(roleChangedIn({ type: "StaffRevoked", data: { userId: "user_2" } })).toBe("user_2");
  expect(roleChangedIn({ type: "PricesChanged", data: { userId: "user_1" } })).toBeUndefined();
  expect(roleChangedIn({ type: "StaffRevoked", data: {} })).toBeUndefined();
});

test("what changed often is announced once, with the newest position", () => {
  const collected = createCollected();
  collected.add({ topic: "orders", key: "a" }, "0002");
  collected.add({ topic: "orders", key: "a" }, "0001");
  collected.add({ topic: "tickets", key: "b" }, "0003");
  expect(collected.take()).toEqual({
    changes: [
      { topic: "orders", key: "a" },
      { topic: "tickets", key: "b" },
    ],
    position: "0003",
  });
  expect(collected.isEmpty()).toBe(true);
});

test("a flood of one topic is announced as one, and names nothing; 20 are still named", () => {
  const collected = createCollected();
  for (let at = 0; at < 20; at += 1) collected.add({ topic: "tickets", key: String(at) }, "0001");
  for (let at = 0; at < 21; at += 1) collected.add({ topic: "orders", key: String(at) }, "0002");
  const { changes } = collected.take();
  expect(changes.filter(({ topic }) => topic === "tickets")).toHaveLength(20);
  expect(changes.filter(({ topic }) => topic === "orders")).toEqual([{ topic: "orders", key: null }]);
});
