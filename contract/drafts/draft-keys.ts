import * as z from "zod/mini";
import { mostLinkedDrafts } from "../../domain/saved-draft/vocabulary.ts";

/** 256 random bits in base64url, made by the browser. The server keeps their SHA-256 alone once the mail has left. */
export const draftKey = z.string("Key is required").check(z.regex(/^[\w-]{43}$/, "Use the complete link"));

/** Those that the tab saved or opened last. Keys that open nothing are passed over. */
export const draftKeys = z
  .array(draftKey, "Use a list of keys")
  .check(z.maxLength(mostLinkedDrafts, `Use ${mostLinkedDrafts} keys or fewer`));
