import { type ReactNode, useRef, useState } from "react";
import type { Settings } from "../../../../contract/settings/settings.ts";
import { ApiError } from "../../../api/problem.ts";
import { newIdempotencyKey } from "../../../api/request.ts";
import { BusyButton } from "../../../ui/busy-button.tsx";
import { commandsAsSeen } from "../../commands-as-seen.ts";
import { ActionDialog } from "../../ui/action-dialog.tsx";
import {
  changeSetting,
  MeanwhileChanges,
  type SettingChange,
  useSettings,
  useSettingsHistory,
} from "./setting-history.tsx";

/** A change to confirm. */
export interface Proposal {
  readonly title: string;
  readonly whatHappens: ReactNode;
  readonly confirmLabel: string;
  readonly danger?: boolean;
  readonly change: SettingChange;
  /** The revision that the user saw. */
  readonly seen: number;
  /** Success message. */
  readonly done: string;
  /** The change that undoes it, from the settings afterwards. If omitted, say so in `whatHappens`. */
  readonly undo?: (after: Settings) => SettingChange | undefined;
  /** Called on success, to reset the form. */
  readonly onDone?: () => void;
}

type Propose = (proposal: Proposal) => void;

export interface ViewProps {
  readonly settings: Settings;
  readonly propose: Propose;
}

interface Done {
  readonly words: string;
  readonly undo: SettingChange | undefined;
  readonly revision: number;
}

/** Makes changes and updates the cached settings. */
function useChanges() {
  const settings = useSettings();
  const history = useSettingsHistory();
  const [send] = useState(() => commandsAsSeen(newIdempotencyKey));
  return {
    make: async (change: SettingChange, seen: number): Promise<Settings> => {
      const after = await send(change, seen, (asSeen, { idempotencyKey }) =>
        changeSetting(asSeen, asSeen.expectedRevision, idempotencyKey),
      );
      await settings.mutate(after, { revalidate: false });
      void history.mutate();
      return after;
    },
    reload: () => Promise.all([settings.mutate(), history.mutate()]),
  };
}

/** Confirms and makes changes, and offers to undo them. */
export function useProposals(): { propose: Propose; asking: ReactNode; outcome: ReactNode } {
  const { make, reload } = useChanges();
  const [proposal, setProposal] = useState<Proposal>();
  const [conflict, setConflict] = useState<number>();
  const [done, setDone] = useState<Done>();

  const confirm = async ({ change, seen, done: words, undo, onDone }: Proposal): Promise<void> => {
    try {
      const after = await make(change, seen);
      setDone({ words, undo: undo?.(after), revision: after.revision });
      onDone?.();
    } catch (failure) {
      if (isConflict(failure)) {
        await reload();
        setConflict(seen);
      }
      throw failure;
    }
  };
  const undoChange = async ({ undo, revision }: Done): Promise<void> => {
    if (!undo) return;
    try {
      const after = await make(undo, revision);
      setDone({ words: "Change undone.", undo: undefined, revision: after.revision });
    } catch (failure) {
      await reload();
      setDone({ words: undoFailure(failure), undo: undefined, revision });
    }
  };
  return {
    propose: (proposed) => {
      setConflict(undefined);
      setDone(undefined);
      setProposal(proposed);
    },
    asking: (
      <ActionDialog
        open={proposal !== undefined}
        onClose={() => setProposal(undefined)}
        title={proposal?.title ?? ""}
        whatHappens={proposal?.whatHappens}
        confirmLabel={proposal?.confirmLabel ?? ""}
        danger={proposal?.danger ?? false}
        reasons={null}
        withNote={false}
        // The outcome below is read out.
        done={null}
        conflict={conflict === undefined ? undefined : <MeanwhileChanges since={conflict} />}
        onConfirm={async () => {
          if (proposal) await confirm(proposal);
        }}
      />
    ),
    outcome: <Outcome done={done} onUndo={undoChange} />,
  };
}

const isConflict = (failure: unknown): boolean =>
  failure instanceof ApiError && failure.code === "changed-meanwhile";

function undoFailure(failure: unknown): string {
  if (isConflict(failure)) return "The change was not undone: someone has changed a setting since.";
  return failure instanceof ApiError && failure.status < 500
    ? `The change was not undone. ${failure.detail ?? ""}`
    : "There was no response. Check whether the change was undone.";
}

/** Always rendered: screen readers announce changes to an existing live region. */
function Outcome({ done, onUndo }: { done: Done | undefined; onUndo: (done: Done) => Promise<void> }) {
  const [busy, setBusy] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const undo = async (): Promise<void> => {
    if (!done) return;
    setBusy(true);
    await onUndo(done);
    setBusy(false);
    // The button is gone by now.
    box.current?.focus();
  };
  return (
    <div
      ref={box}
      tabIndex={-1}
      role="status"
      className={
        done
          ? "sticky top-0 z-2 mb-4 flex flex-wrap items-center gap-3 border-l-3 border-primary bg-tint px-3 py-1.5"
          : "sr-only"
      }
    >
      {done && <p>{done.words}</p>}
      {done?.undo && (
        <BusyButton
          type="button"
          className="button button-dense button-outlined"
          busy={busy}
          onClick={() => void undo()}
        >
          Undo
        </BusyButton>
      )}
    </div>
  );
}
