import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { pause } from "../following/follower-turn.ts";
import { fileError, OperatorError } from "../process/operator-error.ts";
import { clusterOf, isForWantOfRoom, prepareCluster } from "./embedded-cluster.ts";
import { addressOf, type Owned, own, ownerLock } from "./embedded-owner.ts";
import { endServer, findRunning, type Place } from "./embedded-process.ts";

/** A running embedded server, restarted when it dies. */
type EmbeddedServer = {
  connectionString: string;
  /** Waits until the server has written everything and stopped. */
  stop: () => Promise<void>;
  /** Resolves when the server died and could not be restarted. */
  lost: Promise<Error>;
  /** Why it is down while waiting for free disk space, without a path; else undefined. */
  trouble: () => string | undefined;
};

type EmbeddedOptions = {
  /** Holds the cluster, its password and its log. */
  directory: string;
  /** Extra server settings, as `name=value`. */
  settings?: readonly string[];
  /** Cancels a start and ends what was started. */
  signal?: AbortSignal;
  /** Called when the server died or restarted, before it is brought back. */
  onTrouble?: () => void;
  /** Called each time its disk fills up: it recovers once there is space. */
  onFull?: (words: string) => void;
  /** Whether it died of a full disk (checks the disk). */
  isForWantOfRoom?: typeof isForWantOfRoom;
  /** How often it may die within ten minutes before it is given up. */
  mostDeaths?: number;
};

const deathsWithinMs = 600_000;
/** How often a full disk is checked again. */
const roomEveryMs = 2_000;

/**
 * Starts the embedded Postgres of a data folder, in place of one that a killed process left running.
 * @throws OperatorError when another owner is alive, or the server does not start; the signal's reason when cancelled
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedServer> {
  const place = await prepareCluster(options.directory, options.signal);
  const server = await own(place, options.settings ?? [], undefined, options.signal);
  const stopping = new AbortController();
  const room = watchRoom(place, options, stopping.signal);
  const care = keepAlive({ place, room, stopping: stopping.signal, ...options }, server);
  return {
    connectionString: addressOf(place, server.port),
    // A deliberate stop is no loss: this then never resolves.
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

/** Restarts the server whenever it dies. Resolves to the reason it can no longer, undefined when asked to stop. */
async function keepAlive(care: Care, first: Owned): Promise<Error | undefined> {
  const { place, room, stopping, onTrouble = () => undefined, mostDeaths = 5 } = care;
  let deaths: number[] = [];
  let server = first;
  for (;;) {
    await server.ended;
    server.unwatch();
    if (stopping.aborted) return undefined;
    onTrouble();
    // On a full disk it may die any number of times until there is space.
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

/** Starts it on its previous port; on a full disk, retries until there is space. */
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
  /** Checks whether the disk is full, and if so waits a while. */
  isLacking: (error?: unknown) => Promise<boolean>;
  isThere: () => void;
  trouble: () => string | undefined;
};

function watchRoom(place: Place, options: EmbeddedOptions, stopping: AbortSignal): Room {
  const ask = options.isForWantOfRoom ?? isForWantOfRoom;
  const words = `The disk of DATA_DIR (${place.directory}) is full: free some space, and the database recovers automatically.`;
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

function lostFor(place: Place): OperatorError {
  return new OperatorError(
    `The embedded Postgres in ${place.directory} keeps dying: see server.log there for the reason, fix it and start again.`,
  );
}

/**
 * Address of a data folder's embedded server while a living process owns it, for commands that run alongside the
 * product. Undefined without an owner: the caller may then own it.
 * @throws OperatorError when the folder belongs to another user
 */
export async function addressOfOwned(directory: string): Promise<string | undefined> {
  const [cluster, file] = [clusterOf(directory), join(directory, "password")];
  const running = existsSync(file) ? findRunning(cluster) : undefined;
  if (!running) return undefined;
  const address = addressOf({ directory, cluster, password: readPassword(file) }, running.port);
  const client = new pg.Client({ connectionString: address, connectionTimeoutMillis: 2000 });
  client.on("error", () => undefined); // The query on it fails and says why.
  try {
    await client.connect();
    const { rowCount } = await client.query(
      "select 1 from pg_locks where locktype = 'advisory' and objid = $1 and granted",
      [ownerLock],
    );
    return rowCount ? address : undefined;
  } catch {
    // Starting or stopping: the next owner finds out which.
    return undefined;
  } finally {
    await client.end().catch(() => undefined);
  }
}

function readPassword(file: string): string {
  try {
    return readFileSync(file, "utf8").trim();
  } catch (error) {
    throw fileError(error) ?? error;
  }
}
