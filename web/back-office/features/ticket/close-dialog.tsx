import { useConfig } from "../../../site/config.ts";
import { ActionDialog } from "../../ui/action-dialog.tsx";

interface CloseDialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly onConfirm: () => Promise<void>;
  /** True when closing also sends a reply. */
  readonly withReply?: boolean;
}

/** Confirms closing, which starts the retention period. */
export function CloseDialog({ open, onClose, onConfirm, withReply = false }: CloseDialogProps) {
  const days = useConfig().data?.contactRetentionDays;
  return (
    <ActionDialog
      open={open}
      onClose={onClose}
      title={withReply ? "Send the reply and close?" : "Close this ticket?"}
      whatHappens={
        <>
          {withReply
            ? "We email the customer about your reply. "
            : "The customer is not notified. To answer them, use “Send and close”. "}
          If they write again, the ticket reopens automatically. Otherwise the whole conversation is destroyed
          {days === undefined ? " at the end of its retention period" : ` ${days} days after closing`}, or
          together with the contact data of its order.
        </>
      }
      confirmLabel={withReply ? "Send and close" : "Close ticket"}
      reasons={null}
      withNote={false}
      onConfirm={onConfirm}
    />
  );
}
