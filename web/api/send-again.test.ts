import { expect, it, vi } from "vitest";
import { ApiError } from "./problem.ts";
import { sendAgain } from "./send.ts";

const unavailable = () => new ApiError(503, "", "Service Unavailable");
const noPause = () => Promise.resolve();

it.each([
  ["a dropped connection", () => new TypeError("Failed to fetch")],
  ["a server that is briefly unavailable", unavailable],
])("repeats a call over %s", async (_, failure) => {
  const call = vi
    .fn()
    .mockRejectedValueOnce(failure())
    .mockRejectedValueOnce(failure())
    .mockResolvedValue("done");
  expect(await sendAgain(call, noPause)).toBe("done");
  expect(call).toHaveBeenCalledTimes(3);
});

it("gives up after three pauses, each twice as long", async () => {
  const call = vi.fn().mockRejectedValue(unavailable());
  const pause = vi.fn(noPause);
  await expect(sendAgain(call, pause)).rejects.toThrow("503");
  expect(call).toHaveBeenCalledTimes(4);
  expect(pause.mock.calls).toEqual([[1_000], [2_000], [4_000]]);
});

it("repeats no call that was refused", async () => {
  const call = vi.fn().mockRejectedValue(new ApiError(409, "", "Conflict"));
  await expect(sendAgain(call, noPause)).rejects.toThrow("409");
  expect(call).toHaveBeenCalledTimes(1);
});
