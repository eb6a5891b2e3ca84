import { addSeconds, before } from "../instant.ts";
import type { Ticket } from "./state.ts";
import type { TicketRevealReason } from "./vocabulary.ts";

/**
 * How long one look lasts. Reading a conversation, answering it and seeing the page update itself is one look: were each an event, the
 * access log would bury the looks that matter. A later look is another, however long the page stood open: it is counted from the first
 * moment and never prolonged, so that the log shows that somebody had it open all day.
 */
export const revealLastsSeconds = 15 * 60;

/** Whether somebody's look for a reason still goes on at a moment, so that seeing more is part of it. */
export const isRevealed = (
  { looks }: Pick<Ticket, "looks">,
  staffId: string,
  reason: TicketRevealReason,
  at: string,
): boolean =>
  looks.some(
    (look) =>
      look.staffId === staffId && look.reason === reason && before(at, addSeconds(look.at, revealLastsSeconds)),
  );
