import { ApiError } from "../../api/problem.ts";

/** Delays before each retry: seven seconds in all, not counting the calls. */
const pausesMs = [1_000, 2_000, 4_000];

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** No answer, or one that asks to try again: the server may have carried out the request. */
const isTransient = (failure: unknown): boolean =>
  failure instanceof ApiError ? [429, 502, 503, 504].includes(failure.status) : failure instanceof TypeError;

/**
 * Makes a repeatable call, and retries it after a dropped connection or while the server is briefly unavailable.
 * @throws the last attempt's error
 */
export async function sendAgain<Result>(call: () => Promise<Result>, pause = sleep): Promise<Result> {
  for (const ms of pausesMs) {
    try {
      return await call();
    } catch (failure) {
      if (!isTransient(failure)) throw failure;
      await pause(ms);
    }
  }
  return call();
}
