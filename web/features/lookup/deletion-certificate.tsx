import { useMemo, useState } from "react";
import { Link } from "react-router-dom";
import { type DeletionReceipt, showDeletionProof } from "../../../contract/orders/tracking.ts";
import {
  afterWords,
  destroyedWords,
  groupedFingerprint,
  probeWords,
  ruleWords,
} from "../../../domain/order/personal-data/deletion-words.ts";
import { refusalWords } from "../../api/problem.ts";
import { call, saveFile } from "../../api/send.ts";
import { pages } from "../../paths.ts";
import { useRetentionWords } from "../../site/config.ts";
import { londonMoment } from "../../ui/dates.ts";
import { guilloche } from "../../ui/guilloche.ts";

/**
 * The receipt of a purge: what, when, how long after, why, how it was checked, and the fingerprint of the destroyed
 * keys.
 */
export function DeletionCertificate({
  orderNumber,
  receipt,
}: {
  orderNumber: string;
  receipt: DeletionReceipt;
}) {
  const after = afterWords(receipt.secondsAfterSubmission);
  const kept = useRetentionWords();
  return (
    <section
      aria-labelledby="deletion"
      className="card relative overflow-hidden rounded-4 border border-hairline bg-surface px-6 pt-7 pb-6"
    >
      <Rosette
        fingerprint={receipt.keyFingerprint}
        className="absolute -top-14 -right-14 size-40 sm:size-48"
      />
      <h3 id="deletion" className="max-w-44 text-28">
        Certificate of deletion
      </h3>
      <dl className="mt-14 grid grid-cols-[5.5rem_minmax(0,1fr)] gap-x-4 gap-y-2 text-14">
        <Fact name="Order">
          <span className="figures">{orderNumber}</span>
        </Fact>
        <Fact name="Destroyed">{destroyedWords(receipt.destroyed)}</Fact>
        <Fact name="When">{londonMoment(receipt.at)}, London time</Fact>
        {after && <Fact name="After">{after}</Fact>}
        <Fact name="Because">{ruleWords(receipt.rule)}</Fact>
        <Fact name="Checked by">{probeWords}</Fact>
        <Fact name="Key">
          <span translate="no" className="figures">
            {groupedFingerprint(receipt.keyFingerprint)}
          </span>
        </Fact>
      </dl>
      <p className="mt-5 text-14 text-muted">
        The rosette is drawn from this key’s fingerprint. We keep your name and address for {kept} after the
        order is closed, then delete them in the same way.
      </p>
      <DeletionProof orderNumber={orderNumber} />
      <p className="no-print mt-3 flex flex-wrap gap-x-5">
        <button type="button" className="link min-h-6 cursor-pointer" onClick={() => print()}>
          Print
        </button>
        <Link className="link inline-flex min-h-6 items-center" to={pages.privacy}>
          How this works
        </Link>
      </p>
    </section>
  );
}

/** Downloads the proof that the deletion is on record. It is ready once the log is signed, a minute later at most. */
function DeletionProof({ orderNumber }: { orderNumber: string }) {
  const [words, setWords] = useState("");
  const download = async (): Promise<void> => {
    setWords("");
    try {
      await saveFile(await call(showDeletionProof, { params: { orderNumber } }));
      setWords("Proof downloaded.");
    } catch (failure) {
      setWords(refusalWords(failure).join(" "));
    }
  };
  return (
    <div className="no-print mt-3 text-14 text-muted">
      <p>
        The proof is a small file that shows that this deletion is on record in our public log. No one can
        change the record unnoticed.{" "}
        <Link className="link" to={pages.verify}>
          Check a proof
        </Link>
      </p>
      <button
        type="button"
        className="link mt-1 min-h-6 cursor-pointer text-16"
        onClick={() => void download()}
      >
        Download the proof
      </button>
      <p role="status">{words}</p>
    </div>
  );
}

function Fact({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <>
      <dt className="text-muted">{name}</dt>
      <dd className="min-w-0">{children}</dd>
    </>
  );
}

/** A guilloché drawn from a fingerprint. Ornament: the fingerprint itself stands in the text beside it. */
function Rosette({ fingerprint, className = "" }: { fingerprint: string; className?: string }) {
  const bands = useMemo(() => guilloche(fingerprint), [fingerprint]);
  return (
    <svg viewBox="0 0 200 200" aria-hidden="true" focusable="false" className={`text-primary ${className}`}>
      <g fill="none" stroke="currentColor" strokeLinejoin="round">
        {bands.map(({ path, width }) => (
          <path key={path.slice(0, 24)} d={path} strokeWidth={width} />
        ))}
      </g>
    </svg>
  );
}
