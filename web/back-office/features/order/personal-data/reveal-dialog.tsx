import { type RevealReason, revealReason } from "../../../../../domain/order/vocabulary.ts";
import { ActionDialog } from "../../../ui/action-dialog.tsx";

/** The reasons for revealing personal data that events can record, in words. */
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

/** Asks for a reason before personal data is shown. */
export function RevealDialog({ title, what, confirmLabel, onReveal, onClose }: RevealDialogProps) {
  return (
    <ActionDialog
      open
      onClose={onClose}
      title={title}
      whatHappens={<>{what} The order’s log permanently records who viewed it, when and why.</>}
      confirmLabel={confirmLabel}
      reasons={reasons}
      withNote={false}
      onConfirm={async ({ reason }) => {
        await onReveal(revealReason.parse(reason));
      }}
    />
  );
}
