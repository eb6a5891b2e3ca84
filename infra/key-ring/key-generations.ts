import type { AgreedFiles } from "./agreed-files.ts";

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
