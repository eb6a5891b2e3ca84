import type { Presented } from "../../contract/request.ts";
import { type attachmentShown, attachmentTypes } from "../../contract/tickets/conversation.ts";
import { invalidFields, notFound, Problem } from "../gateway/errors/problem.ts";
import type { HandlerDependencies } from "../gateway/parts.ts";
import { type Scanner, ScannerUnavailable } from "../providers/clamd/scanner.ts";
import { attachmentName, attachmentTypeOf } from "../providers/mail-in/attachment-type.ts";
import type { OpenedFile, OpenedMessage } from "./tickets.ts";
import type { AttachedFile } from "./write-in-ticket.ts";

type Sent = {
  readonly attachments?: readonly { readonly name: string; readonly content: string }[] | undefined;
};

/**
 * The files of a request, each of the type that its content shows, and scanned where there is a scanner.
 * @throws Problem 422 for a file of another type or with a virus; 503 while they cannot be scanned
 */
export async function filesIn(
  { scanner }: Pick<HandlerDependencies, "scanner">,
  { attachments = [] }: Sent,
): Promise<AttachedFile[]> {
  const files = attachments.map(({ name, content }) => {
    const bytes = Buffer.from(content, "base64");
    const type = attachmentTypeOf(bytes);
    if (type === undefined)
      throw invalidFields({
        attachments: `${name} is not an image, a PDF or plain text. Remove it, or choose another file`,
      });
    return { name: attachmentName(name, type), type, bytes };
  });
  for (const { name, bytes } of files) {
    if ((await scanned(scanner, bytes)) === "infected")
      throw invalidFields({
        attachments: `${name} contains a virus. Remove it, then send your message again`,
      });
  }
  return files;
}

async function scanned(scanner: Scanner | undefined, bytes: Uint8Array): Promise<"clean" | "infected"> {
  try {
    return (await scanner?.scan(bytes)) ?? "clean";
  } catch (error) {
    if (!(error instanceof ScannerUnavailable)) throw error;
    throw new Problem("unavailable", "We cannot take files at the moment: please try again.", {
      headers: { "Retry-After": "30" },
      cause: error,
    });
  }
}

export const presentFiles = (files: OpenedMessage["files"]): Presented<typeof attachmentShown>[] =>
  files.map(({ name, type, bytes }) => ({ name, type, bytes }));

/** A file to download. @throws Problem 404 where there is none any more */
export function attachedFile(file: OpenedFile | undefined) {
  if (!file) throw notFound();
  return { name: file.name, type: attachmentTypes[file.type], bytes: Buffer.from(file.bytes) };
}
