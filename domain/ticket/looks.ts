import { addSeconds, before } from "../instant.ts";
import type { Ticket } from "./state.ts";
import type { TicketRevealReason } from "./vocabulary.ts";

/**
 * How long one reveal lasts. Reading a conversation, answering it and seeing the page update is one reveal: were each
 * an event, the access log would bury the ones that matter. A later one is another, however long the page stood open:
 * it is counted from the first moment and never prolonged, so the log shows that a page was open all day.
 */
const revealLastsSeconds = 15 * 60;

/** Whether an earlier reveal for the same reason still covers this moment. */
export const isRevealed = (
  { looks }: Pick<Ticket, "looks">,
  staffId: string,
  reason: TicketRevealReason,
  at: string,
): boolean =>
  looks.some(
    (look) =>
      look.staffId === staffId &&
      look.reason === reason &&
      before(at, addSeconds(look.at, revealLastsSeconds)),
  );
