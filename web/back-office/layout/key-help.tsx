import { useState } from "react";
import { Dialog } from "../ui/dialog.tsx";
import { turnKeys, useBoundKeys, useKeys, useKeysAreOn } from "./use-keys.ts";

/** `/` takes the focus to the search of the page, if it has one: the field marked with `data-search`. */
function focusSearch(): void {
  document.querySelector<HTMLElement>("[data-search]")?.focus();
}

/** The hint at the top of each page, and the list of keys that `?` opens. */
export function KeyHelp() {
  const [open, setOpen] = useState(false);
  const keys = useBoundKeys();
  const on = useKeysAreOn();
  useKeys([
    { key: "/", words: "Search", run: focusSearch },
    { key: "?", words: "This list", run: () => setOpen(true) },
  ]);
  return (
    <>
      <button
        type="button"
        className="inline-flex min-h-8 cursor-pointer items-center gap-1.5 rounded-4 text-13 text-muted hover:text-primary max-md:hidden"
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        <kbd className="key-cap">?</kbd> keys
      </button>
      <KeyList open={open} onClose={() => setOpen(false)} keys={keys} on={on} />
    </>
  );
}

interface KeyListProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly keys: ReturnType<typeof useBoundKeys>;
  readonly on: boolean;
}

function KeyList({ open, onClose, keys, on }: KeyListProps) {
  return (
    <Dialog open={open} onClose={onClose} title="Keys on this page">
      <dl className="mt-4 grid grid-cols-[3.5rem_1fr] items-baseline gap-y-2 text-14">
        {keys.map(({ key, words }) => (
          <div key={key} className="contents">
            <dt>
              <kbd className="key-cap">{key}</kbd>
            </dt>
            <dd>{words}</dd>
          </div>
        ))}
      </dl>
      <label className="mt-5 flex cursor-pointer items-center gap-2 text-14">
        <input
          type="checkbox"
          className="small-mark"
          checked={on}
          onChange={({ target }) => turnKeys(target.checked)}
        />
        Single keys work
      </label>
      <p className="mt-1 text-13 text-muted">Turn them off if you speak to your computer.</p>
      <div className="mt-5 flex justify-end">
        <button type="button" className="button button-dense button-outlined" onClick={onClose}>
          Close
        </button>
      </div>
    </Dialog>
  );
}
