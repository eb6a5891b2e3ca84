import { type ReactNode, useEffect, useRef, useState } from "react";
import { Link } from "react-router-dom";
import type { LogKeys } from "../../../contract/transparency/public-log.ts";
import {
  whatItDoesNotProve,
  whatItProves,
  witnessWords,
} from "../../../domain/order/personal-data/deletion-words.ts";
import { pages } from "../../paths.ts";
import { londonDay, londonMoment } from "../../ui/dates.ts";
import { type Checked, checkProof, keysIn, keysToCheckWith } from "./proof-check.ts";
import { ProsePage } from "./prose-page.tsx";

/** /verify: checks a proof of deletion in the browser. */
export default function VerifyPage() {
  return (
    <ProsePage
      title="Check a proof of deletion"
      lead="Check for yourself that the deletion of your details is on record. Your browser does the checking, and the file stays on your device."
    >
      <ProofForm />
      <h2>Where to get the file</h2>
      <p>
        <Link className="link" to={pages.lookup}>
          Open your order’s page
        </Link>
        . Its certificate of deletion offers ‘Download the proof’ from a minute after the deletion. Keep the
        file: with the log’s key, it can still be checked when your order is no longer on this site.
      </p>
      <h2>How it works</h2>
      <p>
        Every event of every order has a record in one log. We sign the whole log at least once a minute,
        while there is something new. The file holds the record of your deletion, the signed checkpoint, and
        the few fingerprints that lead from one to the other. If a letter of any of them is changed, the check
        fails.{" "}
        <Link className="link" to={pages.transparency}>
          About the log
        </Link>
      </p>
      <h2>Check it without us</h2>
      <p>
        The formats are public (C2SP tlog-proof, Ed25519 and SHA-256), so other programs can check the file
        too. Note the log’s key today, from{" "}
        <Link className="link" to={pages.transparency}>
          the page about the log
        </Link>
        : then you need not trust this site to show the same key later.
      </p>
    </ProsePage>
  );
}

function ProofForm() {
  const input = useRef<HTMLInputElement>(null);
  const [ownKeys, setOwnKeys] = useState("");
  const hasOwnKeys = ownKeys.trim() !== "";
  const [result, setResult] = useState<{ checked: Checked; keys: LogKeys } | null>(null);
  const newest = useRef(0);
  const [missing, setMissing] = useState(false);
  const check = async (): Promise<void> => {
    setResult(null);
    setMissing(false);
    newest.current += 1;
    const turn = newest.current;
    const file = input.current?.files?.[0];
    if (!file) return;
    const keys = hasOwnKeys ? keysIn(ownKeys) : await keysToCheckWith().catch(() => []);
    const checked = await checkProof(file, keys);
    if (turn === newest.current) setResult({ checked, keys });
  };
  const checkChosen = (): void => {
    if (input.current?.files?.length) return void check();
    setMissing(true);
    input.current?.focus();
  };
  // A file may have been chosen before the script was there.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only once.
  useEffect(() => void check(), []);
  return (
    <div className="max-w-form">
      <noscript>
        <p>To check a file here, turn JavaScript on.</p>
      </noscript>
      <div className={missing ? "border-l-4 border-danger pl-4" : ""}>
        <label htmlFor="proof" className={`block font-[600] ${missing ? "text-danger" : ""}`}>
          Proof file
        </label>
        <div id="proof-hint" className="text-14 text-muted">
          Its name ends in .tlog-proof
        </div>
        {missing && (
          <p id="proof-error" className="font-[600] text-danger">
            <span className="sr-only">Error: </span>
            Choose the file to check
          </p>
        )}
        <input
          ref={input}
          id="proof"
          type="file"
          className="field-box mt-1.5 py-2"
          aria-invalid={missing || undefined}
          aria-describedby={missing ? "proof-hint proof-error" : "proof-hint"}
          onChange={() => void check()}
        />
      </div>
      <details className="question needs-script mt-5">
        <summary className="cursor-pointer py-3">Use a key that you noted</summary>
        <label htmlFor="own-keys" className="block font-[600]">
          The log’s key
        </label>
        <div id="own-keys-hint" className="text-14 text-muted">
          One per line. You can add the keys of witnesses you know. Leave blank to use the keys that this site
          publishes.
        </div>
        <textarea
          id="own-keys"
          className="field-box figures mt-1.5 h-28 break-all"
          aria-describedby="own-keys-hint"
          value={ownKeys}
          onChange={({ target }) => {
            setOwnKeys(target.value);
            setResult(null);
            newest.current += 1;
          }}
          autoComplete="off"
          spellCheck={false}
        />
      </details>
      <button type="button" className="button button-primary mt-5" onClick={checkChosen}>
        Check the file
      </button>
      <div role="status" className="mt-6">
        {result && <Result {...result} hasOwnKeys={hasOwnKeys} />}
      </div>
    </div>
  );
}

type ResultProps = { readonly checked: Checked; readonly keys: LogKeys; readonly hasOwnKeys: boolean };

function Result({ checked, keys, hasOwnKeys }: ResultProps) {
  if (checked.kind === "holds")
    return <Holds {...checked} signedBy={signersInWords(checked, keys, hasOwnKeys)} />;
  const { title, words } = checked.kind === "no-key" && hasOwnKeys ? wrongKey : troubles[checked.kind];
  return (
    <Panel title={title} bar="border-l-danger">
      <p>{words}</p>
    </Panel>
  );
}

function Panel({ title, bar, children }: { title: string; bar: string; children: ReactNode }) {
  return (
    <div className={`rounded-4 border border-l-4 border-hairline ${bar} bg-surface p-5 sm:p-6`}>
      <p className="font-display text-22">{title}</p>
      {children}
    </div>
  );
}

type Trouble = { readonly title: string; readonly words: string };

const wrongKey: Trouble = {
  title: "That is not a verifier key",
  words: "A key is a name, a plus sign, eight digits or letters, a plus sign, and the key itself.",
};

const troubles: Readonly<Record<Exclude<Checked["kind"], "holds">, Trouble>> = {
  malformed: {
    title: "This is not a complete proof",
    words:
      "Choose the file that you downloaded from your order’s page. If another program has opened and saved it, download it again.",
  },
  signature: {
    title: "The signature does not match",
    words:
      "The checkpoint in this file was changed, or comes from another log, or was signed with a key that is not the log’s. Download the proof again from your order’s page. If that one fails too, please tell us.",
  },
  revoked: {
    title: "The key was revoked",
    words:
      "We revoked the only key that signed this proof, because others may have it. Download the proof again from your order’s page: it will be signed with the new key.",
  },
  record: {
    title: "The proof fails",
    words:
      "The signed log does not hold this record in this place, so the file has been changed. Download it again.",
  },
  "other-record": {
    title: "This is not about a deletion",
    words: "The log holds this record, but it is the record of something else.",
  },
  unsupported: {
    title: "Your browser cannot check this",
    words: "It does not know this kind of signature (Ed25519). Please use a newer browser.",
  },
  "no-key": {
    title: "We could not get the log’s key",
    words: "Check your connection and try again.",
  },
};

/** Which keys signed, and where they come from. */
function signersInWords({ proof }: Holding, keys: LogKeys, areOwn: boolean): string {
  const ids = proof.logKeys.map(({ id }) => id);
  const from = keys
    .filter(({ key }) => ids.some((id) => key.includes(`+${id}+`)))
    .map(({ key, since }) => {
      const id = key.split("+").at(1) ?? key;
      if (areOwn) return `key ${id}, which you gave`;
      return since === null
        ? `key ${id}, which this site publishes`
        : `key ${id}, which this site publishes and used until ${londonDay(since)}`;
    });
  return `${proof.checkpoint.origin}: ${from.join("; ")}`;
}

type Holding = Extract<Checked, { kind: "holds" }>;

function Holds({ deletion, proof, signedBy }: Holding & { signedBy: string }) {
  const { checkpoint, index } = proof;
  const witnesses = proof.witnesses.map(({ key }) => key.name);
  const place = `${counted.format(index + 1)} of ${counted.format(checkpoint.size)} in ${checkpoint.origin}`;
  const facts = [
    { name: "When", value: `${londonMoment(deletion.at)}, London time` },
    ...deletion.facts,
    { name: "Record", value: place },
    { name: "Signed by", value: signedBy },
  ];
  return (
    <Panel title="The proof holds" bar="border-l-primary">
      <dl className="mt-4 grid grid-cols-[5.5rem_minmax(0,1fr)] gap-x-4 gap-y-2 text-14">
        {facts.map(({ name, value }) => (
          <div key={name} className="contents">
            <dt className="text-muted">{name}</dt>
            <dd className="min-w-0 break-words">{value}</dd>
          </div>
        ))}
      </dl>
      <p className="mt-4 font-[600]">It proves:</p>
      <List lines={whatItProves} />
      <p className="mt-4 font-[600]">It does not prove:</p>
      <List lines={[...whatItDoesNotProve, witnessWords(witnesses)]} />
    </Panel>
  );
}

const counted = new Intl.NumberFormat("en-GB");

function List({ lines }: { lines: readonly string[] }) {
  return (
    <ul>
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  );
}
