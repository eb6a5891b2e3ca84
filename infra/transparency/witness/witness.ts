import { isEqual } from "../formats/bytes.ts";
import { openCheckpoint, parseCheckpoint } from "../formats/checkpoint.ts";
import {
  cosign,
  formatSignature,
  NoteRefused,
  type NoteSigner,
  parseNote,
  type SignedNote,
} from "../formats/signed-note.ts";
import type { VerifierKey } from "../formats/verifier-key.ts";
import { isConsistent } from "../formats/verify-proofs.ts";
import { parseWitnessRequest, type WitnessRequest } from "../formats/witness-request.ts";
import { emptyRoot } from "../tree-hashes.ts";
import type { WitnessStore } from "./witness-store.ts";

type WitnessAnswer = {
  readonly status: 200 | 400 | 403 | 404 | 409 | 422;
  readonly type: "text/plain; charset=utf-8" | "text/x.tlog.size";
  readonly body: string;
};

export type Witness = {
  /** Answers a request to `add-checkpoint`. @throws errors of the store: nothing is signed then */
  add(body: string): Promise<WitnessAnswer>;
};

type WitnessOptions = {
  readonly signer: NoteSigner;
  /** Keys of the logs it signs for, several of one name after a rotation. */
  readonly logs: readonly VerifierKey[];
  readonly store: WitnessStore;
  readonly now: () => Date;
};

/** Signs a log's checkpoints as long as each extends the one before (C2SP tlog-witness). */
export function createWitness({ signer, logs, store, now }: WitnessOptions): Witness {
  let turn: Promise<unknown> = Promise.resolve();

  /** One request after the other: what was read has to be so still when the next is kept. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const next = turn.then(work, work);
    turn = next.catch(() => undefined);
    return next;
  }

  async function extend(request: WitnessRequest, note: SignedNote): Promise<WitnessAnswer> {
    const checkpoint = parseCheckpoint(note.text);
    const known = (await store.latest(checkpoint.origin)) ?? { size: 0, root: emptyRoot };
    const isOther = checkpoint.size === known.size && !isEqual(checkpoint.root, known.root);
    if (request.old !== known.size || isOther)
      return { status: 409, type: "text/x.tlog.size", body: `${known.size}\n` };
    if (!(await isConsistent(known, checkpoint, request.proof)))
      return refusal(422, "The proof does not show that the log only grew.");
    await store.keep(request.checkpoint);
    const seconds = Math.floor(now().getTime() / 1000);
    const signature = await cosign(note.text, seconds, signer);
    return { status: 200, type: "text/plain; charset=utf-8", body: formatSignature(signature) };
  }

  return {
    add: async (body) => {
      const request = parseWitnessRequest(body);
      const note = request && noteIn(request.checkpoint);
      if (!request || !note) return refusal(400, "The request is malformed.");
      const { origin, size } = parseCheckpoint(note.text);
      const keys = logs.filter(({ name }) => name === origin);
      if (keys.length === 0) return refusal(404, "This witness does not know the log.");
      if (!(await isSignedBy(keys, request.checkpoint))) return refusal(403, "The log did not sign this.");
      if (request.old > size) return refusal(400, "The old size is larger than the checkpoint's.");
      return inTurn(() => extend(request, note));
    },
  };
}

const refusal = (status: 400 | 403 | 404 | 422, words: string): WitnessAnswer => ({
  status,
  type: "text/plain; charset=utf-8",
  body: `${words}\n`,
});

/** Undefined for anything but a note with a checkpoint. */
function noteIn(checkpoint: string): SignedNote | undefined {
  try {
    const note = parseNote(checkpoint);
    parseCheckpoint(note.text);
    return note;
  } catch (error) {
    if (error instanceof NoteRefused) return undefined;
    throw error;
  }
}

async function isSignedBy(keys: readonly VerifierKey[], checkpoint: string): Promise<boolean> {
  try {
    await openCheckpoint(checkpoint, keys);
    return true;
  } catch (error) {
    if (error instanceof NoteRefused) return false;
    throw error;
  }
}
