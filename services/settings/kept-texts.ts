import { hash } from "node:crypto";
import canonicalize from "canonicalize";

/** Texts of settings, each under the SHA-256 of its canonical JSON. Append-only. */
export type SettingsTexts = {
  /** Stores a value and returns its digest. Idempotent. */
  keep(value: unknown): Promise<string>;
  /** @throws TextMissing, TextChanged */
  read(digest: string): Promise<unknown>;
};

/** A change of settings names a missing text. */
class TextMissing extends Error {
  override name = "TextMissing";
}

/** A text does not match its digest. */
class TextChanged extends Error {
  override name = "TextChanged";
}

/** A value's canonical JSON, and its digest. */
function sealed(value: unknown): { digest: string; content: string } {
  const content = canonicalize(value);
  if (content === undefined) throw new TypeError("A text of settings is always JSON.");
  return { digest: digestOf(content), content };
}

const digestOf = (content: string): string => hash("sha256", content, "hex");

function opened(digest: string, content: string | undefined): unknown {
  if (content === undefined) throw new TextMissing(`There is no text of settings under ${digest}.`);
  if (digestOf(content) !== digest)
    throw new TextChanged(`The text of settings under ${digest} was changed.`);
  return JSON.parse(content);
}

/** Where texts are kept, by digest. Adding one again changes nothing. */
type TextStore = {
  add(digest: string, content: string): Promise<unknown>;
  find(digest: string): Promise<string | undefined>;
};

/** The texts in a store, each checked against its digest. */
export const textsIn = (store: TextStore): SettingsTexts => ({
  keep: async (value) => {
    const { digest, content } = sealed(value);
    await store.add(digest, content);
    return digest;
  },
  read: async (digest) => opened(digest, await store.find(digest)),
});
