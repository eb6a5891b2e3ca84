import { official } from "../../paths.ts";

/** Says that a type is switched off, and where it can be had meanwhile. */
export function NotOrderable({ type }: { type: string }) {
  return (
    <div role="alert" className="mb-6 max-w-measure rounded-4 border-2 border-danger p-4">
      <p className="font-[600]">{type} certificates cannot be ordered here at the moment</p>
      <p className="mt-1">
        Choose another certificate, or order directly from the{" "}
        <a className="link" href={official.order}>
          General Register Office
        </a>
        . You haven’t been charged, and your answers are kept in this tab.
      </p>
    </div>
  );
}
