import * as z from "zod/mini";
import { type Answered, type ApiRequest, addressOf, type Params, type Sent } from "../../contract/request.ts";
import { ApiError } from "./problem.ts";
import { isStale, type RequestOptions, request } from "./request.ts";

/** A request's path parameters, and its body or query. */
type Given<R extends ApiRequest> = GivenParams<R["path"]> &
  (R["method"] extends "GET" ? GivenQuery : GivenBody<R>);

type GivenParams<Path extends string> = keyof Params<Path> extends never
  ? unknown
  : { readonly params: Params<Path> };
type GivenQuery = { readonly query?: string | URLSearchParams };
type GivenBody<R extends ApiRequest> =
  Sent<R> extends Readonly<Record<string, never>> ? unknown : { readonly body: Sent<R> };

type Rest<R extends ApiRequest> =
  { readonly [name: string]: never } extends Given<R>
    ? [given?: Given<R>, options?: RequestOptions]
    : [given: Given<R>, options?: RequestOptions];

type Said = {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: string | URLSearchParams;
  readonly body?: unknown;
};

/**
 * Sends an API request.
 * @throws ApiError for any answer but success; TypeError without an answer
 */
export function call<R extends ApiRequest>(contract: R, ...rest: Rest<R>): Promise<Response>;
export function call(contract: ApiRequest, said: Said = {}, options: RequestOptions = {}): Promise<Response> {
  const query = String(said.query ?? "");
  const url = `${addressOf(contract, said.params ?? {})}${query && `?${query}`}`;
  const body = contract.method === "POST" ? (said.body ?? {}) : undefined;
  return request(contract.method, url, body, options);
}

/**
 * Sends an API request and parses its answer by the contract; undefined if that is not JSON.
 * @throws as `call` does; a zod error if the answer breaks the contract
 */
export async function send<R extends ApiRequest>(contract: R, ...rest: Rest<R>): Promise<Answered<R>> {
  return answerIn(contract, await call(contract, ...rest));
}

/** How often a read is repeated; the server waits a second each time. */
const longestTries = 30;

/**
 * Reads what this tab has just written: asks again while the read models are behind, for half a minute at most.
 * @throws as `send` does
 */
export async function sendUntilFresh<R extends ApiRequest>(
  contract: R,
  ...rest: Rest<R>
): Promise<Answered<R>> {
  for (let tries = 1; ; tries += 1) {
    try {
      const response = await call(contract, ...rest);
      if (!isStale(response) || tries === longestTries) return answerIn(contract, response);
    } catch (failure) {
      if (!(failure instanceof ApiError && failure.stale) || tries === longestTries) throw failure;
    }
  }
}

/** @throws a zod error if the answer breaks the contract */
export async function answerIn<R extends ApiRequest>(contract: R, response: Response): Promise<Answered<R>>;
export async function answerIn({ answers }: ApiRequest, response: Response): Promise<unknown> {
  return answers.kind === "json" ? z.parse(answers.schema, await response.json()) : undefined;
}

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
export async function sendAgain<Result>(attempt: () => Promise<Result>, pause = sleep): Promise<Result> {
  for (const ms of pausesMs) {
    try {
      return await attempt();
    } catch (failure) {
      if (!isTransient(failure)) throw failure;
      await pause(ms);
    }
  }
  return attempt();
}

/** The file name of a `Content-Disposition`. The encoded one has the letters that the other lacks (RFC 6266). */
export function nameIn(disposition: string): string | undefined {
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(disposition)?.[1];
  return encoded === undefined ? /filename="?([^";]+)"?/.exec(disposition)?.[1] : decodeURIComponent(encoded);
}

/** Browsers read the blob some time after the click; no specification says how long. */
const keptMs = 60_000;

/** Downloads a response as a file, under the name given by the server. */
export async function saveFile(response: Response): Promise<void> {
  const name = nameIn(response.headers.get("Content-Disposition") ?? "");
  const url = URL.createObjectURL(await response.blob());
  const link = document.createElement("a");
  link.href = url;
  link.download = name ?? "file";
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), keptMs);
}
