import { type ReactNode, useState } from "react";
import { Link, useSearchParams } from "react-router-dom";
import {
  type AccessLogEntry,
  exportPurgeProofs,
  exportRegister,
  type Purge,
} from "../../../../contract/compliance/registers.ts";
import { maySend } from "../../../../contract/request.ts";
import { openTicketAsStaff } from "../../../../contract/tickets/ticket.ts";
import { ApiError } from "../../../api/problem.ts";
import { call, saveFile } from "../../../api/send.ts";
import { useIdentity } from "../../../identity/page-identity.ts";
import { BusyButton } from "../../../ui/busy-button.tsx";
import { adminPages } from "../../paths.ts";
import { announce } from "../../ui/announcements.tsx";

// An entry of a register: its order or ticket, its codes in words, and the files that prove it.

interface AboutLinkProps {
  about: "order" | "ticket" | "draft";
  number: string | null;
}

/** Link to the order or ticket of an entry. Compliance has no access to tickets; saved drafts have no page. */
export function AboutLink({ about, number }: AboutLinkProps) {
  const { role } = useIdentity();
  if (about === "draft") return <span className="text-muted">unfinished order</span>;
  if (number === null) return <span className="text-muted">not listed yet</span>;
  if (about === "ticket" && !maySend(role, openTicketAsStaff))
    return <span className="font-mono">{number}</span>;
  return (
    <Link
      className="link font-mono whitespace-nowrap"
      to={about === "order" ? adminPages.order(number) : adminPages.ticket(number)}
    >
      {number}
    </Link>
  );
}

type Code =
  | Purge["dataClass"]
  | Purge["destroyed"][number]
  | NonNullable<Purge["rule"] | Purge["code"]>
  | AccessLogEntry["dataClass"]
  | AccessLogEntry["reason"];

const words: Readonly<Record<Code, string>> = {
  application: "Application",
  contact: "Contact",
  submitted: "Submitted to the GRO",
  cancelled: "Cancelled",
  failed: "Failed",
  neverPaid: "Never paid",
  retention: "Retention period ended",
  erasure: "Erasure requested",
  orderPurged: "Order purged",
  signature: "signature",
  groOrderReference: "GRO order reference",
  fingerprintKey: "fingerprint key",
  question: "Question of the GRO",
  questionClosed: "Question closed",
  groQuestion: "text of a GRO question",
  orderNote: "staff notes",
  bankTransfer: "bank transfer reference",
  ticketContact: "name and email address",
  ticketMessage: "messages",
  ticketNote: "staff notes",
  ticketAttachment: "files",
  ticketOriginal: "emails as they came",
  mailed: "Link mailed",
  ordered: "Order placed",
  requested: "Deleted at the customer’s request",
  replaced: "Saved again",
  expired: "Link expired",
  savedDraft: "saved answers",
  savedDraftLink: "email address and link",
  stillReadable: "Data still readable",
  keyRingUnavailable: "Key ring unavailable",
  vaultUnavailable: "Vault unavailable",
  other: "Other error",
  ticket: "To answer a ticket",
  customerAsked: "The customer asked",
  manualSubmission: "To submit it by hand",
  groQuery: "The GRO has a question",
  subjectAccess: "Subject access request",
  erasureRequest: "Erasure request",
  fraudCheck: "To check for fraud",
  complaint: "To answer a complaint",
  amendment: "To correct or amend it",
  unreadable: "The email could not be read here",
  doubtfulSender: "To see who sent the email",
  lawRequires: "The law requires it",
};

const known: Readonly<Record<string, string>> = words;

/** A register's code in words; a code of a newer server as it is. */
export const wordsOf = (code: string): string => known[code] ?? code;

/** Query parameters of the page that are not filters. */
const notFilters = ["view", "after"] as const;

/** The filters of the page, as a query. */
function useFilters(): () => URLSearchParams {
  const [parameters] = useSearchParams();
  return () => {
    const query = new URLSearchParams(parameters);
    for (const name of notFilters) query.delete(name);
    return query;
  };
}

/** Exports the filtered register as a file that anyone can verify. */
export function SignedFile({ register }: { register: "purges" | "access" }) {
  const filters = useFilters();
  const take = () => {
    const query = filters();
    query.set("register", register);
    return call(exportRegister, { query });
  };
  return (
    <FileButton label="Export signed file" take={take}>
      A JSON file with the CSV, its signature and how to verify it with OpenSSL.
    </FileButton>
  );
}

/** Exports the proofs of the filtered purges, with one checkpoint of the transparency log. */
export function ProofsFile() {
  const filters = useFilters();
  return (
    <FileButton label="Export proofs" take={() => call(exportPurgeProofs, { query: filters() })}>
      A text file that <code>npm run verify</code> checks offline.
    </FileButton>
  );
}

/** The proof of one purge, as its certificate has it. */
export function ProofFile({ id }: { id: string }) {
  return (
    <FileButton
      label="Download proof"
      take={() => call(exportPurgeProofs, { query: new URLSearchParams({ id }) })}
    />
  );
}

type FileButtonProps = {
  readonly label: string;
  readonly take: () => Promise<Response>;
  /** What is in the file. */
  readonly children?: ReactNode;
};

function FileButton({ label, take: ask, children }: FileButtonProps) {
  const [state, setState] = useState<"idle" | "busy" | string>("idle");
  const take = async (): Promise<void> => {
    setState("busy");
    try {
      await saveFile(await ask());
      setState("idle");
      announce("The file has been downloaded.");
    } catch (failure) {
      setState(
        failure instanceof ApiError && failure.fields[0]
          ? failure.fields[0].message
          : failure instanceof ApiError && failure.code === "proof-not-ready"
            ? "The log has not been signed yet. Please try again in a minute."
            : "The file could not be created. Please try again.",
      );
    }
  };
  return (
    <div className="flex flex-wrap items-center gap-3">
      <BusyButton
        type="button"
        className="button button-dense button-outlined"
        busy={state === "busy"}
        onClick={() => void take()}
      >
        {state === "busy" ? "Creating the file…" : label}
      </BusyButton>
      {children && <span className="text-13 text-muted">{children}</span>}
      {state !== "idle" && state !== "busy" && (
        <p role="alert" className="w-full text-13 font-[500] text-danger">
          {state}
        </p>
      )}
    </div>
  );
}
