import { expect, it } from "vitest";
import { oneAtATime } from "./one-at-a-time.ts";

it("answers what was read after the call, with one more read for all calls during one", async () => {
  const reads: PromiseWithResolvers<string>[] = [];
  const read = oneAtATime(() => {
    const one = Promise.withResolvers<string>();
    reads.push(one);
    return one.promise;
  });
  const first = read();
  await Promise.resolve();
  const [second, third] = [read(), read()];
  expect(reads).toHaveLength(1);
  reads[0]?.resolve("before");
  expect(await first).toBe("before");
  await Promise.resolve();
  expect(reads).toHaveLength(2);
  reads[1]?.resolve("after");
  expect(await Promise.all([second, third])).toEqual(["after", "after"]);
});

it("reads again after a failure, which those who asked learn of", async () => {
  let failure: Error | undefined = new Error("no answer");
  const read = oneAtATime(async () => {
    if (failure) throw failure;
    return "read";
  });
  const [first, second] = [read(), read()];
  await expect(first).rejects.toThrow("no answer");
  await expect(second).rejects.toThrow("no answer");
  failure = undefined;
  expect(await read()).toBe("read");
});
