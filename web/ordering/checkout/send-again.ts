import { ApiError } from "../../api/problem.ts";

/** Before each further try: seven seconds in all, beside what the tries themselves take. */
const pausesMs = [1_000, 2_000, 4_000];

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** No answer at all, or one that says to try again: the server may have done what was asked. */
const isTransient = (failure: unknown): boolean =>
  failure instanceof ApiError ? [429, 502, 503, 504].includes(failure.status) : failure instanceof TypeError;

/**
 * Makes a call that may be repeated, and repeats it over a dropped connection or a server that is briefly unavailable.
 * @throws whatever the last try throws
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
