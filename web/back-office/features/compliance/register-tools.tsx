import { useState } from "react";
import { useSearchParams } from "react-router-dom";
import { exportRegister } from "../../../../contract/compliance/registers.ts";
import { ApiError } from "../../../api/problem.ts";
import { saveFile } from "../../../api/save-file.ts";
import { call } from "../../../api/send.ts";
import { useChangeAddress } from "../../ui/tables/filter-chips.tsx";

/** Query parameters of the page that are not filters. */
const notFilters = ["view", "after"] as const;

/** Exports the filtered register as a file that anyone can verify. */
export function SignedFile({ register }: { register: "purges" | "access" }) {
  const [parameters] = useSearchParams();
  const [state, setState] = useState<"idle" | "busy" | string>("idle");
  const take = async (): Promise<void> => {
    const query = new URLSearchParams(parameters);
    for (const name of notFilters) query.delete(name);
    setState("busy");
    try {
      query.set("register", register);
      await saveFile(await call(exportRegister, { query }));
      setState("idle");
    } catch (failure) {
      setState(
        failure instanceof ApiError && failure.fields[0]
          ? failure.fields[0].message
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
        {state === "busy" ? "Creating the file…" : "Export signed file"}
      </button>
      <span className="text-13 text-muted">
        A JSON file with the CSV, its signature and how to verify it with OpenSSL.
      </span>
      {state !== "idle" && state !== "busy" && (
        <p role="alert" className="w-full text-13 font-[500] text-danger">
          {state}
        </p>
      )}
    </div>
  );
}

export function Pager({ next }: { next: string | null }) {
  const [parameters] = useSearchParams();
  const changeAddress = useChangeAddress();
  const go = (after: string | null): void =>
    changeAddress((changed) => {
      if (after === null) changed.delete("after");
      else changed.set("after", after);
    });
  const isFirst = parameters.get("after") === null;
  if (isFirst && next === null) return null;
  return (
    <div className="mt-4 flex gap-2">
      {!isFirst && (
        <button type="button" className="button button-dense button-outlined" onClick={() => go(null)}>
          Newest
        </button>
      )}
      {next !== null && (
        <button type="button" className="button button-dense button-outlined" onClick={() => go(next)}>
          Older
        </button>
      )}
    </div>
  );
}
