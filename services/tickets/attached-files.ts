import type { Presented } from "../../contract/request.ts";
import { type attachmentShown, attachmentTypes } from "../../contract/tickets/conversation.ts";
import { invalidFields, notFound } from "../gateway/errors/problem.ts";
import { attachmentName, attachmentTypeOf } from "../providers/mail-in/attachment-type.ts";
import type { OpenedFile, OpenedMessage } from "./tickets.ts";
import type { AttachedFile } from "./write-in-ticket.ts";

/** The files of a request, each of the type that its content shows. @throws Problem 422 for a file of another type */
export const filesIn = ({
  attachments = [],
}: {
  readonly attachments?: readonly { readonly name: string; readonly content: string }[] | undefined;
}): AttachedFile[] =>
  attachments.map(({ name, content }) => {
    const bytes = Buffer.from(content, "base64");
    const type = attachmentTypeOf(bytes);
    if (type === undefined)
      throw invalidFields({ attachments: `${name} is not an image, a PDF or plain text` });
    return { name: attachmentName(name, type), type, bytes };
  });

export const presentFiles = (files: OpenedMessage["files"]): Presented<typeof attachmentShown>[] =>
  files.map(({ name, type, bytes }) => ({ name, type, bytes }));

/** A file to download. @throws Problem 404 where there is none any more */
export function attachedFile(file: OpenedFile | undefined) {
  if (!file) throw notFound();
  return { name: file.name, type: attachmentTypes[file.type], bytes: Buffer.from(file.bytes) };
}
