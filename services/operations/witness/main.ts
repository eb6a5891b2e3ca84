import { once } from "node:events";
import { resolve } from "node:path";
import { expectFree } from "../../../infra/process/free-port.ts";
import {
  failCommand,
  OperatorError,
  WrongCommand,
  wordsForOperator,
} from "../../../infra/process/operator-error.ts";
import { commandLine } from "../../../infra/setup/command-line.ts";
import {
  formatVerifierKey,
  parseVerifierKey,
  signatureTypes,
  type VerifierKey,
} from "../../../infra/transparency/formats/verifier-key.ts";
import { createWitness } from "../../../infra/transparency/witness/witness.ts";
import { createWitnessServer } from "../../../infra/transparency/witness/witness-server.ts";
import { openWitnessKey, openWitnessStore } from "../../../infra/transparency/witness/witness-store.ts";

// npm run witness -- --folder DIR --name NAME --log VKEY [--log VKEY] [--host ADDRESS] [--port PORT]

try {
  const { folder, name, log: logs, host, port } = commandLine("witness").options;
  if (folder === undefined || name === undefined)
    throw new WrongCommand(
      "Give a folder and a name: npm run witness -- --folder DIR --name NAME --log VKEY",
    );
  const running = await runWitness({
    ...{ folder: resolve(folder), name, logs, host, port },
    say: (line) => process.stdout.write(`${line}\n`),
  });
  const end = () => {
    running.close().catch((error: unknown) => {
      failCommand(error);
    });
  };
  process.once("SIGINT", end).once("SIGTERM", end);
} catch (error) {
  failCommand(error);
}

type WitnessSettings = {
  /** Holds the key and what was signed. */
  readonly folder: string;
  /** Without spaces and plus; by custom a host name. */
  readonly name: string;
  /** Verifier keys of the logs it signs for. */
  readonly logs: readonly string[];
  readonly host: string;
  /** 0 for any. */
  readonly port: number;
  readonly say: (line: string) => void;
};

type RunningWitness = {
  readonly url: string;
  /** `name+id+key`, for the operators of the logs. */
  readonly key: string;
  close(): Promise<void>;
};

/** Runs a witness for a few logs. @throws OperatorError for settings that are wrong */
async function runWitness(settings: WitnessSettings): Promise<RunningWitness> {
  const { folder, name, host, port, say } = settings;
  if (!/^[^\s+]+$/u.test(name)) throw new WrongCommand("--name must have no spaces and no plus.");
  const logs = await Promise.all(settings.logs.map(logKey));
  if (logs.length === 0)
    throw new WrongCommand("Name at least one log by its verifier key: --log VKEY. It publishes it.");
  const signer = await openWitnessKey(folder, name);
  const witness = createWitness({ signer, logs, store: openWitnessStore(folder), now: () => new Date() });
  const server = createWitnessServer(witness, (error) => say(wordsForOperator(error)));
  await expectFree(host, port).catch((cause: unknown) => {
    throw new OperatorError(`${host}:${port} cannot be listened on: give another --host or --port.`, {
      cause,
    });
  });
  server.listen(port, host);
  await once(server, "listening");
  const bound = server.address();
  const url = `http://${host}:${typeof bound === "object" ? bound?.port : port}`;
  const key = formatVerifierKey(signer.key);
  say(`Witness of ${[...new Set(logs.map((log) => log.name))].join(", ")} at ${url}`);
  say(`Its verifier key, for those who run and check these logs: ${key}`);
  return {
    ...{ url, key },
    close: async () => {
      const closed = once(server, "close");
      server.close();
      server.closeIdleConnections();
      await closed;
    },
  };
}

async function logKey(text: string): Promise<VerifierKey> {
  const key = await parseVerifierKey(text.trim());
  if (key?.type === signatureTypes.log) return key;
  throw new WrongCommand(`--log: this is not the verifier key of a log: ${text}`);
}
