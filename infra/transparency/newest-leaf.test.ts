import { expect, it } from "vitest";
import { signerNamed } from "../../testing/infra/transparency-fixture.ts";
import { parseCheckpoint } from "./formats/checkpoint.ts";
import { formatNote, NoteRefused, signNote } from "./formats/signed-note.ts";
import { signatureTypes } from "./formats/verifier-key.ts";
import { formatNewestLeaf, openNewestLeaf, parseNewestLeaf } from "./newest-leaf.ts";

const origin = "certificates.example/transparency";
const leaf = {
  ...{ origin, logId: "a log", size: 300, position: "0000000000000300", eventId: "an event" },
  at: "2026-11-21T09:30:00.000Z",
};
const text = formatNewestLeaf(leaf);

async function signedBy(name: string) {
  const signer = await signerNamed(name, signatureTypes.log);
  return { key: signer.key, note: formatNote({ text, signatures: [await signNote(text, signer)] }) };
}

it("is read as it was signed, and never taken for a checkpoint", async () => {
  const { key, note } = await signedBy(origin);
  expect(await openNewestLeaf(note, async () => [key])).toEqual(leaf);
  expect(() => parseCheckpoint(text)).toThrow(NoteRefused);
});

it("is refused when it was changed, or another key or log signed it", async () => {
  const { key, note } = await signedBy(origin);
  const opened = (changed: string, by = key) => openNewestLeaf(changed, async () => [by]);
  await expect(opened(note.replace("size 300", "size 200"))).rejects.toThrow("is wrong");
  await expect(opened(note, (await signedBy(origin)).key)).rejects.toThrow("did not sign");
  const other = await signedBy("other.example/transparency");
  await expect(opened(other.note, other.key)).rejects.toThrow("did not sign");
});

it.each([
  ["another version", text.replace("@v1", "@v2")],
  ["a missing line", text.replace("log a log\n", "")],
  ["lines in another order", text.replace(/(log .*\n)(size .*\n)/, "$2$1")],
  ["a further line", `${text}more\n`],
  ["no last line feed", text.slice(0, -1)],
  ["a size of nothing", text.replace("size 300", "size 0")],
  ["a size that is no number", text.replace("size 300", "size many")],
  ["a time that is none", text.replace(leaf.at, "today")],
])("is refused with %s", (_, changed) => {
  expect(changed).not.toBe(text);
  expect(() => parseNewestLeaf(changed)).toThrow(NoteRefused);
});
