import { OperatorFault } from "../operator-fault.ts";
import { type Place, prepareCluster } from "./embedded-cluster.ts";
import { addressOf, type Owned, own } from "./embedded-owner.ts";
import { endServer, findRunning } from "./embedded-process.ts";

/** A running embedded server, which is started again when it dies. */
export type EmbeddedServer = {
  connectionString: string;
  /** Whether it was found running, left behind by a process that was killed. */
  adopted: boolean;
  /** Waits until the server has written everything and ended. */
  stop: () => Promise<void>;
  /** Settles when the server died and could not be brought back; nothing that needs it can go on. */
  lost: Promise<Error>;
};

export type EmbeddedOptions = {
  /** Holds the cluster, its password and its log. */
  directory: string;
  /** Extra server settings, as `name=value`. */
  settings?: readonly string[];
  /** Gives a start up; what was begun is ended. */
  signal?: AbortSignal;
  /** Hears that the server died or restarted, before it is brought back. */
  onTrouble?: () => void;
  /** How often it may die within ten minutes before it is given up. */
  mostDeaths?: number;
};

const deathsWithinMs = 600_000;

/**
 * Starts the embedded Postgres of a data folder, or adopts the one that a killed process left running.
 * @throws OperatorFault when another owner is alive, or the server does not come up; the signal's reason when given up
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedServer> {
  const place = await prepareCluster(options.directory, options.signal);
  const server = await own(place, options.settings ?? [], undefined, options.signal);
  const stopping = new AbortController();
  const care = keepAlive(place, server, options, stopping.signal);
  return {
    connectionString: addressOf(place, server.port),
    adopted: server.adopted,
    // Once it is being stopped nothing is lost any more: this never settles then.
    lost: care.then((reason) => reason ?? new Promise<never>(() => undefined)),
    stop: async () => {
      stopping.abort();
      const running = findRunning(place.cluster);
      if (running) await endServer(running.pid);
      await care;
    },
  };
}

/** Brings the server back whenever it dies. Answers why it no longer can, undefined when it was told to stop. */
async function keepAlive(
  place: Place,
  first: Owned,
  { settings = [], onTrouble = () => undefined, mostDeaths = 5 }: EmbeddedOptions,
  stopping: AbortSignal,
): Promise<Error | undefined> {
  let deaths: number[] = [];
  let server = first;
  for (;;) {
    await server.ended;
    server.unwatch();
    if (stopping.aborted) return undefined;
    onTrouble();
    deaths = [...deaths, Date.now()].filter((at) => at > Date.now() - deathsWithinMs);
    if (deaths.length > mostDeaths) return lostFor(place);
    try {
      server = await own(place, settings, first.port, stopping);
    } catch (error) {
      return stopping.aborted ? undefined : faultOf(error);
    }
  }
}

const faultOf = (error: unknown) => (error instanceof Error ? error : new Error(String(error)));

function lostFor(place: Place): OperatorFault {
  return new OperatorFault(
    `The embedded Postgres in ${place.directory} dies again and again: server.log there says why; mend that and start again.`,
  );
}
