import { composeOrderMails } from "../mail/compose-order-mails.ts";
import { composeTicketMails } from "../mail/compose-ticket-mails.ts";
import { createPolicies, type Policies } from "../policies/policies.ts";
import type { Premises } from "./app-dependencies.ts";

/** Background work: policies with their jobs and sweeps, and the auditor. */
export type BackRoom = {
  readonly policies: Policies;
  /** Sweeps what fell due in the meantime, then works in the background; ends with `closing`. */
  start(closing: AsyncDisposableStack): Promise<void>;
};

export function openBackRoom(premises: Premises): BackRoom {
  const { settings, auditor } = premises;
  const policies = createPolicies({
    ...premises,
    ...premises.outside,
    mails: composeOrderMails({
      company: () => settings.current().company,
      contactRetentionDays: () => settings.current().contactRetentionDays,
      submittedByHand: premises.retention.submissionByHand ?? false,
      trackingLink: premises.access.trackingLink,
      now: premises.now,
    }),
    ticketMails: composeTicketMails({
      company: () => settings.current().company,
      linkTo: premises.ticketLinks.linkTo,
    }),
    settings: premises.retention,
    dutyWatch: premises.telemetry.dutyWatch,
    sweepEverySeconds: premises.config.SWEEP_EVERY_SECONDS,
  });
  return {
    policies,
    async start(closing) {
      await policies.start();
      closing.defer(() => policies.stop());
      auditor.start();
      closing.defer(() => auditor.stop());
    },
  };
}
