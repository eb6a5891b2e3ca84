import { randomUUID } from "node:crypto";
import { type Config, ConfigurationError } from "../../../infra/config/config.ts";
import { openBoundSecrets } from "../../../infra/key-ring/installation-secrets.ts";
import { migrate } from "../../../infra/postgres/migrate.ts";
import { createPool } from "../../../infra/postgres/pool.ts";
import { reachDatabase } from "../../../infra/postgres/reach-database.ts";
import { createLog, type Log } from "../../../infra/process/log.ts";
import { type Running, runProcess } from "../../../infra/process/run-process.ts";
import { hostForPrograms } from "../../providers/sandbox/addresses.ts";
import { createSandbox } from "../../providers/sandbox/sandbox.ts";
import { answerOperator } from "../answer-operator.ts";
import { sandboxNotice } from "../app-dependencies.ts";
import { refuseAlone, refuseSandboxInProduction, sandboxedOf } from "../provider-modes.ts";
import { sandboxElsewhere } from "../providers.ts";
import { databaseReady } from "../readiness.ts";

const what = "A standalone sandbox";

/**
 * The sandbox as a separate process: its state is in the database, its keys are the installation's.
 * @throws OperatorError, the signal's reason, or an internal error; by then everything that was started has stopped
 */
async function startSandbox(config: Config, signal: AbortSignal): Promise<Running> {
  refuseAlone(config, what);
  refuseSandboxInProduction(config);
  const { places, callsBack } = ownPlaces(config);
  await using closing = new AsyncDisposableStack();
  const log = createLog(config.LOG_LEVEL);
  const { pool, secrets } = await openMemory(config, log, closing, signal);
  const sandbox = createSandbox({
    pool,
    ports: sandboxedOf(config.providers),
    installationSecret: await secrets.secret("sandbox"),
    cardPort: places.cardPort,
    cardHost: config.HOST,
    own: {
      host: hostForPrograms(config.HOST, places),
      apiPort: places.api.port,
      smtpPort: places.smtp.port,
    },
    publicUrl: config.PUBLIC_URL,
    now: () => new Date(),
    newId: randomUUID,
    random: Math.random,
    log,
  });
  await sandbox.start();
  closing.defer(() => sandbox.stop());
  sandbox.deliverTo(callsBack);
  const mailIn = config.providers.mailIn?.from;
  if (mailIn && mailIn.protocol !== "imap") sandbox.returnMailTo(mailIn);
  signal.throwIfAborted();
  const readiness = [databaseReady(pool, () => undefined)];
  await answerOperator(config, readiness, undefined, signal, closing);
  log.info({ pid: process.pid }, "ready");

  const notice = await sandboxNotice(config, secrets);
  const running = closing.move();
  // An external database is restored by its operator.
  return { ready: "sandbox", notice, stop: () => running.disposeAsync(), lost: new Promise(() => undefined) };
}

function ownPlaces(config: Config) {
  const places = sandboxElsewhere(config);
  if (places === undefined)
    throw new ConfigurationError(
      `${what} needs its address: set SANDBOX_URL, such as http://127.0.0.1:3010, to the same value for it and for the processes that use it.`,
    );
  const callsBack = config.SANDBOX_DELIVERS_TO ?? config.PUBLIC_URL;
  if (callsBack === undefined)
    throw new ConfigurationError(
      `${what} needs an address for its callbacks: set PUBLIC_URL to the address of the site, or SANDBOX_DELIVERS_TO if it reaches the site elsewhere.`,
    );
  return { places, callsBack };
}

async function openMemory(config: Config, log: Log, closing: AsyncDisposableStack, signal: AbortSignal) {
  const connectionString = config.DATABASE_URL ?? "";
  await reachDatabase(connectionString, signal);
  await migrate(connectionString);
  const pool = closing.adopt(createPool(connectionString), (open) => open.end());
  const secrets = await openBoundSecrets(config, pool, log);
  return { pool, secrets };
}

// npm run sandbox: the providers' sandbox as a separate process.
runProcess("sandbox", startSandbox);
