import { GenericContainer, getContainerRuntimeClient, Wait } from "testcontainers";
import { commandFile, runNode } from "./steps.ts";

// npm run test:eventstore: the suites of the event store and of the command handler against a real server: the one at EVENTSTORE_TEST_URL, or
// one that is started for it where Docker is (EVENTSTORE_TEST_IMAGE chooses which). They write to that server, under names of their own.

const usualImage = "eventstore/eventstore:24.10";
const port = 2113;

async function runSuites(url: string): Promise<number> {
  const vitest = commandFile("vitest", "vitest.mjs");
  return runNode(vitest, ["run", "--config=infra/setup/vitest.server.config.ts"], {
    EVENTSTORE_TEST_URL: url,
  });
}

async function runInContainer(): Promise<number> {
  const image = process.env.EVENTSTORE_TEST_IMAGE || usualImage;
  console.log(`Starting ${image} in a container.`);
  const container = await new GenericContainer(image)
    .withCommand(["--insecure", "--mem-db"])
    .withExposedPorts(port)
    .withWaitStrategy(Wait.forHttp("/health/live", port).forStatusCode(204))
    .withStartupTimeout(120_000)
    .start();
  try {
    return await runSuites(`esdb://${container.getHost()}:${container.getMappedPort(port)}?tls=false`);
  } finally {
    await container.stop();
  }
}

async function isDockerThere(): Promise<boolean> {
  try {
    await getContainerRuntimeClient();
    return true;
  } catch {
    return false; // It throws for the one reason that no runtime was found.
  }
}

async function main(): Promise<number> {
  const { EVENTSTORE_TEST_URL: url } = process.env;
  if (url) return runSuites(url);
  if (await isDockerThere()) return runInContainer();
  console.error(
    "NOTHING WAS TESTED: there is no server. Set EVENTSTORE_TEST_URL to one (esdb://user:password@host:2113), or run this where Docker is. npm test runs the same suites against a peer that speaks the server's protocol.",
  );
  return 1;
}

process.exitCode = await main();
