import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { createMeter } from "../../infra/telemetry/metrics/meter.ts";
import { platformFamilies } from "../../infra/telemetry/metrics/platform-families.ts";
import { serviceFamilies } from "./service-families.ts";

const root = join(import.meta.dirname, "..", "..");
const read = (...path: string[]) => readFileSync(join(root, ...path), "utf8");

const dashboard = z
  .object({
    panels: z.array(
      z.object({ title: z.string(), targets: z.array(z.object({ expr: z.string() })).default([]) }),
    ),
  })
  .parse(JSON.parse(read("infra", "telemetry", "metrics", "grafana", "dashboard.json")));
const rule = z.object({
  alert: z.string(),
  expr: z.string(),
  labels: z.object({ severity: z.enum(["page", "ticket"]) }),
  annotations: z.object({ summary: z.string() }),
});
const rules = z
  .object({ groups: z.array(z.object({ rules: z.array(rule) })) })
  .parse(parse(read("infra", "telemetry", "metrics", "prometheus", "alerts.yml")))
  .groups.flatMap((group) => group.rules);

/** Metric families of an expression, without histogram suffixes. */
const familiesIn = (expression: string): string[] =>
  [...expression.matchAll(/certificates_\w+/g)].map(([name]) => name.replace(/_(bucket|sum|count)$/, ""));
/** Labels that an expression selects or groups by. */
const labelsIn = (expression: string): string[] => [
  ...[...expression.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, names = ""]) => names.split(/,\s*/)),
  ...[...expression.matchAll(/[{,](\w+)(?:=~|!=|!~|=)/g)].map(([, name = ""]) => name),
];

const everyLabel = new Set(["le", "instance", "job", "source"]);
const meter = createMeter();
const remembering = {
  ...meter,
  counter: (name: string, help: string, labels: readonly string[]) =>
    noted(labels, meter.counter(name, help, labels)),
  gauge: (name: string, help: string, labels: readonly string[]) =>
    noted(labels, meter.gauge(name, help, labels)),
  histogram: (name: string, help: string, labels: readonly string[], buckets: readonly number[]) =>
    noted(labels, meter.histogram(name, help, labels, buckets)),
};
function noted<T>(labels: readonly string[], family: T): T {
  for (const label of labels) everyLabel.add(label);
  return family;
}
platformFamilies(remembering);
serviceFamilies(remembering);
const known = new Set(await meter.names());

describe("The dashboard", () => {
  const asked = dashboard.panels.flatMap(({ title, targets }) =>
    targets.map(({ expr }) => [title, expr] as const),
  );

  it.each(asked)("uses existing metrics in %s: %s", (_title, expr) => {
    expect(familiesIn(expr)).not.toEqual([]);
    for (const family of familiesIn(expr)) expect(known).toContain(family);
    for (const label of labelsIn(expr)) expect(everyLabel).toContain(label);
  });

  it("shows every metric family", () => {
    const shown = new Set(asked.flatMap(([, expr]) => familiesIn(expr)));
    const runtime = /^certificates_(nodejs|process)_/;
    expect([...known].filter((name) => !shown.has(name) && !runtime.test(name))).toEqual([]);
  });
});

describe("The alarms", () => {
  it.each(rules.map((one) => [one.alert, one] as const))("%s uses existing metrics", (_name, { expr }) => {
    for (const family of familiesIn(expr)) expect(known).toContain(family);
    for (const label of labelsIn(expr)) expect(everyLabel).toContain(label);
  });

  it("are each documented for the operator, and no others are documented", () => {
    const explained = [...read("docs", "operations", "watching.md").matchAll(/^\| `([A-Z]\w+)` \|/gm)].map(
      ([, name]) => name,
    );
    expect([...explained].sort()).toEqual(rules.map(({ alert }) => alert).sort());
  });

  it("are detected if they use missing metrics (control)", () => {
    expect(known).not.toContain(familiesIn("max(certificates_purges_lost) > 0")[0]);
    expect(everyLabel).not.toContain(labelsIn('sum by (colour) (x{shade="dark"})')[0]);
  });
});
