import { createSecretKey, type KeyObject, randomBytes } from "node:crypto";
import type { AgreedFiles } from "./durable-files.ts";

/** Current keys of one name, imported: Node takes seven times as long to sign with their bytes. */
export type SigningKeys = {
  current(): KeyObject;
  /** All keys whose signatures are accepted, newest first. */
  accepted(): readonly KeyObject[];
};

/** A new key is accepted at once and signs later, when every process has read it. */
export const signsAfterMs = 60_000;
export const readAgainMs = 10_000;
const dayMs = 86_400_000;

export const signingKeyFiles = (files: AgreedFiles, name: string): KeyGenerations =>
  keyGenerations(files, { name, extension: "secret", make: async () => randomBytes(32) });

/**
 * Opens the keys of a name, and checks every ten seconds for a rotation.
 * @param options.onTrouble called when the folder could not be read; the known keys stay in use
 */
export async function openSigningKeys(options: {
  files: AgreedFiles;
  name: string;
  /** How long signatures of a key are accepted after a newer one was made. */
  countDays: number;
  now: () => Date;
  onTrouble: (error: unknown) => void;
}): Promise<SigningKeys & Disposable> {
  const { countDays, now } = options;
  const generations = signingKeyFiles(options.files, options.name);
  let known = imported(await generations.open());
  const timer = setInterval(() => {
    generations.read().then((read) => {
      // None: the folder is unreachable or being replaced.
      if (read.length > 0) known = imported(read);
    }, options.onTrouble);
  }, readAgainMs).unref();
  return {
    current: () => signerAmong(known, now()).key,
    accepted: () => countingAmong(known, countDays, now()).map(({ key }) => key),
    [Symbol.dispose]: () => clearInterval(timer),
  };
}

type Imported = KeyGeneration & { readonly key: KeyObject };

const imported = (generations: readonly KeyGeneration[]): Imported[] =>
  generations.map((generation) => ({ ...generation, key: createSecretKey(generation.bytes) }));

/** The newest key known to every process; after a revocation that left only new ones, the oldest of them. */
function signerAmong(generations: readonly Imported[], now: Date): Imported {
  const [oldest] = generations;
  if (!oldest) throw new Error("A name has at least one key.");
  const isKnown = ({ madeAt }: KeyGeneration) =>
    madeAt === null || now.getTime() - madeAt.getTime() >= signsAfterMs;
  return generations.findLast(isKnown) ?? oldest;
}

/** Keys whose signatures are still accepted, newest first. */
export function countingAmong<Generation extends KeyGeneration>(
  generations: readonly Generation[],
  countDays: number,
  now: Date,
): readonly Generation[] {
  return generations
    .filter((_, at) => {
      const replacedAt = generations[at + 1]?.madeAt;
      return !replacedAt || now.getTime() - replacedAt.getTime() < countDays * dayMs;
    })
    .toReversed();
}

/** One version of a named key. */
export type KeyGeneration = {
  readonly file: string;
  /** Null for the first, which is as old as the installation. */
  readonly madeAt: Date | null;
  readonly bytes: Buffer;
};

/** Keys of one name, oldest first: `<name>.<extension>` is the first, `<name>.<when>.<extension>` are later ones. */
export type KeyGenerations = {
  /** At least one: creates the first if missing. Ensures that both folders have each. */
  open(): Promise<readonly KeyGeneration[]>;
  /** Reads the current keys without writing, so that a key being erased is not restored. */
  read(): Promise<readonly KeyGeneration[]>;
  /** Adds the next, from these bytes or like the first. */
  begin(at: Date, bytes?: Buffer): Promise<KeyGeneration>;
  /** Erases one permanently. */
  destroy(generation: KeyGeneration): Promise<void>;
};

/** @param make bytes of a new key */
export function keyGenerations(
  files: AgreedFiles,
  { name, extension, make }: { name: string; extension: "secret" | "pem"; make: () => Promise<Buffer> },
): KeyGenerations {
  const shape = new RegExp(`^${name}(?:\\.(\\d{8}t\\d{9}z))?\\.${extension}$`);
  const first = `${name}.${extension}`;
  const named = async () => (await files.names()).filter((file) => shape.test(file));

  function generation(file: string, bytes: Buffer): KeyGeneration {
    const stamp = shape.exec(file)?.[1];
    return { file, madeAt: stamp === undefined ? null : momentOf(stamp), bytes };
  }
  const kept = async (file: string, how = make) => generation(file, await files.keep(file, how));

  async function existing(file: string): Promise<KeyGeneration[]> {
    const bytes = await files.existing(file);
    return bytes ? [generation(file, bytes)] : [];
  }

  return {
    open: async () => {
      await files.finishDestroying();
      const there = await named();
      return inOrder(await Promise.all((there.length > 0 ? there : [first]).map((file) => kept(file))));
    },
    read: async () => inOrder((await Promise.all((await named()).map(existing))).flat()),
    begin: (at, bytes) => kept(`${name}.${stampOf(at)}.${extension}`, async () => bytes ?? (await make())),
    destroy: ({ file }) => files.destroy(file),
  };
}

/** A key read during or after an interrupted erasure is zeros, known to everyone: not a key. */
const isKey = ({ bytes }: KeyGeneration): boolean => bytes.some((byte) => byte !== 0);

const inOrder = (generations: KeyGeneration[]) =>
  generations.filter(isKey).sort((a, b) => ageOf(a) - ageOf(b));

const ageOf = ({ madeAt }: KeyGeneration): number => madeAt?.getTime() ?? 0;

/** 2026-11-21T19:45:00.123Z as 20261121t194500123z: valid in file names everywhere. */
const stampOf = (at: Date): string => at.toISOString().replace(/[-:.]/g, "").toLowerCase();

function momentOf(stamp: string): Date {
  const [, day = "", time = "", ms = ""] = /^(\d{8})t(\d{6})(\d{3})z$/.exec(stamp) ?? [];
  const date = day.replace(/^(....)(..)(..)$/, "$1-$2-$3");
  return new Date(`${date}T${time.replace(/^(..)(..)(..)$/, "$1:$2:$3")}.${ms}Z`);
}
