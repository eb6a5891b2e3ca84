import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";

/** Label values of one family, from closed lists: never an id, an address, or user input. */
type Labels<Name extends string> = Readonly<Record<Name, string>>;

type Counting<Name extends string> = { add(labels: Labels<Name>, amount?: number): void };

/** A gauge. `replace` sets all series at once, so that stale ones disappear. */
type Gauging<Name extends string> = {
  add(labels: Labels<Name>, amount: number): void;
  set(labels: Labels<Name>, value: number): void;
  replace(readings: readonly { readonly labels: Labels<Name>; readonly value: number }[]): void;
};

/** A histogram; durations are in seconds. */
type Spreading<Name extends string> = { observe(labels: Labels<Name>, value: number): void };

/** Metrics of a process. Families are created once, at the start. */
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
   * Registers a function called at each scrape, before the answer is written. One that fails or takes longer than two
   * seconds is counted as unread; the rest is still exported.
   */
  source(name: string, read: () => Promise<void>): void;
  /** In the text format of Prometheus. Concurrent callers share one answer. */
  text(): Promise<string>;
  readonly contentType: string;
  /** Names of all families, including the runtime's. */
  names(): Promise<readonly string[]>;
};

/** Prefix of all our families. */
const prefix = "certificates_";

/** A label with more values than this is not from a closed list after all: the rest is counted as one. */
const mostValues = 200;
const others = "(other)";
const patienceMs = 2_000;

/** Creates a registry including the runtime's metrics (memory, event loop, garbage collection). */
export function createMeter(): Meter {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix });
  const unread = new Counter({
    name: `${prefix}metrics_unread_total`,
    help: "Sources that could not be read at a scrape.",
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

/** Lets a limited number of values of each label through, and replaces the rest with one name. */
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
