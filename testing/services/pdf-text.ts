import { inflateSync } from "node:zlib";

/** The text of a PDF of ours: its fonts' glyphs, mapped back as their tables say. */
export function textIn(pdf: Buffer): string {
  const streams = [...pdf.toString("latin1").matchAll(/stream\n([\s\S]*?)\nendstream/g)].map(
    ([, body = ""]) => {
      try {
        return inflateSync(Buffer.from(body, "latin1")).toString("latin1");
      } catch {
        return ""; // Metadata is not compressed, and no text of the page.
      }
    },
  );
  const glyphs = streams.filter((text) => text.includes("beginbfrange")).map(glyphsOf);
  const shown = streams.filter((text) => text.includes("TJ"));
  // Each font numbers its glyphs by itself: a text is looked for as each of them would read it.
  return glyphs.flatMap((table) => shown.map((text) => readBy(table, text))).join("\n");
}

function glyphsOf(table: string): Map<string, string> {
  const [, list = ""] = /beginbfrange\n<0000> <[0-9a-f]+> \[([\s\S]*?)\]/.exec(table) ?? [];
  return new Map(
    [...list.matchAll(/<([0-9a-f ]*)>/g)].map(([, codes = ""], index) => [
      index.toString(16).padStart(4, "0"),
      String.fromCharCode(...codes.split(" ").map((code) => Number.parseInt(code, 16))),
    ]),
  );
}

const readBy = (table: Map<string, string>, text: string): string =>
  [...text.matchAll(/<([0-9a-f]+)>/g)]
    .map(([, hex = ""]) => (hex.match(/.{4}/g) ?? []).map((glyph) => table.get(glyph) ?? "").join(""))
    .join("");
