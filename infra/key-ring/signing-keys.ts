import { randomBytes } from "node:crypto";
import type { AgreedFiles } from "./agreed-files.ts";
import { type KeyGeneration, type KeyGenerations, keyGenerations } from "./key-generations.ts";

/** Current keys of one name. */
export type SigningKeys = {
  /** The signing key, 32 bytes. */
  current(): Buffer;
  /** All keys whose signatures are accepted, newest first. */
  accepted(): readonly Buffer[];
};

/** A new key is accepted at once and signs later, when every process has read it. */
export const signsAfterMs = 60_000;
export const readAgainMs = 10_000;
const dayMs = 86_400_000;

/** The key files of one name. */
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
  let known = await generations.open();
  const timer = setInterval(() => {
    generations.read().then((read) => {
      // None: the folder is unreachable or being replaced.
      if (read.length > 0) known = read;
    }, options.onTrouble);
  }, readAgainMs).unref();
  return {
    current: () => signerAmong(known, now()).bytes,
    accepted: () => countingAmong(known, countDays, now()).map(({ bytes }) => bytes),
    [Symbol.dispose]: () => clearInterval(timer),
  };
}

/** The newest key known to every process; after a revocation that left only new ones, the oldest of them. */
function signerAmong(generations: readonly KeyGeneration[], now: Date): KeyGeneration {
  const [oldest] = generations;
  if (!oldest) throw new Error("A name has at least one key.");
  const isKnown = ({ madeAt }: KeyGeneration) =>
    madeAt === null || now.getTime() - madeAt.getTime() >= signsAfterMs;
  return generations.findLast(isKnown) ?? oldest;
}

/** Keys whose signatures are still accepted, newest first. */
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
