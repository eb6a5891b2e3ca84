import { generateKeyPair, randomBytes } from "node:crypto";
import { link, readFile, stat, unlink } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { hasCode, privateFolder, syncFolder, writeNewFile } from "./durable-file.ts";
import { KeyFoldersDisagree, MirrorUnreachable } from "./key-ring.ts";

/** PEM texts: PKCS #8 and SPKI. */
export type RsaKeyPair = { privateKeyPem: string; publicKeyPem: string };

/** Secrets made once for an installation, on first use, and kept beside the key ring. Names are kebab-case. */
export type InstallationSecrets = {
  /** 32 random bytes. */
  secret(name: string): Promise<Buffer>;
  /** The same, but only where it was made before. */
  existing(name: string): Promise<Buffer | undefined>;
  /** RSA, 2048 bits. */
  rsaKeyPair(name: string): Promise<RsaKeyPair>;
};

const makeKeyPair = promisify(generateKeyPair);

/** Files in `installation/` of KEY_DIR, and of KEY_MIRROR_DIR when that is given. Processes that start at once agree. */
export function installationSecrets(keyDir: string, mirrorDir?: string): InstallationSecrets {
  const primary = join(keyDir, "installation");
  const mirror =
    mirrorDir === undefined ? undefined : { root: mirrorDir, folder: join(mirrorDir, "installation") };
  const keep = async (name: string, extension: string, make: () => Promise<Buffer>): Promise<Buffer> => {
    if (!/^[a-z0-9-]+$/.test(name)) throw new Error(`A secret's name is kebab-case; ${name} is not.`);
    const file = `${name}.${extension}`;
    const copy = mirror ? await readIfThere(join(mirror.folder, file)) : undefined;
    const kept = await agree(primary, file, async () => copy ?? (await make()));
    if (mirror) await copyToMirror(mirror, file, kept);
    return kept;
  };
  return {
    secret: (name) => keep(name, "secret", async () => randomBytes(32)),
    existing: async (name) =>
      (await readIfThere(join(primary, `${name}.secret`))) ??
      (mirror && (await readIfThere(join(mirror.folder, `${name}.secret`)))),
    rsaKeyPair: async (name) => {
      const kept = await keep(name, "pem", makePem);
      const text = kept.toString("utf8");
      const end = text.indexOf("-----BEGIN PUBLIC KEY-----");
      return { privateKeyPem: text.slice(0, end), publicKeyPem: text.slice(end) };
    },
  };
}

async function makePem(): Promise<Buffer> {
  const { privateKey, publicKey } = await makeKeyPair("rsa", {
    modulusLength: 2048,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
  });
  return Buffer.from(privateKey + publicKey);
}

/**
 * Reads a file, or makes it: written and synced under another name, then linked to its own, which only the first process
 * can do. Nobody ever sees half of it, and everybody sees the same.
 */
async function agree(folder: string, file: string, make: () => Promise<Buffer>): Promise<Buffer> {
  const path = join(folder, file);
  const there = await readIfThere(path);
  if (there) return there;
  await privateFolder(folder);
  const draft = join(folder, `${file}.${randomBytes(8).toString("hex")}.draft`);
  await writeNewFile(draft, await make());
  try {
    await link(draft, path);
  } catch (error) {
    if (!hasCode(error, "EEXIST")) throw error;
  } finally {
    await unlink(draft);
  }
  await syncFolder(folder);
  return readFile(path);
}

async function copyToMirror(
  mirror: { root: string; folder: string },
  file: string,
  kept: Buffer,
): Promise<void> {
  const found = await stat(mirror.root).catch(() => undefined);
  if (!found?.isDirectory()) {
    throw new MirrorUnreachable(
      `KEY_MIRROR_DIR (${mirror.root}) is not there: mount its disk, or make an empty folder there for the keys to be copied to.`,
    );
  }
  const copy = await agree(mirror.folder, file, async () => kept);
  if (!copy.equals(kept)) {
    throw new KeyFoldersDisagree(
      `${file} in ${mirror.folder} is another installation's: set KEY_MIRROR_DIR to the mirror of this KEY_DIR, or to an empty folder.`,
    );
  }
}

async function readIfThere(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path);
  } catch (error) {
    if (hasCode(error, "ENOENT")) return undefined;
    throw error;
  }
}
