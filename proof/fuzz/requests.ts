import { gzipSync } from "node:zlib";
import fc from "fast-check";
import type { JsonObject } from "../../infra/json.ts";
import { accessRows, type CallerName, callers } from "../../testing/gateway/access-rows-fixture.ts";
import { type MadeRequest, requestsTo } from "./fitting-requests.ts";
import {
  type Edit,
  type Envelope,
  edits,
  envelopes,
  oddHeaders,
  oddParts,
  oddQueries,
  plain,
} from "./spoiling.ts";

type Pairs = readonly (readonly [name: string, value: string])[];

/** One request to a route, before it is known what it is about. */
export type Plan = {
  readonly caller: CallerName;
  /** What stands in each place of the path: the subject's own, another's, or a part as it is. */
  readonly place: "own" | "absent" | { readonly part: string };
  /** Begins with a body that the rules accept, or with one that only the schema does. */
  readonly startsFromValid: boolean;
  /** Names the revision that the order is at, if it names one. */
  readonly isUpToDate: boolean;
  readonly made: MadeRequest;
  readonly edits: readonly Edit[];
  readonly envelope: Envelope;
  readonly headers: Pairs;
  /** Replaces the query. */
  readonly query: string | undefined;
  /** Replaces the route's own. */
  readonly method: string | undefined;
};

/** Mostly the first: most requests must get past the guards. */
const mostly = <Value>(usual: Value, times: number, others: readonly Value[]): fc.Arbitrary<Value> =>
  fc.oneof(
    { weight: times, arbitrary: fc.constant(usual) },
    { weight: 1, arbitrary: fc.constantFrom(...others) },
  );

const places: fc.Arbitrary<Plan["place"]> = mostly<Plan["place"]>("own", 12, [
  "absent",
  ...oddParts.map((part) => ({ part })),
]);

/** Any caller, more often one that the route admits. */
function callersOf(route: string): fc.Arbitrary<CallerName> {
  const answers = accessRows[route]?.answers;
  const admitted = callers.filter((caller) => ![401, 403, 404].includes(answers?.[caller] ?? 404));
  return fc.oneof(
    { weight: 1, arbitrary: fc.constantFrom(...callers) },
    { weight: 2, arbitrary: fc.constantFrom(...(admitted.length > 0 ? admitted : callers)) },
  );
}

/** Requests to a route, and to its operation in the API's document. */
export const plansFor = (route: string, operation: JsonObject): fc.Arbitrary<Plan> =>
  fc.record({
    caller: callersOf(route),
    place: places,
    startsFromValid: fc.boolean(),
    isUpToDate: fc.boolean(),
    made: requestsTo(operation),
    edits,
    envelope: mostly(plain, 8, envelopes(gzipSync)),
    headers: mostly<Pairs>([], 8, oddHeaders),
    query: mostly<string | undefined>(undefined, 12, oddQueries),
    method: mostly<string | undefined>(undefined, 40, [
      "GET",
      "POST",
      "PUT",
      "PATCH",
      "DELETE",
      "OPTIONS",
      "HEAD",
    ]),
  });
