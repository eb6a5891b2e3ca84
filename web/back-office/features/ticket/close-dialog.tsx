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
            ? "The customer gets a mail about your reply. "
            : "The customer is not told: to answer them, send a reply and close. "}
          If they write again, the ticket opens by itself. Otherwise all that was written in it is destroyed
          {days === undefined ? " when its time has passed" : ` ${days} days`} after closing, or with the
          contact data of its order.
        </>
      }
      confirmLabel={withReply ? "Send and close" : "Close ticket"}
      reasons={null}
      withNote={false}
      onConfirm={onConfirm}
    />
  );
}
