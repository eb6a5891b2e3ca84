import { failCommand } from "../../../infra/process/operator-error.ts";
import { commandLine } from "../../../infra/setup/command-line.ts";
import { lookAtInstallation } from "./doctor.ts";
import { type Finding, lineOf } from "./findings.ts";

// npm run doctor [-- --online] [-- --json]

function summaryOf(findings: readonly Finding[]): string {
  const count = (state: Finding["state"]) => findings.filter((finding) => finding.state === state).length;
  return `${count("ok")} ok, ${count("warning")} to check, ${count("wrong")} wrong`;
}

try {
  const { online, json } = commandLine("doctor").options;
  const findings = await lookAtInstallation({ online, now: () => new Date() });
  const text = json
    ? JSON.stringify({ findings }, null, 2)
    : [...findings.map(lineOf), summaryOf(findings)].join("\n");
  process.stdout.write(`${text}\n`);
  process.exitCode = findings.some(({ state }) => state === "wrong") ? 1 : 0;
} catch (error) {
  failCommand(error);
}
