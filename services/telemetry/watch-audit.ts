import type { AuditorStanding } from "../../infra/audit/auditor.ts";
import type { Telemetry } from "./telemetry.ts";

/** Shows at each scrape how far the log is verified and signed, and whether the audit found anything. */
export function showAudit(
  { meter, platform }: Pick<Telemetry, "meter" | "platform">,
  standing: () => Promise<AuditorStanding>,
  now: () => Date,
): void {
  meter.source("audit", async () => {
    const { follower, events, lastCheckpoint, runs } = await standing();
    const signed = lastCheckpoint?.count ?? 0;
    const ageMs = lastCheckpoint === null ? 0 : now().getTime() - Date.parse(lastCheckpoint.at);
    platform.auditVerifiedSeconds.set({}, events > signed ? Math.max(0, ageMs) / 1000 : 0);
    // A finding stands until a later run finds nothing.
    const found = follower.state === "stopped" || (runs[0]?.problem ?? null) !== null;
    platform.auditAlarm.set({}, Number(found));
  });
}
