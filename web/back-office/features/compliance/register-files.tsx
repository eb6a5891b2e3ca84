import { type ReactNode, useState } from "react";
import { useSearchParams } from "react-router-dom";
import { exportPurgeProofs, exportRegister } from "../../../../contract/compliance/registers.ts";
import { ApiError } from "../../../api/problem.ts";
import { call, saveFile } from "../../../api/send.ts";

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
      <button
        type="button"
        className="button button-dense button-outlined"
        disabled={state === "busy"}
        onClick={() => void take()}
      >
        {state === "busy" ? "Creating the file…" : label}
      </button>
      {children && <span className="text-13 text-muted">{children}</span>}
      {state !== "idle" && state !== "busy" && (
        <p role="alert" className="w-full text-13 font-[500] text-danger">
          {state}
        </p>
      )}
    </div>
  );
}
