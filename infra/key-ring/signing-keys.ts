import { randomBytes } from "node:crypto";
import type { AgreedFiles } from "./agreed-files.ts";
import { type KeyGeneration, type KeyGenerations, keyGenerations } from "./key-generations.ts";

/** One name's keys, as they stand. */
export type SigningKeys = {
  /** What signs now. 32 bytes. */
  current(): Buffer;
  /** Everything whose signatures count, the newest first. */
  accepted(): readonly Buffer[];
};

/** A new key counts at once and signs a while later: by then every process has read it. */
export const signsAfterMs = 60_000;
export const readAgainMs = 10_000;
const dayMs = 86_400_000;

/** The files of one name's keys. */
export const signingKeyFiles = (files: AgreedFiles, name: string): KeyGenerations =>
  keyGenerations(files, { name, extension: "secret", make: async () => randomBytes(32) });

/**
 * Opens the keys of a name, and looks again every ten seconds whether they were rotated.
 * @param options.onTrouble hears that the folder could not be read again; what was known goes on
 */
export async function openSigningKeys(options: {
  files: AgreedFiles;
  name: string;
  /** So long what a key signed still counts once a newer one was made. */
  countDays: number;
  now: () => Date;
  onTrouble: (error: unknown) => void;
}): Promise<SigningKeys & Disposable> {
  const { countDays, now } = options;
  const generations = signingKeyFiles(options.files, options.name);
  let known = await generations.open();
  const timer = setInterval(() => {
    generations.read().then((read) => {
      // None: the folder is away, or is being put in another's place.
      if (read.length > 0) known = read;
    }, options.onTrouble);
  }, readAgainMs).unref();
  return {
    current: () => signerAmong(known, now()).bytes,
    accepted: () => countingAmong(known, countDays, now()).map(({ bytes }) => bytes),
    [Symbol.dispose]: () => clearInterval(timer),
  };
}

/** The newest that everybody knows; where a revocation left only new ones, the oldest of them. */
function signerAmong(generations: readonly KeyGeneration[], now: Date): KeyGeneration {
  const [oldest] = generations;
  if (!oldest) throw new Error("A name has at least one key.");
  const isKnown = ({ madeAt }: KeyGeneration) =>
    madeAt === null || now.getTime() - madeAt.getTime() >= signsAfterMs;
  return generations.findLast(isKnown) ?? oldest;
}

/** Those whose signatures still count, newest first. */
export function countingAmong(
  generations: readonly KeyGeneration[],
  countDays: number,
  now: Date,
): readonly KeyGeneration[] {
  return generations
    .filter((_, at) => {
      const replacedAt = generations[at + 1]?.madeAt;
      return !replacedAt || now.getTime() - replacedAt.getTime() < countDays * dayMs;
    })
    .toReversed();
}
