import * as z from "zod/mini";
import { type Answered, type ApiRequest, addressOf, type Params, type Sent } from "../../contract/request.ts";
import { type RequestOptions, request } from "./request.ts";

/** What a request says: the variables of its path, and its body or query. */
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
 * Sends a request of the API.
 * @throws ApiError for any answer but success; TypeError when nothing answers
 */
export function call<R extends ApiRequest>(contract: R, ...rest: Rest<R>): Promise<Response>;
export function call(contract: ApiRequest, said: Said = {}, options: RequestOptions = {}): Promise<Response> {
  const query = String(said.query ?? "");
  const url = `${addressOf(contract, said.params ?? {})}${query && `?${query}`}`;
  const body = contract.method === "POST" ? (said.body ?? {}) : undefined;
  return request(contract.method, url, body, options);
}

/**
 * Sends a request of the API and reads its answer by its contract; undefined where that is no JSON.
 * @throws as call does; a zod error when the answer is not what the contract says
 */
export async function send<R extends ApiRequest>(contract: R, ...rest: Rest<R>): Promise<Answered<R>> {
  return answerIn(contract, await call(contract, ...rest));
}

/** Reads an answer by its contract. @throws a zod error when it is not what the contract says */
export async function answerIn<R extends ApiRequest>(contract: R, response: Response): Promise<Answered<R>>;
export async function answerIn({ answers }: ApiRequest, response: Response): Promise<unknown> {
  return answers.kind === "json" ? z.parse(answers.schema, await response.json()) : undefined;
}
