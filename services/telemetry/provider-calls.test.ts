import { pino } from "pino";
import { describe, expect, it } from "vitest";
import { createMeter } from "../../infra/telemetry/metrics/meter.ts";
import { untraced } from "../../infra/telemetry/tracing/tracing.ts";
import { readFigures } from "../../testing/services/telemetry-fixture.ts";
import { SubmissionUncertain } from "../providers/gro/automation.ts";
import { MailRefused } from "../providers/smtp/mailer.ts";
import { PaymentsUnavailable, WebhookRefused } from "../providers/stripe/payments.ts";
import { createProviderCalls } from "./provider-calls.ts";
import { serviceFamilies } from "./service-families.ts";

function watched() {
  const meter = createMeter();
  const said: string[] = [];
  const log = pino({ base: null }, { write: (line: string) => void said.push(line) });
  const now = () => new Date("2026-11-21T09:00:00.000Z");
  const calls = createProviderCalls({ families: serviceFamilies(meter), tracing: untraced, log, now });
  const fails = (error: Error, provider: "payments" | "automation" | "mail" = "payments") =>
    expect(calls.call(provider, "ask", () => Promise.reject(error))).rejects.toBe(error);
  return { ...calls, fails, said, figures: async () => readFigures(await meter.text()) };
}

const away = new PaymentsUnavailable("sian@post.example could not be charged");

describe("Calls to a provider", () => {
  it("are counted by outcome, with a refusal as an answer", async () => {
    const { call, fails, figures } = watched();
    expect(await call("payments", "ask", async () => 7)).toBe(7);
    await fails(away);
    await fails(new MailRefused("addressRefused"), "mail");
    const { sum } = await figures();
    const count = (labels: Record<string, string>) => sum("provider_call_seconds_count", labels);
    expect(count({ provider: "payments", outcome: "done" })).toBe(1);
    expect(count({ provider: "payments", outcome: "unavailable" })).toBe(1);
    expect(count({ provider: "mail", outcome: "refused" })).toBe(1);
  });

  it("log an error's code, never the provider's words", async () => {
    const { fails, said } = watched();
    await fails(away);
    await fails(new SubmissionUncertain("timeout"), "automation");
    expect(said.map((line) => JSON.parse(line).code)).toEqual(["PaymentsUnavailable", "timeout"]);
    expect(said.join()).not.toContain("post.example");
  });

  it("show the provider as down after three failures in a row, or an open circuit at once", async () => {
    const { call, fails, down, figures } = watched();
    await fails(away);
    await fails(away);
    await call("payments", "ask", async () => 1);
    await fails(away);
    await fails(away);
    expect(down().size).toBe(0);
    await fails(away);
    await fails(new SubmissionUncertain("circuitOpen"), "automation");
    const since = "2026-11-21T09:00:00.000Z";
    expect([...down()]).toEqual([
      ["payments", since],
      ["automation", since],
    ]);
    expect((await figures()).sum("provider_down")).toBe(2);
    await fails(new MailRefused("contentRefused"), "payments");
    expect([...down().keys()]).toEqual(["automation"]);
    expect((await figures()).sum("provider_down")).toBe(1);
  });

  it("back from the provider are counted by whether their signature was valid", async () => {
    const { notice, figures } = watched();
    expect(notice("payments", () => "read")).toBe("read");
    const forged = new WebhookRefused("Not theirs.");
    expect(() =>
      notice("payments", () => {
        throw forged;
      }),
    ).toThrow(forged);
    const { sum } = await figures();
    expect(sum("provider_notices_total", { outcome: "taken" })).toBe(1);
    expect(sum("provider_notices_total", { outcome: "refused" })).toBe(1);
  });
});
