import { failCommand, WrongCommand } from "../../infra/process/operator-error.ts";
import { commandLine } from "../../infra/setup/command-line.ts";
import { machineLine } from "../figures.ts";
import { provePrivacy } from "./privacy.ts";

// npm run proof:privacy [-- --people 1000 --kills 60 --seed 1 --redis]: people order through the whole product until
// their data is purged; then every byte that was written on the way is searched for their words and keys.

const mostPeople = 1_500;

function optionsGiven() {
  const given = commandLine("proof:privacy").options;
  const { people, kills } = given;
  // Beyond that, two of them would have the same postcode.
  if (people + 3 * kills > mostPeople)
    throw new WrongCommand(`--people and three for each of --kills are at most ${mostPeople} together.`);
  return given;
}

const tally = (names: readonly string[]): string =>
  [...Map.groupBy(names, (name) => name)].map(([name, all]) => `${all.length} x ${name}`).join(", ");

async function run(): Promise<boolean> {
  const { people, kills, seed, redis } = optionsGiven();
  console.log(machineLine());
  const begunMs = performance.now();
  const seconds = () => Math.round((performance.now() - begunMs) / 1000);
  const report = await provePrivacy({
    ...{ people, kills, seed, redis, purgeAfterSeconds: 5 },
    onStage: (words) => console.log(`${seconds()} s: ${words}`),
  });
  const { scanned, restored, purges } = report;
  for (const finding of report.findings.slice(0, 100)) console.log(finding);
  console.log(
    `${report.people} people, ${report.events} events; ${report.patterns} patterns in ${scanned.files} files, ${Math.round(scanned.bytes / 1e6)} MB`,
  );
  console.log(`Keys: ${report.keys.destroyed} destroyed, ${report.keys.alive} alive`);
  console.log(`Controls: ${report.drained} people in what the GRO received, ${report.leaks} planted leaks`);
  console.log(
    `Emails: ${report.mails}, each with a file; ${report.conversationsPurged} conversations purged on request`,
  );
  console.log(
    `Purges: ${purges.count}, the slowest after ${purges.slowestSeconds.toFixed(1)} s; ${report.kills.length} kills, after ${tally(report.kills.map(({ after }) => after))}`,
  );
  console.log(`Orders as the killed processes left them: ${tally(report.kills.flatMap(({ left }) => left))}`);
  console.log(
    `Restored backup: ${restored.held} records, ${restored.givenBack} of ${restored.destroyed} destroyed since given back, ${restored.readable} of ${restored.kept} others readable`,
  );
  const command = `npm run proof:privacy -- --people ${people} --kills ${kills} --seed ${seed}${redis ? " --redis" : ""}`;
  console.log(`${command}: ${report.findings.length} findings, ${seconds()} s`);
  return report.findings.length === 0;
}

try {
  process.exitCode = (await run()) ? 0 : 1;
} catch (error) {
  failCommand(error);
}
