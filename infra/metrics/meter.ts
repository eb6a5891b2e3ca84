import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";

/** Values for the labels of one family. They come from closed lists: never an id, an address, or what somebody typed. */
export type Labels<Name extends string> = Readonly<Record<Name, string>>;

/** Only ever grows. */
export type Counting<Name extends string> = { add(labels: Labels<Name>, amount?: number): void };

/** Goes up and down. `replace` says all of it anew, so that what is gone is not shown for ever. */
export type Gauging<Name extends string> = {
  add(labels: Labels<Name>, amount: number): void;
  set(labels: Labels<Name>, value: number): void;
  replace(readings: readonly { readonly labels: Labels<Name>; readonly value: number }[]): void;
};

/** How values are spread; durations are in seconds. */
export type Spreading<Name extends string> = { observe(labels: Labels<Name>, value: number): void };

/** Where a process counts what it does. Families are made once, at the start. */
export type Meter = {
  counter<const Name extends string>(name: string, help: string, labels: readonly Name[]): Counting<Name>;
  gauge<const Name extends string>(name: string, help: string, labels: readonly Name[]): Gauging<Name>;
  histogram<const Name extends string>(
    name: string,
    help: string,
    labels: readonly Name[],
    buckets: readonly number[],
  ): Spreading<Name>;
  /**
   * Asked at each scrape, before the answer is written, for what nobody counts. What fails or takes longer than two seconds is
   * counted as unread, and the rest is answered all the same.
   */
  source(name: string, read: () => Promise<void>): void;
  /** In the text format of Prometheus. Whoever asks while an answer is being made shares it. */
  text(): Promise<string>;
  readonly contentType: string;
  /** The names of all families, the runtime's own among them. */
  names(): Promise<readonly string[]>;
};

/** What every family of ours is called first. */
export const prefix = "certificates_";

/** A label with more values than this was not closed after all: the rest is counted as one, rather than filling the memory of whoever scrapes. */
const mostValues = 200;
const others = "(other)";
const patienceMs = 2_000;

/** Makes a registry of its own, with the runtime's figures (memory, event loop, garbage collection) in it. */
export function createMeter(): Meter {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix });
  const unread = new Counter({
    name: `${prefix}metrics_unread_total`,
    help: "Sources of figures that could not be asked at a scrape.",
    labelNames: ["source"],
    registers: [registry],
  });
  const sources = new Map<string, () => Promise<void>>();
  const families = familiesIn(registry);
  const write = shared(async () => {
    await Promise.all(
      [...sources].map(([name, read]) => inTime(read).catch(() => unread.inc({ source: name }))),
    );
    return registry.metrics();
  });
  return {
    ...families,
    source: (name, read) => {
      sources.set(name, read);
    },
    text: write,
    contentType: registry.contentType,
    names: async () => (await registry.getMetricsAsJSON()).map(({ name }) => name),
  };
}

function familiesIn(registry: Registry): Pick<Meter, "counter" | "gauge" | "histogram"> {
  return {
    counter: (name, help, labelNames) => {
      const counter = new Counter({ name: prefix + name, help, labelNames, registers: [registry] });
      const close = bounded(labelNames);
      return { add: (labels, amount = 1) => counter.inc(close(labels), amount) };
    },
    gauge: (name, help, labelNames) => {
      const gauge = new Gauge({ name: prefix + name, help, labelNames, registers: [registry] });
      const close = bounded(labelNames);
      return {
        add: (labels, amount) => gauge.inc(close(labels), amount),
        set: (labels, value) => gauge.set(close(labels), value),
        replace: (readings) => {
          gauge.reset();
          for (const { labels, value } of readings) gauge.set(close(labels), value);
        },
      };
    },
    histogram: (name, help, labelNames, buckets) => {
      const histogram = new Histogram({
        name: prefix + name,
        help,
        labelNames,
        buckets: [...buckets],
        registers: [registry],
      });
      const close = bounded(labelNames);
      return { observe: (labels, value) => histogram.observe(close(labels), value) };
    },
  };
}

/** Lets so many values of each label through, and calls the rest by one name. */
function bounded<Name extends string>(names: readonly Name[]): (labels: Labels<Name>) => Labels<Name> {
  const seen = new Map<Name, Set<string>>(names.map((name) => [name, new Set()]));
  return (labels) => {
    let closed = labels;
    for (const [name, values] of seen) {
      const value = labels[name];
      if (values.has(value)) continue;
      if (values.size < mostValues) values.add(value);
      else closed = { ...closed, [name]: others };
    }
    return closed;
  };
}

function shared<T>(work: () => Promise<T>): () => Promise<T> {
  let underWay: Promise<T> | undefined;
  return () => {
    underWay ??= work().finally(() => {
      underWay = undefined;
    });
    return underWay;
  };
}

async function inTime(read: () => Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("The source did not answer in time.")), patienceMs);
  });
  try {
    await Promise.race([read(), late]);
  } finally {
    clearTimeout(timer);
  }
}
