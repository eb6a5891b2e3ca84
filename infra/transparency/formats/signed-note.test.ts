import { describe, expect, it } from "vitest";
import { inventedLeaves, signerNamed, tilesOf } from "../../../testing/infra/transparency-fixture.ts";
import { leafHash } from "../tree-hashes.ts";
import { proveInclusion, rootAt } from "../tree-proofs.ts";
import { base64Of, bytesOf, textOf } from "./bytes.ts";
import { formatCheckpoint, openCheckpoint, parseCheckpoint } from "./checkpoint.ts";
import { formatProofFile, parseProofFile, verifyProofFile } from "./proof-file.ts";
import {
  cosign,
  formatNote,
  NoteRefused,
  type NoteSigner,
  parseNote,
  signNote,
  verifyNote,
} from "./signed-note.ts";
import { formatVerifierKey, parseVerifierKey, signatureTypes, verifierKey } from "./verifier-key.ts";

const origin = "certificates.example/transparency";
const log = await signerNamed(origin, signatureTypes.log);
const witness = await signerNamed("witness.example/w1", signatureTypes.witness);
const stranger = await signerNamed("stranger.example", signatureTypes.log);
const text = formatCheckpoint({ origin, size: 7, root: leafHash("root") });

const signedBy = async (...signers: readonly NoteSigner[]) =>
  formatNote({ text, signatures: await Promise.all(signers.map((signer) => signNote(text, signer))) });

describe("verifier keys", () => {
  it("are written as Go's checksum database writes its own", async () => {
    // The key of sum.golang.org, as `go` has it built in.
    const published = "sum.golang.org+033de0ae+Ac4zctda0e5eza+HJyk9SxEdh+s3Ux18htTTAD8OuAn8";
    const key = await parseVerifierKey(published);
    expect(key).toMatchObject({ name: "sum.golang.org", type: 1, id: "033de0ae" });
    expect(key && formatVerifierKey(key)).toBe(published);
  });

  it("are refused when they are not what their id says", async () => {
    const good = formatVerifierKey(log.key);
    expect(await parseVerifierKey(good)).toEqual(log.key);
    for (const bad of [
      "",
      "a+b+c",
      good.replace(origin, "other.example"),
      good.slice(0, -4),
      `${good}=`,
      `x ${good}`,
    ])
      expect(await parseVerifierKey(bad)).toBeUndefined();
    await expect(verifierKey("a b", 1, log.key.publicKey)).rejects.toThrow("no spaces");
    await expect(verifierKey("a", 1, new Uint8Array(31))).rejects.toThrow("32 bytes");
  });
});

describe("a signed note", () => {
  it("is three parts: the text, an empty line, signatures", async () => {
    const note = await signedBy(log);
    expect(note.split("\n")).toEqual([
      ...[origin, "7", base64Of(leafHash("root")), ""],
      expect.stringMatching(/^\u2014 certificates\.example\/transparency [A-Za-z0-9+/]{90,}=*$/),
      "",
    ]);
    expect(formatNote(parseNote(note))).toBe(note);
  });

  it("names the known keys that signed it, and ignores others", async () => {
    const note = parseNote(await signedBy(stranger, log, log));
    expect(await verifyNote(note, [log.key, witness.key])).toEqual([{ key: log.key, time: null }]);
    expect(await verifyNote(note, [])).toEqual([]);
  });

  it("is refused when a known key did not sign this text", async () => {
    const note = parseNote(await signedBy(log, stranger));
    const changed = { ...note, text: note.text.replace("\n7\n", "\n8\n") };
    await expect(verifyNote(changed, [log.key])).rejects.toThrow(NoteRefused);
    await expect(verifyNote(changed, [stranger.key])).rejects.toThrow("stranger.example is wrong");
  });

  it("verifies the cosignature of a witness with its time", async () => {
    const cosignature = await cosign(text, 1_795_000_000, witness);
    const note = formatNote({ text, signatures: [await signNote(text, log), cosignature] });
    const { checkpoint, witnesses } = await openCheckpoint(note, [log.key], [witness.key]);
    expect(checkpoint).toEqual({ origin, size: 7, root: leafHash("root") });
    expect(witnesses).toEqual([{ key: witness.key, time: 1_795_000_000 }]);
    const later = cosignature.signature.with(7, (cosignature.signature[7] ?? 0) ^ 1);
    const forged = formatNote({ text, signatures: [{ ...cosignature, signature: later }] });
    await expect(verifyNote(parseNote(forged), [witness.key])).rejects.toThrow("is wrong");
  });

  it.each([
    ["no signature", "a\n"],
    ["an unfinished line", "a\n\n\u2014 b AAAAAAAA"],
    ["no text", "\n\n\u2014 b AAAAAAAA\n"],
    ["control characters", "a\u0007\n\n\u2014 b AAAAAAAA\n"],
    ["a hyphen for the dash", "a\n\n- b AAAAAAAA\n"],
    ["a signature that is only an id", "a\n\n\u2014 b AAAAAA==\n"],
    ["base64 in another form", "a\n\n\u2014 b AAAAAAB=\n"],
    ["a plus in the name", "a\n\n\u2014 b+c AAAAAAAA\n"],
    ["too many signatures", `a\n\n${"\u2014 b AAAAAAAA\n".repeat(101)}`],
    ["too much text", `${"a".repeat(70_000)}\n\n\u2014 b AAAAAAAA\n`],
  ])("is refused with %s", (_, note) => expect(() => parseNote(note)).toThrow(NoteRefused));

  it("may have sixteen signatures", () =>
    expect(parseNote(`a\n\n${"\u2014 b AAAAAAAA\n".repeat(16)}`).signatures).toHaveLength(16));
});

describe("a checkpoint", () => {
  it.each([
    ["no root", `${origin}\n7\n`],
    ["a size with a leading zero", text.replace("\n7\n", "\n07\n")],
    ["a negative size", text.replace("\n7\n", "\n-7\n")],
    ["a short root", `${origin}\n7\nAAAA\n`],
    ["no origin", text.replace(origin, "")],
    ["an empty extension line", `${text}\nx\n`],
  ])("is refused with %s", (_, malformed) => expect(() => parseCheckpoint(malformed)).toThrow(NoteRefused));

  it("may have extension lines", () =>
    expect(parseCheckpoint(`${text}more\n`)).toEqual(parseCheckpoint(text)));

  it("counts only with a signature of its own log", async () => {
    const by = async (signer: NoteSigner) =>
      openCheckpoint(await signedBy(signer), [signer.key], [witness.key]);
    expect((await by(log)).checkpoint.size).toBe(7);
    await expect(by(stranger)).rejects.toThrow("The log did not sign");
    await expect(openCheckpoint(await signedBy(stranger), [log.key])).rejects.toThrow("The log did not sign");
    const cosigned = formatNote({ text, signatures: [await cosign(text, 1, witness)] });
    await expect(openCheckpoint(cosigned, [log.key], [witness.key])).rejects.toThrow("The log did not sign");
  });
});

describe("a proof file", () => {
  const leaves = inventedLeaves(300);
  const read = tilesOf(leaves)(300);
  const make = async () => {
    const tree = formatCheckpoint({ origin, size: 300, root: await rootAt(300, read) });
    const checkpoint = formatNote({ text: tree, signatures: [await signNote(tree, log)] });
    return { extra: bytesOf("leaf 77"), index: 77, hashes: await proveInclusion(77, 300, read), checkpoint };
  };

  it("proves a leaf by itself", async () => {
    const file = formatProofFile(await make());
    expect(file.split("\n").slice(0, 3)).toEqual([
      "c2sp.org/tlog-proof@v1",
      "extra bGVhZiA3Nw==",
      "index 77",
    ]);
    const { extra, index, checkpoint } = await verifyProofFile(file, [log.key]);
    expect([textOf(extra), index, checkpoint.size]).toEqual(["leaf 77", 77, 300]);
    expect(formatProofFile(parseProofFile(file))).toBe(file);
  });

  it("proves nothing once anything in it was changed", async () => {
    const proof = await make();
    const refusal = (changed: Partial<typeof proof>) =>
      expect(verifyProofFile(formatProofFile({ ...proof, ...changed }), [log.key])).rejects;
    await refusal({ extra: bytesOf("leaf 78") }).toThrow("does not hold this record");
    await refusal({ index: 78 }).toThrow("does not hold this record");
    await refusal({ hashes: proof.hashes.slice(1) }).toThrow("does not hold this record");
    await refusal({ checkpoint: proof.checkpoint.replace("\n300\n", "\n301\n") }).toThrow("is wrong");
    await refusal({ checkpoint: await signedBy(stranger) }).toThrow("did not sign");
    await expect(verifyProofFile(formatProofFile(proof), [stranger.key])).rejects.toThrow("did not sign");
  });

  it("is refused when it is something else", async () => {
    const file = formatProofFile(await make());
    for (const other of [
      "",
      "%PDF-1.7",
      file.slice(1),
      file.replace("index 77", "index 077"),
      file.replace("\n\n", "\n"),
    ])
      expect(() => parseProofFile(other)).toThrow("not a proof");
    const long = file.replace("\n\n", `\n${base64Of(leafHash("x"))}`.repeat(64).concat("\n\n"));
    expect(() => parseProofFile(long)).toThrow("too long");
  });
});
