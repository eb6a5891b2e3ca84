import { afterEach, expect, test, vi } from "vitest";
import { followUpdates, type Update } from "./follow-updates.ts";

let stop = (): void => undefined;
afterEach(() => stop());

/** A stream that a test writes and ends. */
function stream() {
  let controller: ReadableStreamDefaultController<Uint8Array>;
  const body = new ReadableStream<Uint8Array>({
    start: (given) => {
      controller = given;
    },
  });
  const encoder = new TextEncoder();
  return {
    response: new Response(body),
    write: (text: string) => controller.enqueue(encoder.encode(text)),
    end: () => controller.close(),
  };
}

function following(open: (signal: AbortSignal) => Promise<Response>, isVisible = true, random = 1) {
  const heard: Update[] = [];
  const positions: string[] = [];
  const pauses: number[] = [];
  stop = followUpdates({
    isVisible: () => isVisible,
    open,
    onUpdate: (update) => void heard.push(update),
    onPosition: (position) => void positions.push(position),
    pause: async (ms) => void pauses.push(ms),
    random: () => random,
  });
  return { heard, positions, pauses };
}

const changed = (id: string, data: unknown) => `event: changed\nid: ${id}\ndata: ${JSON.stringify(data)}\n\n`;

test("reports changes as they arrive, in pieces or together, and ignores comments", async () => {
  const first = stream();
  const { heard, positions } = following(async () => first.response);
  const text = `retry: 5000\n\n${changed("0001", { topic: "orders", key: "a" })}: still here\n\n`;
  first.write(text.slice(0, 20));
  first.write(text.slice(20, 50));
  first.write(text.slice(50) + changed("0002", { topic: "tickets", key: null }));
  await expect.poll(() => heard).toHaveLength(2);
  expect(heard).toEqual([
    { topic: "orders", key: "a" },
    { topic: "tickets", key: null },
  ]);
  expect(positions).toEqual(["0001", "0002"]);
});

test("ignores topics that an older page does not know", async () => {
  const first = stream();
  const { heard } = following(async () => first.response);
  first.write(
    changed("0001", { topic: "weather", key: "a" }) + changed("0002", { topic: "health", key: "h" }),
  );
  await expect.poll(() => heard).toEqual([{ topic: "health", key: "h" }]);
});

test("reopens a stream that ends, and reports that everything may have changed", async () => {
  const [first, second] = [stream(), stream()];
  const streams = [first, second];
  const { heard } = following(async () => streams.shift()?.response ?? new Promise(() => undefined));
  first.end();
  await expect.poll(() => heard).toHaveLength(5);
  expect(heard.map(({ topic }) => topic)).toEqual(["orders", "tickets", "drafts", "settings", "health"]);
  expect(heard.every(({ key }) => key === null)).toBe(true);
});

test("waits until a page opened in the background is visible, and then reports changes", async () => {
  const { heard, pauses } = following(async () => stream().response, false);
  await expect.poll(() => heard).toHaveLength(5);
  expect(pauses).toEqual([0]);
});

test("backs off while nothing answers, and resets once something does", async () => {
  let asked = 0;
  const open = vi.fn(async () => {
    asked += 1;
    if (asked === 101) return stream().response;
    throw new TypeError("Failed to fetch");
  });
  const { pauses } = following(open);
  await expect.poll(() => open).toHaveBeenCalledTimes(101);
  expect(pauses.slice(0, 4)).toEqual([2000, 4000, 8000, 16_000]);
  expect(pauses.slice(4)).toEqual(Array.from({ length: 96 }, () => 30_000));
});

test("reopens a stream that ended after half a second at the earliest", async () => {
  const first = stream();
  const streams = [first.response];
  const { pauses } = following(async () => streams.shift() ?? new Promise(() => undefined), true, 0);
  first.end();
  await expect.poll(() => pauses).toEqual([500]);
});

test("closes the stream once it is stopped", async () => {
  let given: AbortSignal | undefined;
  following(async (signal) => {
    given = signal;
    return stream().response;
  });
  await expect.poll(() => given?.aborted).toBe(false);
  stop();
  expect(given?.aborted).toBe(true);
});
