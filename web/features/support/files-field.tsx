import { useEffect, useRef } from "react";
import * as z from "zod/mini";
import { attachmentTypes } from "../../../contract/tickets/conversation.ts";
import { mostAttachmentBytes, mostAttachments } from "../../../domain/ticket/message-parts.ts";
import { describedBy, FieldFrame } from "../../ui/fields/field.tsx";
import { sizeWords } from "../../ui/file-size.ts";
import { UnusableAnswer } from "./support-form.tsx";

/** Chosen files, checked before they are read. The server tells by their content what they are. */
export const chosenFiles = z.array(z.custom<File>((file) => file instanceof File)).check(
  z.maxLength(mostAttachments, `Attach ${mostAttachments} files or fewer`),
  z.refine(
    (files) => totalBytes(files) <= mostAttachmentBytes,
    "The files are larger than 10 MB in total. Remove some, or make them smaller",
  ),
);

const totalBytes = (files: readonly File[]): number => files.reduce((sum, { size }) => sum + size, 0);

/** The files as a request carries them; nothing without files. @throws UnusableAnswer if one cannot be read */
export const withFiles = async (files: readonly File[]) =>
  files.length === 0
    ? {}
    : {
        attachments: await Promise.all(
          files.map(async (file) => ({ name: file.name, content: await base64Of(file) })),
        ),
      };

const base64Of = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener("load", () => {
      const url = String(reader.result);
      resolve(url.slice(url.indexOf(",") + 1));
    });
    // As when it was moved or changed since it was chosen.
    const message = `${file.name} cannot be read. Remove it, or remove it and choose it again`;
    reader.addEventListener("error", () => reject(new UnusableAnswer("attachments", message)));
    reader.readAsDataURL(file);
  });

/** What distinguishes chosen files, for the request's idempotency key. */
export const identityOf = (files: readonly File[]) =>
  files.map(({ name, size, lastModified }) => [name, size, lastModified]);

interface FilesFieldProps {
  readonly id: string;
  readonly value: readonly File[];
  readonly error: string | undefined;
  readonly onChange: (files: File[]) => void;
}

/** Files to attach: chosen in one go or several, each with a button that removes it. */
export function FilesField({ id, value: files, error, onChange }: FilesFieldProps) {
  const box = useRef<HTMLInputElement>(null);
  const words = {
    id,
    label: "Files (optional)",
    hint: `Images, PDF or plain text: up to ${mostAttachments} files, ${sizeWords(mostAttachmentBytes)} in total.`,
    error,
  };
  const add = (chosen: FileList | null): void => onChange([...files, ...(chosen ?? [])]);
  /** The browser tells of a change, and of the same file chosen again, only after its own choice is forgotten. */
  const forget = (): void => {
    if (box.current) box.current.value = "";
  };
  const remove = (place: number): void => {
    onChange(files.filter((_, at) => at !== place));
    forget();
    box.current?.focus();
  };
  useEffect(() => {
    if (files.length === 0 && box.current) box.current.value = "";
  }, [files.length]);
  return (
    <FieldFrame words={words}>
      <input
        ref={box}
        id={id}
        type="file"
        multiple
        accept={Object.values(attachmentTypes).join()}
        className="field-box"
        aria-invalid={error ? true : undefined}
        aria-describedby={describedBy(words)}
        onChange={({ target }) => add(target.files)}
      />
      <p role="status" className="sr-only">
        {files.length > 0 && `${filesInWords(files.length)} chosen, ${sizeWords(totalBytes(files))} in total`}
      </p>
      {files.length > 0 && (
        <ul aria-label="Chosen files" className="mt-2 space-y-1">
          {files.map((file, place) => (
            // The same file may be chosen twice.
            // biome-ignore lint/suspicious/noArrayIndexKey: the list changes only by what is added or removed.
            <li key={place} className="flex flex-wrap items-center gap-x-3">
              <span translate="no" className="min-w-0 wrap-anywhere">
                {file.name}
              </span>
              <span className="text-14 text-muted">{sizeWords(file.size)}</span>
              <button type="button" className="link min-h-11 cursor-pointer" onClick={() => remove(place)}>
                Remove <span className="sr-only">{file.name}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </FieldFrame>
  );
}

export const filesInWords = (count: number): string => `${count} ${count === 1 ? "file" : "files"}`;

/** How much of a request with files has been sent; nothing while none is. */
export function SendingFiles({ files, share }: { files: readonly File[]; share: number | null }) {
  if (share === null || files.length === 0) return null;
  return (
    <p className="mt-4 flex flex-wrap items-center gap-x-3 gap-y-1 text-14 text-muted">
      <progress value={share} max={1} aria-label={`Sending ${filesInWords(files.length)}`} />
      <span>
        Sending {filesInWords(files.length)}: {Math.round(share * 100)}%
      </span>
    </p>
  );
}
