import { expect, it } from "vitest";
import { coalesce } from "./shared-answers.ts";

/** A database that answers each batch when the test says so. */
function slowDatabase() {
  const batches: { keys: readonly string[]; answer: () => void; fail: () => void }[] = [];
  const readMany = (keys: readonly string[]) =>
    new Promise<ReadonlyMap<string, string>>((resolve, reject) => {
      const known = keys.filter((key) => !key.startsWith("unknown"));
      batches.push({
        keys,
        answer: () => resolve(new Map(known.map((key) => [key, `value of ${key}`]))),
        fail: () => reject(new Error("no connection")),
      });
    });
  return { batches, readMany };
}

const aTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

it("reads concurrent requests in one batch, and gives each its own value", async () => {
  const { batches, readMany } = slowDatabase();
  const read = coalesce(readMany);
  const answers = Promise.all([read("a"), read("unknown"), read("b"), read("a")]);
  await aTurn();
  expect(batches.map((batch) => batch.keys)).toEqual([["a", "unknown", "b", "a"]]);
  batches[0]?.answer();
  expect(await answers).toEqual(["value of a", undefined, "value of b", "value of a"]);
});

it("keeps two batches in flight, and gathers the rest until one is answered", async () => {
  const { batches, readMany } = slowDatabase();
  const read = coalesce(readMany);
  const answers: Promise<unknown>[] = [];
  for (const key of ["a", "b", "c", "d", "e"]) {
    answers.push(read(key));
    await aTurn();
  }
  expect(batches.map((batch) => batch.keys)).toEqual([["a"], ["b"]]);
  batches[0]?.answer();
  await answers[0];
  await aTurn();
  expect(batches.map((batch) => batch.keys)).toEqual([["a"], ["b"], ["c", "d", "e"]]);
  batches[1]?.answer();
  batches[2]?.answer();
  expect(await Promise.all(answers)).toHaveLength(5);
});

it("splits more than 200 keys into several batches", async () => {
  const sizes: number[] = [];
  const read = coalesce(async (keys) => {
    sizes.push(keys.length);
    return new Map<string, string>();
  });
  await Promise.all(Array.from({ length: 1_001 }, (_, n) => read(`${n}`)));
  expect(sizes).toEqual([200, 200, 200, 200, 200, 1]);
});

it("fails only the reads of the failed batch, and continues", async () => {
  const { batches, readMany } = slowDatabase();
  const read = coalesce(readMany);
  const [failing, other] = [read("a"), read("b")];
  await aTurn();
  batches[0]?.fail();
  await expect(failing).rejects.toThrow("no connection");
  await expect(other).rejects.toThrow("no connection");
  const next = read("c");
  await aTurn();
  batches[1]?.answer();
  expect(await next).toBe("value of c");
});

it("caches nothing", async () => {
  let reads = 0;
  const read = coalesce(async (keys) => new Map(keys.map((key) => [key, ++reads])));
  expect([await read("a"), await read("a")]).toEqual([1, 2]);
});
