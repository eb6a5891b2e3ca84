import { pause } from "../following/follower-turn.ts";
import { OperatorFault } from "../process/operator-error.ts";
import { isForWantOfRoom, type Place, prepareCluster } from "./embedded-cluster.ts";
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
  /** Why it is away while it waits for room on its disk, in words without a path; else undefined. */
  trouble: () => string | undefined;
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
  /** Hears, once each time, that its disk is full: it comes back by itself when there is room. */
  onFull?: (words: string) => void;
  /** Whether it died for want of room on its disk (asks the disk). */
  isForWantOfRoom?: typeof isForWantOfRoom;
  /** How often it may die within ten minutes before it is given up. */
  mostDeaths?: number;
};

const deathsWithinMs = 600_000;
/** How often a full disk is looked at again. */
const roomEveryMs = 2_000;

/**
 * Starts the embedded Postgres of a data folder, or adopts the one that a killed process left running.
 * @throws OperatorFault when another owner is alive, or the server does not come up; the signal's reason when given up
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedServer> {
  const place = await prepareCluster(options.directory, options.signal);
  const server = await own(place, options.settings ?? [], undefined, options.signal);
  const stopping = new AbortController();
  const room = watchRoom(place, options, stopping.signal);
  const care = keepAlive({ place, room, stopping: stopping.signal, ...options }, server);
  return {
    connectionString: addressOf(place, server.port),
    adopted: server.adopted,
    // Once it is being stopped nothing is lost any more: this never settles then.
    lost: care.then((reason) => reason ?? new Promise<never>(() => undefined)),
    trouble: room.trouble,
    stop: async () => {
      stopping.abort();
      const running = findRunning(place.cluster);
      if (running) await endServer(running.pid);
      await care;
    },
  };
}

type Care = Pick<EmbeddedOptions, "settings" | "onTrouble" | "mostDeaths"> & {
  place: Place;
  room: Room;
  stopping: AbortSignal;
};

/** Brings the server back whenever it dies. Answers why it no longer can, undefined when it was told to stop. */
async function keepAlive(care: Care, first: Owned): Promise<Error | undefined> {
  const { place, room, stopping, onTrouble = () => undefined, mostDeaths = 5 } = care;
  let deaths: number[] = [];
  let server = first;
  for (;;) {
    await server.ended;
    server.unwatch();
    if (stopping.aborted) return undefined;
    onTrouble();
    // Of a full disk it dies until there is room, however often that is.
    if (!(await room.isLacking())) {
      deaths = [...deaths, Date.now()].filter((at) => at > Date.now() - deathsWithinMs);
      if (deaths.length > mostDeaths) return lostFor(place);
    }
    try {
      server = await bringBack(care, first.port);
    } catch (error) {
      return stopping.aborted ? undefined : faultOf(error);
    }
  }
}

/** Starts it on the port that others know; where its disk is full, tries until there is room. */
async function bringBack({ place, settings = [], room, stopping }: Care, port: number): Promise<Owned> {
  for (;;) {
    try {
      const server = await own(place, settings, port, stopping);
      room.isThere();
      return server;
    } catch (error) {
      if (stopping.aborted || !(await room.isLacking(error))) throw error;
    }
  }
}

type Room = {
  /** Asks whether the disk is full, and where it is waits a while. */
  isLacking: (error?: unknown) => Promise<boolean>;
  isThere: () => void;
  trouble: () => string | undefined;
};

function watchRoom(place: Place, options: EmbeddedOptions, stopping: AbortSignal): Room {
  const ask = options.isForWantOfRoom ?? isForWantOfRoom;
  const words = `The disk of DATA_DIR (${place.directory}) is full: make room, and the database comes back by itself.`;
  let lacking = false;
  return {
    isLacking: async (error) => {
      if (!(await ask(place.directory, error))) return false;
      if (!lacking) options.onFull?.(words);
      lacking = true;
      await pause(roomEveryMs, stopping);
      return true;
    },
    isThere: () => {
      lacking = false;
    },
    trouble: () => (lacking ? "its disk is full" : undefined),
  };
}

const faultOf = (error: unknown) => (error instanceof Error ? error : new Error(String(error)));

function lostFor(place: Place): OperatorFault {
  return new OperatorFault(
    `The embedded Postgres in ${place.directory} dies again and again: server.log there says why; mend that and start again.`,
  );
}
