import { expect, test } from "vitest";
import { type Scanner, ScannerUnavailable } from "../providers/clamd/scanner.ts";
import { filesIn } from "./attached-files.ts";

const sent = (...files: readonly (readonly [name: string, bytes: string])[]) => ({
  attachments: files.map(([name, bytes]) => ({ name, content: Buffer.from(bytes).toString("base64") })),
});

/** Finds one word, as a scanner finds its test file. */
const finding: Scanner = {
  scan: async (bytes) => (Buffer.from(bytes).includes("EICAR") ? "infected" : "clean"),
};

test("Files are what their content shows, whatever they are called", async () => {
  const files = await filesIn({ scanner: undefined }, sent(["page.html", "<p>Hi"], ["a/b.pdf", "%PDF-1.7"]));
  expect(files.map(({ name, type }) => [name, type])).toEqual([
    ["page.html.txt", "text"],
    ["a b.pdf", "pdf"],
  ]);
});

test("A file in which the scanner finds a virus is refused by name (control: others are taken)", async () => {
  expect(await filesIn({ scanner: finding }, sent(["a.txt", "Helo"]))).toHaveLength(1);
  await expect(
    filesIn({ scanner: finding }, sent(["a.txt", "Helo"], ["b.txt", "EICAR"])),
  ).rejects.toMatchObject({
    status: 422,
    members: { errors: { attachments: "b.txt contains a virus. Remove it, then send your message again" } },
  });
});

test("No file is taken while the scanner does not answer", async () => {
  const away: Scanner = { scan: () => Promise.reject(new ScannerUnavailable()) };
  await expect(filesIn({ scanner: away }, sent(["a.txt", "Helo"]))).rejects.toMatchObject({ status: 503 });
  expect(await filesIn({ scanner: away }, {})).toEqual([]);
});
