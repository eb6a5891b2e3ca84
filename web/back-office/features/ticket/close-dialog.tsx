import { useConfig } from "../../../site/config.ts";
import { ActionDialog } from "../../ui/action-dialog.tsx";

interface CloseDialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly onConfirm: () => Promise<void>;
  /** Whether a reply goes out with it. */
  readonly withReply?: boolean;
}

/** Asks before a ticket is closed: from then on the days to its destruction are counted. */
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
            : "The customer is not told. To answer them, send a reply and close. "}
          If they write again, the ticket reopens automatically. Otherwise the whole conversation is destroyed
          {days === undefined ? " some time" : ` ${days} days`} after closing, or with the contact data of its
          order.
        </>
      }
      confirmLabel={withReply ? "Send and close" : "Close ticket"}
      reasons={null}
      withNote={false}
      onConfirm={onConfirm}
    />
  );
}
