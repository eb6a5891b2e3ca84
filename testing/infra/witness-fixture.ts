import { once } from "node:events";
import { formatCheckpoint } from "../../infra/transparency/formats/checkpoint.ts";
import { formatNote, type NoteSigner, signNote } from "../../infra/transparency/formats/signed-note.ts";
import type { VerifierKey } from "../../infra/transparency/formats/verifier-key.ts";
import type { ReadTiles } from "../../infra/transparency/tree-proofs.ts";
import { rootAt } from "../../infra/transparency/tree-proofs.ts";
import { createWitness } from "../../infra/transparency/witness/witness.ts";
import { createWitnessServer } from "../../infra/transparency/witness/witness-server.ts";
import { openWitnessKey, openWitnessStore } from "../../infra/transparency/witness/witness-store.ts";
import { temporaryFolder } from "../setup/temporary-folder.ts";

/** A witness for these logs, listening on this machine. */
export async function startWitness(name: string, logs: readonly VerifierKey[], clock: () => Date, at = "") {
  const folder = at === "" ? temporaryFolder("witness") : at;
  const signer = await openWitnessKey(folder, name);
  const witness = createWitness({ signer, logs, store: openWitnessStore(folder), now: clock });
  const errors: unknown[] = [];
  const server = createWitnessServer(witness, (error) => errors.push(error)).listen(0, "127.0.0.1");
  await once(server, "listening");
  const bound = server.address();
  const port = typeof bound === "object" ? bound?.port : undefined;
  return {
    ...{ folder, errors, key: signer.key, address: `http://127.0.0.1:${port}` },
    close: async () => {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

export type StartedWitness = Awaited<ReturnType<typeof startWitness>>;

/** The checkpoint of a log's first `size` leaves. @param read tiles of a tree of a size */
export async function checkpointAt(
  signer: NoteSigner,
  size: number,
  read: (size: number) => ReadTiles,
): Promise<string> {
  const text = formatCheckpoint({ origin: signer.key.name, size, root: await rootAt(size, read(size)) });
  return formatNote({ text, signatures: [await signNote(text, signer)] });
}
