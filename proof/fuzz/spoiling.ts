import fc from "fast-check";

/** What is done to a request that fits the contract, so that it no longer does, or only just. */

const change = fc.constantFrom("replace", "remove", "wrap", "stretch", "prototype", "nest");

/** One change somewhere in a JSON value. */
export type Edit = { readonly at: number; readonly kind: string; readonly value: unknown };

/** Numbers that JSON allows and JavaScript cannot keep; `textOf` writes them without quotes. */
const numbers = [
  "1e400",
  "-1e400",
  "1e-400",
  "-0",
  "123456789012345678901234567890",
  "0.1e1",
  "4503599627370497.5",
];

const values: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(null, true, "", " ", 0, 1, 2, -1, 45, 2 ** 31, 2 ** 53, 1e21, [], {}, [[]]),
  fc.constantFrom(...numbers.map((number) => `@@${number}@@`)),
  fc.constantFrom(
    ...["\u0000", "\ud800", "\u202e", "e\u0301", "\ufeff", "ﷺ".repeat(40), "🏴\u{e0067}\u{e0062}", "ſ", "İ"],
    ...[
      "'; drop table events; --",
      "../../../etc/passwd",
      "{{customerName}}",
      "%00",
      "=1+1",
      "<svg/onload=x>",
    ],
    ...[
      "0001-01-01",
      "9999-12-31",
      "2026-02-30",
      "2026-11-21T24:00:00Z",
      "00000000-0000-0000-0000-000000000000",
    ],
  ),
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.jsonValue({ maxDepth: 2 }),
);

export const edits: fc.Arbitrary<readonly Edit[]> = fc.oneof(
  { weight: 1, arbitrary: fc.constant([]) },
  {
    weight: 1,
    arbitrary: fc.array(fc.record({ at: fc.nat(60), kind: change, value: values }), {
      minLength: 1,
      maxLength: 2,
    }),
  },
);

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const stretched = (text: string): string => text.repeat(1 + Math.floor(3_000 / (text.length + 1)));

const nested = (depth: number): unknown => (depth === 0 ? [] : [nested(depth - 1)]);

function changed({ kind, value }: Edit, each: unknown): unknown {
  switch (kind) {
    case "remove":
      return undefined;
    case "wrap":
      return [each];
    case "stretch":
      return stretched(typeof each === "string" ? each : (JSON.stringify(each) ?? "x"));
    case "prototype":
      return Object.fromEntries([
        ...(isRecord(each) ? Object.entries(each) : []),
        ["__proto__", value],
        ["constructor", { prototype: value }],
      ]);
    case "nest":
      return nested(1_000);
    default:
      return value;
  }
}

const sizeOf = (value: unknown): number =>
  typeof value === "object" && value !== null
    ? Object.values(value).reduce<number>((sum, each) => sum + sizeOf(each), 1)
    : 1;

/** The value with one of its parts changed, counted in the order of its JSON. */
export function edited(value: unknown, edit: Edit): unknown {
  let left = edit.at % sizeOf(value);
  const walk = (each: unknown): unknown => {
    left -= 1;
    if (left === -1) return changed(edit, each);
    if (Array.isArray(each)) return each.map(walk);
    if (!isRecord(each)) return each;
    return Object.fromEntries(Object.entries(each).map(([name, member]) => [name, walk(member)]));
  };
  return walk(value);
}

export const textOf = (value: unknown): string =>
  (JSON.stringify(value) ?? "").replace(/"@@([^"@]*)@@"/g, "$1");

/** How a body is sent. */
export type Envelope = {
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly pack: (body: Buffer) => Buffer;
};

const json = ["Content-Type", "application/json"] as const;
const asIs = (body: Buffer): Buffer => body;
const typed = (...types: readonly string[]): Envelope[] =>
  types.map((type) => ({ headers: [["Content-Type", type]], pack: asIs }));
const packed = (pack: Envelope["pack"], encoding?: string): Envelope => ({
  headers: encoding === undefined ? [json] : [json, ["Content-Encoding", encoding]],
  pack,
});

export const plain: Envelope = { headers: [json], pack: asIs };

/** @param gzip passed in, because packing must not wait */
export const envelopes = (gzip: (body: Buffer) => Buffer): readonly Envelope[] => [
  { headers: [], pack: asIs },
  ...typed("text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "text/xml"),
  ...typed("application/json; charset=utf-16le", "application/json; charset=utf-7", "APPLICATION/JSON"),
  ...typed(
    'application/json; charset="UTF-8"',
    "application/problem+json",
    "application/json, text/plain",
    ";",
  ),
  { headers: [json, ["Content-Type", "text/plain"]], pack: asIs },
  { headers: [["Content-Type", "text/plain"], json], pack: asIs },
  packed(() => Buffer.alloc(0)),
  packed((body) => body.subarray(0, body.length >> 1)),
  packed((body) => Buffer.concat([body, body])),
  packed((body) => Buffer.from(body.map((byte, at) => (at === body.length >> 1 ? 0xff : byte)))),
  packed((body) => Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), body])),
  packed((body) => Buffer.from(body.toString("utf8"), "utf16le")),
  packed((body) => Buffer.concat([body, Buffer.alloc(70_000, " ")])),
  packed(() => Buffer.from("[".repeat(30_000))),
  packed(gzip, "gzip"),
  packed(asIs, "gzip"),
  packed(() => gzip(Buffer.alloc(5_000_000, " ")), "gzip"),
  packed(asIs, "br"),
  packed(asIs, "x-unknown"),
];

/** Headers that another caller, a proxy or an attacker might add. */
export const oddHeaders: readonly (readonly (readonly [string, string])[])[] = [
  [["Origin", "https://elsewhere.example"]],
  [["Origin", "null"]],
  [
    ["Origin", "http://localhost:3000"],
    ["Origin", "https://elsewhere.example"],
  ],
  [["Sec-Fetch-Site", "cross-site"]],
  [["Read-After", "9".repeat(80)]],
  [["Read-After", "'; --"]],
  [
    ["Read-After", "1"],
    ["Read-After", "2"],
  ],
  [["Idempotency-Key", "x".repeat(200)]],
  [["Idempotency-Key", "__proto__________________"]],
  [
    ["Idempotency-Key", "0f1e2d3c-0000-4000-8000-000000000001"],
    ["Idempotency-Key", "0f1e2d3c-0000-4000-8000-000000000002"],
  ],
  [["Cookie", "order-=; =; __proto__=1; order-00000000-0000-4000-8000-000000000000=%zz"]],
  [["Authorization", "Bearer eyJhbGciOiJub25lIn0.e30."]],
  [["Authorization", "Basic QWxleC5NYW5hZ2VyOg=="]],
  [["Authorization", `Bearer ${"a".repeat(6_000)}`]],
  [
    ["Authorization", "Bearer x"],
    ["Authorization", "Bearer y"],
  ],
  [["X-HTTP-Method-Override", "DELETE"]],
  [["X-Forwarded-For", "127.0.0.1, ::1"]],
  [["X-Original-URL", "/api/admin/settings"]],
  [["Range", "bytes=0-1,5-"]],
  [["If-None-Match", "*"]],
  [["If-Modified-Since", "Thu, 01 Jan 1970 00:00:00 GMT"]],
  [["Accept", "application/xml;q=1"]],
  [["Accept-Encoding", "br;q=x, *;q=0"]],
  [["Last-Event-ID", "\u00ff"]],
  [["Stripe-Signature", "t=1,v1=00"]],
  [["webhook-signature", "v1,AAAA"]],
];

/** Parts of a path, as sent. */
export const oddParts: readonly string[] = [
  ...["%00", "%0a", "%ff", "%", "%zz", "%E0%A4%A", "%C0%AE%C0%AE", "%F0%9F%98%80", "%20", "%D9%A1%D9%A2"],
  ...["..", ".", "../..", "..%2f..%2f", "..%5c", "%2e%2e", "%252e", "a/b", "//", ";x=1", "*", "{id}", ":id"],
  ...[
    "__proto__",
    "constructor",
    "toString",
    "undefined",
    "null",
    "-1",
    "1e9",
    "9".repeat(400),
    "x".repeat(4_000),
  ],
  ...["0000-0000-00001", "T-0000-0000-00001", "00000000-0000-0000-0000-000000000000", "search", "lookup"],
];

export const oddQueries: readonly string[] = [
  ...[
    "?",
    "?%",
    "?%zz=%zz",
    "?a=1&a=2",
    "?__proto__[x]=1",
    "?constructor=1",
    "?=",
    "?&&&",
    "?limit=1&limit=2",
  ],
  ...["?after=%00", "?after=bm8ganNvbg", "?limit=9e9", "?limit=-1", "?orderId=x", `?q=${"x".repeat(4_000)}`],
];
