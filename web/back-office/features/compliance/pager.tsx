import { useSearchParams } from "react-router-dom";
import { useChangeAddress } from "../../ui/use-change-address.ts";

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
