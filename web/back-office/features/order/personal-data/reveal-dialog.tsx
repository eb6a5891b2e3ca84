import { type RevealReason, revealReason } from "../../../../../domain/order/vocabulary.ts";
import { ActionDialog } from "../../../ui/action-dialog.tsx";

/** Why somebody may look at personal data: the closed list that the log knows, in words. */
const reasons = [
  { value: "customerAsked", words: "The customer asked" },
  { value: "ticket", words: "To answer a ticket" },
  { value: "manualSubmission", words: "To submit it by hand" },
  { value: "groQuery", words: "The GRO has a question" },
  { value: "amendment", words: "To correct or amend it" },
  { value: "complaint", words: "To answer a complaint" },
  { value: "fraudCheck", words: "To check for fraud" },
  { value: "subjectAccess", words: "Subject access request" },
  { value: "erasureRequest", words: "Erasure request" },
] as const;

interface RevealDialogProps {
  readonly title: string;
  readonly what: string;
  readonly confirmLabel: string;
  readonly onReveal: (reason: RevealReason) => Promise<unknown>;
  readonly onClose: () => void;
}

/** Asks why before anything personal is shown. */
export function RevealDialog({ title, what, confirmLabel, onReveal, onClose }: RevealDialogProps) {
  return (
    <ActionDialog
      open
      onClose={onClose}
      title={title}
      whatHappens={
        <>
          {what} That you looked, when and why is written into the order’s log before anything is opened, and
          stays there.
        </>
      }
      confirmLabel={confirmLabel}
      reasons={reasons}
      withNote={false}
      onConfirm={async ({ reason }) => {
        await onReveal(revealReason.parse(reason));
      }}
    />
  );
}
