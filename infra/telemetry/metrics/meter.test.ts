import { describe, expect, it } from "vitest";
import { createMeter } from "./meter.ts";

describe("a meter", () => {
  it("exports counters with our prefix", async () => {
    const meter = createMeter();
    const counted = meter.counter("things_total", "Things.", ["kind"]);
    counted.add({ kind: "one" });
    counted.add({ kind: "one" }, 2);
    expect(await meter.text()).toContain('certificates_things_total{kind="one"} 3');
    expect(await meter.names()).toContain("certificates_things_total");
  });

  it("limits the number of values of a label", async () => {
    const meter = createMeter();
    const counted = meter.counter("things_total", "Things.", ["kind"]);
    const gauged = meter.gauge("levels", "Levels.", ["kind"]);
    const spread = meter.histogram("sizes", "Sizes.", ["kind"], [1]);
    for (let n = 0; n < 1000; n++) {
      counted.add({ kind: `kind ${n}` });
      gauged.set({ kind: `kind ${n}` }, 1);
      spread.observe({ kind: `kind ${n}` }, 1);
    }
    const text = await meter.text();
    for (const family of ["things_total", "levels", "sizes_count"]) {
      const rows = text.split("\n").filter((row) => row.startsWith(`certificates_${family}{`));
      expect(rows).toHaveLength(201);
    }
    expect(text).toContain('certificates_things_total{kind="(other)"} 800');
  });

  it("reads its sources at each scrape, and drops stale series", async () => {
    const meter = createMeter();
    const gauged = meter.gauge("levels", "Levels.", ["kind"]);
    let kind = "first";
    meter.source("levels", async () => gauged.replace([{ labels: { kind }, value: 1 }]));
    expect(await meter.text()).toContain('certificates_levels{kind="first"} 1');
    kind = "second";
    const text = await meter.text();
    expect(text).toContain('certificates_levels{kind="second"} 1');
    expect(text).not.toContain('kind="first"');
  });

  it("omits a source that fails or hangs, and counts it", async () => {
    const meter = createMeter();
    meter.source("broken", () => Promise.reject(new Error("It is down.")));
    meter.source("hanging", () => new Promise(() => undefined));
    const text = await meter.text();
    expect(text).toContain('certificates_metrics_unread_total{source="broken"} 1');
    expect(text).toContain('certificates_metrics_unread_total{source="hanging"} 1');
    expect(text).toContain("certificates_process_resident_memory_bytes");
  });

  it("shares one answer between concurrent scrapes", async () => {
    const meter = createMeter();
    let asked = 0;
    meter.source("once", async () => {
      asked += 1;
    });
    await Promise.all([meter.text(), meter.text(), meter.text()]);
    expect(asked).toBe(1);
    await meter.text();
    expect(asked).toBe(2);
  });
});
