import { useState } from "react";
import type { RevealedContact } from "../../../../contract/order-desk/reveals.ts";
import { ActionDialog } from "../../ui/action-dialog.tsx";
import type { ActionLook } from "./actions.tsx";
import { News } from "./news.tsx";
import { type ActingOn, useAct } from "./use-act.ts";

interface ActDialogProps extends ActingOn {
  readonly look: ActionLook;
  readonly contact: RevealedContact["contact"] | null;
  readonly onClose: () => void;
}

/** One action's dialog: what will happen, its fields, what others did meanwhile, the reason, and a note where one can be kept. */
export function ActDialog({ look, contact, onClose, ...on }: ActDialogProps) {
  const { act, news } = useAct(look.action, on);
  const { Fields, bodyOf } = look;
  // Fields show the order as it was when the dialog opened: were they drawn anew, what was typed could be lost.
  const [known] = useState({ order: on.order, contact });
  const canKeepNote = on.order.personal.contact.state === "sealed" && look.action !== "addNote";
  return (
    <ActionDialog
      open
      onClose={onClose}
      title={look.title}
      whatHappens={look.whatHappens}
      confirmLabel={look.confirmLabel}
      danger={look.danger === true}
      withNote={canKeepNote}
      onConfirm={({ reason, note, fields }) => act({ reason, note }, bodyOf?.(fields, known) ?? {})}
    >
      <News entries={news} />
      {Fields && <Fields {...known} />}
    </ActionDialog>
  );
}
