import { When } from "../../ui/when.tsx";

/** That somebody asked for erasure, and when. */
export function ErasureAsked({ at }: { at: string | null }) {
  if (at === null) return null;
  return (
    <p className="text-danger">
      Erasure asked for on <When at={at} />.
    </p>
  );
}
