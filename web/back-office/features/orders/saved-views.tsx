import { X } from "lucide-react";
import { useState } from "react";
import { Link, useSearchParams } from "react-router-dom";
import { ActionDialog } from "../../ui/action-dialog.tsx";
import { choiceOf } from "./list-query.ts";
import { builtInViews, keepViews, readViews, type View, withView } from "./views.ts";

/** Lists by name: those that everybody has, and this browser's own. */
export function SavedViews() {
  const [parameters] = useSearchParams();
  const [own, setOwn] = useState(() => readViews(localStorage));
  const [saving, setSaving] = useState(false);
  const current = choiceOf(parameters);
  const isSaved = [...builtInViews, ...own].some(({ query }) => isSame(query, current));
  const keep = (views: readonly View[]): void => {
    keepViews(localStorage, views);
    setOwn(views);
  };
  return (
    <nav aria-label="Views" className="flex flex-wrap items-center gap-1">
      {builtInViews.map((view) => (
        <ViewLink key={view.name} view={view} current={current} />
      ))}
      {own.map((view) => (
        <span key={view.name} className="inline-flex items-center">
          <ViewLink view={view} current={current} />
          <button
            type="button"
            aria-label={`Forget the view ${view.name}`}
            className="grid size-7 cursor-pointer place-items-center rounded-4 text-muted hover:text-ink"
            onClick={() => keep(own.filter(({ name }) => name !== view.name))}
          >
            <X aria-hidden="true" className="size-3.5" strokeWidth={2} />
          </button>
        </span>
      ))}
      {!isSaved && (
        <button type="button" className="button button-dense button-quiet" onClick={() => setSaving(true)}>
          Save this view…
        </button>
      )}
      <ActionDialog
        open={saving}
        onClose={() => setSaving(false)}
        title="Save this view"
        whatHappens="Filters and order are kept under a name, in this browser only. To share a view, share its address."
        confirmLabel="Save"
        reasons={null}
        withNote={false}
        onConfirm={async ({ fields }) => keep(withView(own, nameIn(fields), parameters))}
      >
        <label className="flex flex-col gap-1 text-14 font-[500]">
          Name
          <input name="name" required maxLength={40} className="dense-box font-[400]" autoComplete="off" />
        </label>
      </ActionDialog>
    </nav>
  );
}

function ViewLink({ view, current }: { view: View; current: string }) {
  return (
    <Link
      to={{ search: view.query }}
      aria-current={isSame(view.query, current) ? "page" : undefined}
      className="rail-link text-13"
    >
      {view.name}
    </Link>
  );
}

const sorted = (query: string): string => [...new URLSearchParams(query)].map(String).sort().join("&");
const isSame = (query: string, other: string): boolean => sorted(query) === sorted(other);

function nameIn(fields: FormData): string {
  const name = fields.get("name");
  return typeof name === "string" ? name.trim() || "View" : "View";
}
