import type { AttachmentType } from "../../../domain/ticket/vocabulary.ts";

const heicBrands = new Set(["heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "msf1"]);

/** The type that a file's content shows; its name and declared type prove nothing. Undefined for any other. */
export function attachmentTypeOf(bytes: Uint8Array): AttachmentType | undefined {
  const from = (start: number, end: number) => Buffer.from(bytes.subarray(start, end)).toString("latin1");
  if (from(0, 8) === "\x89PNG\r\n\x1a\n") return "png";
  if (from(0, 3) === "\xff\xd8\xff") return "jpeg";
  if (/^GIF8[79]a$/.test(from(0, 6))) return "gif";
  if (from(0, 4) === "RIFF" && from(8, 12) === "WEBP") return "webp";
  if (from(4, 8) === "ftyp" && heicBrands.has(from(8, 12))) return "heic";
  if (from(0, 5) === "%PDF-") return "pdf";
  return isText(bytes) ? "text" : undefined;
}

/** Text has no control characters but tabs and line ends; as in every encoding that extends ASCII. */
const isText = (bytes: Uint8Array): boolean =>
  bytes.every(
    (byte) => (byte >= 0x20 && byte !== 0x7f) || byte === 9 || byte === 10 || byte === 12 || byte === 13,
  );

const endings: Record<AttachmentType, RegExp> = {
  png: /\.png$/i,
  jpeg: /\.(jpe?g|jfif)$/i,
  gif: /\.gif$/i,
  webp: /\.webp$/i,
  heic: /\.hei[cf]$/i,
  pdf: /\.pdf$/i,
  text: /\.txt$/i,
};

/** A file name without a path or invisible characters, that ends as its content does: `page.html` is `page.html.txt`. */
export function attachmentName(given: string | null, type: AttachmentType): string {
  const name = (given ?? "")
    .normalize("NFC")
    .replace(/[\p{C}/\\:*?"<>|]+/gu, " ")
    .replace(/\s+/g, " ")
    .replace(/^[\s.]+/, "")
    .slice(-100)
    .trim();
  const ending = type === "text" ? "txt" : type === "jpeg" ? "jpg" : type;
  if (name === "") return `attachment.${ending}`;
  return endings[type].test(name) ? name : `${name}.${ending}`;
}
