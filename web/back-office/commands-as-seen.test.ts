import { expect, test, vi } from "vitest";
import { ApiError } from "../api/problem.ts";
import { commandsAsSeen } from "./commands-as-seen.ts";

/** A page whose requests end as listed, and what it sent. */
function page(...ends: (Error | null)[]) {
  let count = 0;
  const send = commandsAsSeen(() => `key-${++count}`);
  const post = vi.fn(async (_body: object, _options: { idempotencyKey: string }) => {
    const failure = ends.shift();
    if (failure) throw failure;
  });
  const press = (body: object, seen: number) => send(body, seen, post).catch(() => undefined);
  const sent = () => post.mock.calls.map(([body, { idempotencyKey }]) => ({ ...body, idempotencyKey }));
  return { press, sent };
}

const answered = (status: number) => new ApiError(status, "", "");
const reply = { message: "Yes." };

test.each([
  ["no answer", new TypeError("Failed to fetch")],
  ["an answer that cannot be read", new Error("Expected an object")],
  ["a deadline", answered(503)],
  ["a proxy without its server", answered(502)],
])("after %s the same command is sent, though the page has moved on", async (_, failure) => {
  const { press, sent } = page(failure, answered(401), answered(429), null, null);
  for (const revision of [3, 4, 5, 6, 7]) await press(reply, revision);
  const first = { ...reply, expectedRevision: 3, idempotencyKey: "key-1" };
  expect(sent()).toEqual([
    first,
    first,
    first,
    first,
    { ...first, expectedRevision: 7, idempotencyKey: "key-2" },
  ]);
});

test("after a refusal the next command acts on what is seen now", async () => {
  const { press, sent } = page(new TypeError("Failed to fetch"), answered(409), null);
  for (const revision of [3, 4, 5]) await press(reply, revision);
  expect(sent()[2]).toEqual({ ...reply, expectedRevision: 5, idempotencyKey: "key-2" });
});

test("what was typed differently is another command", async () => {
  const { press, sent } = page(new TypeError("Failed to fetch"), null);
  await press(reply, 3);
  await press({ message: "Yes!" }, 4);
  expect(sent()[1]).toEqual({ message: "Yes!", expectedRevision: 4, idempotencyKey: "key-2" });
});
