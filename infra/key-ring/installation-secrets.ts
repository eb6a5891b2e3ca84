import { createHash, generateKeyPair, randomBytes } from "node:crypto";
import { promisify } from "node:util";
import type { Config } from "../config/config.ts";
import type { Pool } from "../postgres/pool.ts";
import { OperatorError } from "../process/operator-error.ts";
import { agreedFiles, privateFolder } from "./durable-files.ts";

/** PEM texts: PKCS #8 and SPKI. */
export type RsaKeyPair = { privateKeyPem: string; publicKeyPem: string };

/** Secrets of an installation, created on first use and kept beside the key ring. Names are kebab-case. */
export type InstallationSecrets = {
  /** 32 random bytes. */
  secret(name: string): Promise<Buffer>;
  /** Reads an existing secret; undefined otherwise. */
  existing(name: string): Promise<Buffer | undefined>;
  /** RSA, 2048 bits. */
  rsaKeyPair(name: string): Promise<RsaKeyPair>;
};

const makeKeyPair = promisify(generateKeyPair);

/** Files in `installation/` of KEY_DIR, and of KEY_MIRROR_DIR if given. Concurrent starts agree on them. */
export function installationSecrets(keyDir: string, mirrorDir?: string): InstallationSecrets {
  const files = agreedFiles(keyDir, mirrorDir);
  return {
    secret: async (name) => files.keep(`${kebab(name)}.secret`, async () => randomBytes(32)),
    existing: async (name) => files.existing(`${kebab(name)}.secret`),
    rsaKeyPair: async (name) => readKeyPair(await files.keep(`${kebab(name)}.pem`, makePem)),
  };
}

function kebab(name: string): string {
  if (!/^[a-z0-9-]+$/.test(name)) throw new Error(`The name of a secret must be kebab-case, not ${name}.`);
  return name;
}

/** A new key pair in its file format. */
export async function makePem(): Promise<Buffer> {
  const { privateKey, publicKey } = await makeKeyPair("rsa", {
    modulusLength: 2048,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
  });
  return Buffer.from(privateKey + publicKey);
}

/** Splits a key file into its two PEM texts. */
export function readKeyPair(file: Buffer): RsaKeyPair {
  const text = file.toString("utf8");
  const end = text.indexOf("-----BEGIN PUBLIC KEY-----");
  return { privateKeyPem: text.slice(0, end), publicKeyPem: text.slice(end) };
}

const secretName = "key-folder";

/**
 * The mark of the folder a database is bound to, null for a new one, and that of the given folder, undefined when
 * empty.
 */
export async function bondOf(
  pool: Pick<Pool, "query">,
  secrets: Pick<InstallationSecrets, "existing">,
): Promise<{ readonly bound: string | null; readonly given: string | undefined }> {
  // In this order: another first start makes the keys before the database names them.
  const bound = await boundFolder(pool);
  const found = await secrets.existing(secretName);
  return { bound, given: found && markOf(found) };
}

/** Whether the database is bound to the keys in this folder, KEY_DIR or its mirror: each has the mark. */
export async function isBound(pool: Pool, folder: string): Promise<boolean> {
  const bound = await boundFolder(pool);
  return bound !== null && holdsMark(folder, bound);
}

async function holdsMark(folder: string, mark: string): Promise<boolean> {
  const found = await installationSecrets(folder).existing(secretName);
  return found !== undefined && markOf(found) === mark;
}

async function boundFolder(pool: Pick<Pool, "query">): Promise<string | null> {
  const { rows } = await pool.query<{ key_folder: string | null }>("select key_folder from installation");
  return rows[0]?.key_folder ?? null;
}

const markOf = (secret: Buffer) => createHash("sha256").update("key folder\0").update(secret).digest("hex");
const shortOf = (mark: string) => mark.slice(0, 8);

/** The error for an unsuitable folder, and the remedy. */
export function mismatch(directory: string, bound: string, given: string | undefined): OperatorError {
  const state =
    given === undefined ? "holds no keys" : `is the key folder of another database (${shortOf(given)})`;
  return new OperatorError(
    `KEY_DIR (${directory}) ${state}, but the personal data in this database is sealed with the keys of folder ${shortOf(bound)}: mount its disk, or set KEY_DIR to it (or DATA_DIR or DATABASE_URL to the database that belongs here). Nothing was changed. Only if those keys are permanently lost, start once with ACCEPT_NEW_KEYS=${shortOf(bound)}: orders stay, but personal data sealed before can never be read again.`,
  );
}

/**
 * The secrets of the configured key folder. The first start with an empty database binds them to each other, later ones
 * compare. Call it before anything is created in the folder.
 * @throws OperatorError when the folder is empty (an unmounted disk), or it or its mirror belongs to another database
 */
export async function openBoundSecrets(
  config: Pick<Config, "KEY_DIR" | "KEY_MIRROR_DIR" | "ACCEPT_NEW_KEYS">,
  pool: Pick<Pool, "query">,
  log: { readonly warn: (words: string) => void },
): Promise<InstallationSecrets> {
  const { KEY_DIR, KEY_MIRROR_DIR, ACCEPT_NEW_KEYS } = config;
  const secrets = installationSecrets(KEY_DIR, KEY_MIRROR_DIR);
  const { bound, given } = await bondOf(pool, secrets);
  if (bound !== null && bound !== given && shortOf(bound) !== ACCEPT_NEW_KEYS)
    throw mismatch(KEY_DIR, bound, given);
  if (bound === null && given !== undefined)
    log.warn("the key folder has keys but the database is new: check that they belong together");
  if (bound === given && bound !== null && !(await holdsMark(KEY_DIR, bound)))
    log.warn(
      `KEY_DIR (${KEY_DIR}) is empty, and its keys are read from the mirror: stop, and mount its disk. If that is lost, copy the mirror to KEY_DIR before you start`,
    );
  await privateFolder(KEY_DIR);
  // Refuses another installation's mirror too, before keys are copied there.
  const mark = markOf(await secrets.secret(secretName));
  await agreedFiles(KEY_DIR, KEY_MIRROR_DIR).fill();
  if (mark === bound) return secrets;
  await pool.query("update installation set key_folder = $1 where key_folder is not distinct from $2", [
    mark,
    bound,
  ]);
  // Two concurrent first starts with different folders: the second must fail.
  const settled = await boundFolder(pool);
  if (settled !== mark) throw mismatch(KEY_DIR, settled ?? "", mark);
  return secrets;
}
