import { useEffect, useState } from "react";
import { Link } from "react-router-dom";
import {
  type LogKeys,
  showCheckpoint,
  showVerifierKeys,
  type Witnesses,
} from "../../../contract/transparency/public-log.ts";
import { type OpenedCheckpoint, parseCheckpoint } from "../../../infra/transparency/formats/checkpoint.ts";
import { parseNote } from "../../../infra/transparency/formats/signed-note.ts";
import { pages } from "../../paths.ts";
import { londonDay, londonMoment } from "../../ui/dates.ts";
import { cosignersOf, namedWitnesses, newestCheckpoint, publishedKeys } from "./proof-check.ts";
import { ProsePage } from "./prose-page.tsx";

/** /transparency: the log that proofs of deletion rest on, in plain words. */
export default function TransparencyPage() {
  return (
    <ProsePage
      title="Our public log"
      lead="Anyone who keeps our checkpoints can check that nothing in our log has been changed or removed since."
    >
      <h2>What it is</h2>
      <p>
        Everything that happens to an order, such as a payment or the deletion of your details, gets a
        numbered record in one log. From all records together we calculate a single fingerprint. If any record
        were changed, removed or inserted later, the fingerprint would no longer match.
      </p>
      <p>
        At least once a minute, while there is something new, we sign the number of records and the
        fingerprint, and publish both: a checkpoint.
      </p>
      <h2>What it is for</h2>
      <p>
        Your certificate of deletion comes with a proof: a small file that shows that the deletion is on
        record in this log.{" "}
        <Link className="link" to={pages.verify}>
          Check a proof of deletion
        </Link>
      </p>
      <h2>What it does not show</h2>
      <p>
        The log shows what we recorded, and that the record has not been changed since. It cannot show that no
        one copied something before it was deleted. Nor can it show that everyone sees the same log: for that
        you rely on our signature and on those of independent witnesses. Below you can see whether any have
        signed the newest checkpoint.
      </p>
      <h2>What is public</h2>
      <p>
        The checkpoint, the key that signs it, and the fingerprints of all records. The records themselves are
        not public, because they concern our customers, and nothing about a person can be read from a
        fingerprint.
      </p>
      <h2>The newest checkpoint</h2>
      <NewestCheckpoint />
      <h2>For programs</h2>
      <p>
        The formats are those of C2SP (tlog-tiles, tlog-checkpoint, signed-note and tlog-proof):{" "}
        <a className="link" href={showCheckpoint.path}>
          checkpoint
        </a>
        ,{" "}
        <a className="link" href={showVerifierKeys.path}>
          verifier key
        </a>
        , and the tree’s tiles of 256 hashes under <code>/transparency/tile/</code>. Entry bundles are not
        published.
      </p>
    </ProsePage>
  );
}

type Published = {
  readonly size: number;
  readonly note: string;
  readonly keys: LogKeys;
  readonly named: Witnesses;
  /** Undefined where the browser cannot verify. */
  readonly cosigned: OpenedCheckpoint["witnesses"] | undefined;
};

function NewestCheckpoint() {
  const [shown, setShown] = useState<Published | "loading" | "none">("loading");
  useEffect(() => {
    readPublished().then(setShown, () => setShown("none"));
  }, []);
  if (typeof shown === "string")
    return (
      <p role="status" className="min-h-40">
        {shown === "loading"
          ? "Loading the newest checkpoint…"
          : "There is no checkpoint to show at the moment."}
      </p>
    );
  return (
    <>
      <p>
        The log has <strong className="font-[600]">{counted.format(shown.size)}</strong> records. This is the
        checkpoint as it was signed: the log’s name, the number of records, the fingerprint, and the
        signatures.
      </p>
      <Raw text={shown.note} />
      <p>The key that signs it. Note it if you want to check proofs without relying on this site later.</p>
      <Raw text={keysThat("signs", shown.keys)} />
      <FormerKeys keys={shown.keys} />
      <h3 className="mt-4 text-18">Witnesses</h3>
      <WitnessList {...shown} />
    </>
  );
}

function WitnessList({ named, cosigned }: Published) {
  if (named.keys.length === 0)
    return <p>No independent witness signs our checkpoints yet, so you rely on our signature alone.</p>;
  return (
    <>
      <p>
        A witness is run by someone else. It signs a checkpoint only if our log has grown since the one before
        and nothing in it was changed.
        {cosigned && cosigned.length < named.quorum && (
          <>
            {" "}
            We ask for {named.quorum} signatures or more; this checkpoint has {cosigned.length} so far.
          </>
        )}
      </p>
      {named.keys.map((key) => {
        const signed = cosigned?.find((each) => key.startsWith(`${each.key.name}+${each.key.id}+`));
        return (
          <div key={key}>
            <p>
              <strong className="font-[600]">{key.split("+")[0]}</strong>{" "}
              {signed && `signed it on ${londonMoment(new Date(signed.time * 1000).toISOString())}`}
              {cosigned && !signed && "has not signed it yet"}
            </p>
            <Raw text={key} />
          </div>
        );
      })}
    </>
  );
}

function FormerKeys({ keys }: { keys: LogKeys }) {
  const former = keys.filter(({ state }) => state !== "signs");
  if (former.length === 0) return null;
  return (
    <>
      <h3 className="mt-4 text-18">Keys that we used before</h3>
      <p>
        We no longer sign with a retired key, but what it signed remains valid. A revoked key may be in other
        hands, so what it alone signed proves nothing.
      </p>
      {former.map(({ key, state, since }) => (
        <div key={key}>
          <p>
            {state === "revoked" ? "Revoked" : "Retired"}
            {since !== null && ` on ${londonDay(since)}`}
          </p>
          <Raw text={key} />
        </div>
      ))}
    </>
  );
}

const keysThat = (state: LogKeys[number]["state"], keys: LogKeys): string =>
  keys
    .filter((each) => each.state === state)
    .map(({ key }) => key)
    .join("\n");

const counted = new Intl.NumberFormat("en-GB");

async function readPublished(): Promise<Published | "none"> {
  const [note, keys, named] = await Promise.all([newestCheckpoint(), publishedKeys(), namedWitnesses()]);
  if (note === "" || keys.length === 0) return "none";
  const { size } = parseCheckpoint(parseNote(note).text);
  return { size, note, keys, named, cosigned: await cosignersOf(note, keys, named) };
}

const Raw = ({ text }: { text: string }) => (
  <pre className="figures mt-2 mb-4 rounded-4 border border-hairline bg-surface p-4 text-14 break-all whitespace-pre-wrap">
    {text.trim()}
  </pre>
);
