import { useState } from "react";
import { exportOrders } from "../../../../contract/order-desk/list.ts";
import { call } from "../../../api/send.ts";
import { saveFile } from "../../save-file.ts";

/** Gives the whole list, as it is filtered and sorted, as a file for spreadsheets. */
export function ExportButton({ query }: { query: string }) {
  const [state, setState] = useState<"idle" | "busy" | "failed">("idle");
  const press = async (): Promise<void> => {
    setState("busy");
    try {
      await saveFile(await call(exportOrders, { query }));
      setState("idle");
    } catch {
      setState("failed");
    }
  };
  return (
    <span className="inline-flex flex-wrap items-center gap-2">
      <button
        type="button"
        className="button button-dense button-outlined"
        disabled={state === "busy"}
        onClick={() => void press()}
      >
        {state === "busy" ? "Exporting…" : "Export CSV"}
      </button>
      {state === "failed" && (
        <span role="alert" className="text-13 text-danger">
          The file could not be made. Please try again.
        </span>
      )}
    </span>
  );
}
