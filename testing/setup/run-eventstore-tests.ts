import { GenericContainer, type StartedTestContainer, Wait } from "testcontainers";
import { commandLine } from "../../infra/setup/command-line.ts";
import { commandFile, runNode } from "../../infra/setup/steps.ts";
import { isDockerThere, redisImage } from "./provide-programs.ts";

// npm run test:eventstore: the suites of event store, command handler and jobs against real servers: those at
// EVENTSTORE_TEST_URL, POSTGRES_TEST_URL and REDIS_TEST_URL, or all three started in Docker. They write to these
// servers under separate names.

/** Server addresses by the environment variable the suites read. */
type Servers = Record<string, string>;
type Image = {
  readonly variable: string;
  readonly start: () => Promise<StartedTestContainer>;
  readonly urlOf: (at: string) => string;
  readonly port: number;
};

const startupTimeoutMs = 120_000;
/** For servers that live for one run on this machine. */
const password = "throw-away";

const eventStore: Image = {
  variable: "EVENTSTORE_TEST_URL",
  port: 2113,
  start: () =>
    new GenericContainer(process.env.EVENTSTORE_TEST_IMAGE || "eventstore/eventstore:24.10")
      .withCommand(["--insecure", "--mem-db"])
      .withExposedPorts(2113)
      .withWaitStrategy(Wait.forHttp("/health/live", 2113).forStatusCode(204))
      .withStartupTimeout(startupTimeoutMs)
      .start(),
  urlOf: (at) => `esdb://${at}?tls=false`,
};

const postgres: Image = {
  variable: "POSTGRES_TEST_URL",
  port: 5432,
  start: () =>
    new GenericContainer("postgres:18")
      .withEnvironment({ POSTGRES_PASSWORD: password, POSTGRES_INITDB_ARGS: "--encoding=UTF8 --locale=C" })
      .withExposedPorts(5432)
      // Once for the server that creates the database, once for the one that stays.
      .withWaitStrategy(Wait.forLogMessage("ready to accept connections", 2))
      .withStartupTimeout(startupTimeoutMs)
      .start(),
  urlOf: (at) => `postgres://postgres:${password}@${at}/postgres`,
};

const redis: Image = {
  variable: "REDIS_TEST_URL",
  port: 6379,
  start: () =>
    new GenericContainer(redisImage)
      .withCommand(["redis-server", "--save", "", "--maxmemory-policy", "noeviction"])
      .withExposedPorts(6379)
      .withWaitStrategy(Wait.forLogMessage("Ready to accept connections"))
      .withStartupTimeout(startupTimeoutMs)
      .start(),
  urlOf: (at) => `redis://${at}/0`,
};

const images = [eventStore, postgres, redis];

function runSuites(servers: Servers): Promise<number> {
  const vitest = commandFile("vitest", "vitest.mjs");
  console.log(`Running against ${Object.keys(servers).join(", ")}.`);
  return runNode(vitest, ["run", "--config=testing/setup/vitest.server.config.ts"], servers);
}

async function runInContainers(): Promise<number> {
  await using started = new AsyncDisposableStack();
  const servers: Servers = {};
  for (const { variable, start, port, urlOf } of images) {
    const container = started.adopt(await start(), async (running) => {
      await running.stop();
    });
    servers[variable] = urlOf(`${container.getHost()}:${container.getMappedPort(port)}`);
  }
  return await runSuites(servers);
}

function givenServers(): Servers {
  return Object.fromEntries(
    images.flatMap(({ variable }) => {
      const url = process.env[variable];
      return url ? [[variable, url]] : [];
    }),
  );
}

async function main(): Promise<number> {
  commandLine("test:eventstore");
  const given = givenServers();
  if (Object.keys(given).length > 0) return runSuites(given);
  if (await isDockerThere()) return runInContainers();
  console.error(
    "NOTHING WAS TESTED: there is no server. Set EVENTSTORE_TEST_URL (esdb://user:password@host:2113), POSTGRES_TEST_URL or REDIS_TEST_URL to one, or run this on a machine with Docker. npm test runs the same suites against a fake server that speaks the event store's protocol, an embedded Postgres and a local Redis.",
  );
  return 1;
}

process.exitCode = await main();
