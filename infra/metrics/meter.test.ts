import { describe, expect, it } from "vitest";
import { createMeter } from "./meter.ts";

describe("a meter", () => {
  it("writes what was counted, under our name", async () => {
    const meter = createMeter();
    const counted = meter.counter("things_total", "Things.", ["kind"]);
    counted.add({ kind: "one" });
    counted.add({ kind: "one" }, 2);
    expect(await meter.text()).toContain('certificates_things_total{kind="one"} 3');
    expect(await meter.names()).toContain("certificates_things_total");
  });

  it("bounds how many values a label can have, whoever hands them in", async () => {
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

  it("asks its sources at each scrape, and shows what is gone no longer", async () => {
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

  it("answers without the source that fails or hangs, and counts it", async () => {
    const meter = createMeter();
    meter.source("broken", () => Promise.reject(new Error("It is down.")));
    meter.source("hanging", () => new Promise(() => undefined));
    const text = await meter.text();
    expect(text).toContain('certificates_metrics_unread_total{source="broken"} 1');
    expect(text).toContain('certificates_metrics_unread_total{source="hanging"} 1');
    expect(text).toContain("certificates_process_resident_memory_bytes");
  });

  it("makes one answer for all who ask meanwhile", async () => {
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
