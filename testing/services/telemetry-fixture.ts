import { createServer } from "node:http";
import { json } from "node:stream/consumers";
import { z } from "zod";

const attribute = z.object({
  key: z.string(),
  value: z.union([
    z.object({ stringValue: z.string() }).transform(({ stringValue }) => stringValue),
    z.object({ intValue: z.number() }).transform(({ intValue }) => intValue),
    z.object({ doubleValue: z.number() }).transform(({ doubleValue }) => doubleValue),
    z.object({ boolValue: z.boolean() }).transform(({ boolValue }) => boolValue),
  ]),
});

const span = z.object({
  traceId: z.string().regex(/^[0-9a-f]{32}$/),
  spanId: z.string().regex(/^[0-9a-f]{16}$/),
  parentSpanId: z.string().optional(),
  name: z.string(),
  kind: z.int(),
  attributes: z
    .array(attribute)
    .transform((all) => Object.fromEntries(all.map(({ key, value }) => [key, value]))),
  links: z.array(z.object({ traceId: z.string(), spanId: z.string() })),
  status: z.object({ code: z.int(), message: z.string().optional() }),
});

const message = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes: z.array(attribute) }),
      scopeSpans: z.array(z.object({ spans: z.array(span) })),
    }),
  ),
});

/** A span as received by a collector. */
export type CollectedSpan = z.output<typeof span>;

/** A fake OpenTelemetry collector: accepts traces over HTTP as JSON, and keeps them. */
export type Collector = {
  readonly url: string;
  readonly spans: readonly CollectedSpan[];
  /** The headers of each message. */
  readonly headers: readonly Readonly<Record<string, unknown>>[];
  /** Everything it received, unparsed. */
  readonly said: () => string;
  close(): Promise<void>;
};

export async function startCollector(): Promise<Collector> {
  const spans: CollectedSpan[] = [];
  const headers: Record<string, unknown>[] = [];
  const said: string[] = [];
  const server = createServer(async (request, response) => {
    const sent = await json(request);
    said.push(JSON.stringify(sent));
    headers.push({ ...request.headers, path: request.url });
    const { resourceSpans } = message.parse(sent);
    spans.push(...resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)));
    response.setHeader("Content-Type", "application/json").end("{}");
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const address = z.object({ port: z.int() }).parse(server.address());
  return {
    url: `http://127.0.0.1:${address.port}`,
    spans,
    headers,
    said: () => said.join("\n"),
    close: async () => {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

/** One sample of a scrape. */
type Figure = {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
};

const line = /^(\w+)(?:\{(.*)\})? (\S+)$/;
const label = /(\w+)="((?:[^"\\]|\\.)*)"/g;

/** Parses a process' `/metrics`. Names are given without our prefix. */
export function readFigures(text: string) {
  const figures: Figure[] = text.split("\n").flatMap((row) => {
    const [, name = "", labels = "", value = ""] = line.exec(row) ?? [];
    if (name === "") return [];
    const named = [...labels.matchAll(label)].map(([, key = "", is = ""]) => [key, is]);
    return [{ name, labels: Object.fromEntries(named), value: Number(value) }];
  });
  const all = (name: string) => figures.filter((figure) => figure.name === `certificates_${name}`);
  return {
    figures,
    all,
    /** Sum of all samples with these labels. */
    sum: (name: string, labels: Readonly<Record<string, string>> = {}): number =>
      all(name)
        .filter((figure) => Object.entries(labels).every(([key, is]) => figure.labels[key] === is))
        .reduce((sum, { value }) => sum + value, 0),
  };
}
