import { useState } from "react";
import { acknowledgeTicket } from "../../../../contract/tickets/acts.ts";
import type { OpenedTicket } from "../../../../contract/tickets/ticket.ts";
import { send } from "../../../api/send.ts";
import { longDay } from "../../../ui/dates.ts";
import { Press, Refusal } from "./press.tsx";
import type { Act } from "./use-acting.ts";

interface AcknowledgeProps {
  readonly ticket: OpenedTicket;
  readonly act: Act;
  readonly busy: boolean;
}

/** Shown where the mail that acknowledges a complaint came back: the law still wants it acknowledged. */
export function Acknowledge({ ticket, act, busy }: AcknowledgeProps) {
  const [refused, setRefused] = useState<string | null>(null);
  const { needed, by } = ticket.acknowledgement;
  if (!needed || by === null) return null;
  const record = async (channel: "post" | "telephone"): Promise<void> =>
    setRefused(await act({ channel }, (said, options) => send(acknowledgeTicket, said, options)));
  return (
    <section aria-label="Acknowledgement" className="mb-4 border-l-3 border-danger pl-4">
      <p>
        <strong className="font-[600]">The mail that acknowledges this complaint came back.</strong>{" "}
        Acknowledge it by letter or telephone by {longDay(by)}, then record how.
      </p>
      <div className="mt-2 flex flex-wrap gap-2">
        <Press words="Done by letter" busy={busy} onPress={() => void record("post")} />
        <Press words="Done by telephone" busy={busy} onPress={() => void record("telephone")} />
      </div>
      <Refusal words={refused} />
    </section>
  );
}
