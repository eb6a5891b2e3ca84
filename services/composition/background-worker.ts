import type { ReturningMail } from "../correspondence/return-address.ts";
import { composeDraftMails } from "../documents/mail/compose-draft-mails.ts";
import { composeOrderMails } from "../documents/mail/compose-order-mails.ts";
import { composeTicketMails } from "../documents/mail/compose-ticket-mails.ts";
import { createPolicies, type Policies } from "../policies/policies.ts";
import type { AppDependencies } from "./app-dependencies.ts";
import { takeMailIn } from "./mail-in.ts";

/** Background work: policies with their jobs and sweeps, mail that comes in, the auditor, and the transparency log. */
type BackgroundWorker = {
  readonly policies: Policies;
  /** Sweeps what fell due in the meantime, then works in the background; ends with `closing`. */
  start(closing: AsyncDisposableStack): Promise<void>;
};

export function openBackgroundWorker(app: AppDependencies): BackgroundWorker {
  const { settings, auditor, transparency, returnAddresses } = app;
  const returnTo = (mail: ReturningMail) => returnAddresses?.for(mail);
  const policies = createPolicies({
    ...app,
    ...app.outside,
    mails: composeOrderMails({
      company: () => settings.current().company,
      contactRetentionDays: () => settings.current().contactRetentionDays,
      submittedByHand: app.retention.submissionByHand ?? false,
      trackingLink: app.access.trackingLink,
      returnTo,
      now: app.now,
    }),
    ticketMails: composeTicketMails({
      company: () => settings.current().company,
      linkTo: app.ticketLinks.linkTo,
      returnTo,
    }),
    draftMails: composeDraftMails({
      company: () => settings.current().company,
      publicUrl: app.publicUrl,
      returnTo,
    }),
    settings: app.retention,
    taskWatch: app.telemetry.taskWatch,
    sweepEverySeconds: app.config.SWEEP_EVERY_SECONDS,
  });
  return {
    policies,
    async start(closing) {
      closing.defer(() => policies.stop());
      await policies.start();
      await takeMailIn(app, closing);
      auditor.start();
      closing.defer(() => auditor.stop());
      transparency.start();
      closing.defer(() => transparency.stop());
    },
  };
}
