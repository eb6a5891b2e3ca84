import type { MailSource } from "../../infra/config/provider-settings.ts";
import { createMailReceiver } from "../correspondence/receive-mail.ts";
import type { ReturnAddresses } from "../correspondence/return-address.ts";
import { createUnverifiedMailLimit } from "../gateway/guards/mail-allowance.ts";
import { createClamdScanner } from "../providers/clamd/clamd-scanner.ts";
import type { MailIn } from "../providers/mail-in/mail-in.ts";
import { createMailReader } from "../providers/mail-in/mail-reader.ts";
import { createSmtpListener } from "../providers/mail-in/smtp-listener.ts";
import type { AppDependencies } from "./app-dependencies.ts";
import { sharedCountsOf } from "./infrastructure.ts";

/** For the sandbox in the same process. */
const sandboxListener = { protocol: "lmtp", host: "127.0.0.1", port: 0 } as const;

async function mailInFrom(
  { log, telemetry }: AppDependencies,
  from: MailSource,
  { address, mailboxOf }: ReturnAddresses,
): Promise<MailIn> {
  const common = { mailboxOf, log, watch: telemetry.mailWatch };
  if (from.protocol !== "imap") return createSmtpListener({ ...from, ...common });
  // The client of IMAP takes 11 MB: only where a mailbox is read.
  const { createImapMailbox } = await import("../providers/mail-in/imap-mailbox.ts");
  return createImapMailbox({ ...from, ...common, address });
}

/** Takes mail in until `closing` ends, if this process is to: by its settings, or from the sandbox in it. */
export async function takeMailIn(app: AppDependencies, closing: AsyncDisposableStack): Promise<void> {
  const { returnAddresses: addresses, config, deps, outside } = app;
  const { mailIn: settings, scanner } = config.providers;
  const from = settings?.from ?? (settings || !outside.sandbox ? undefined : sandboxListener);
  if (!addresses || !from) return;
  const mailIn = await mailInFrom(app, from, addresses);
  await mailIn.start(
    createMailReceiver({
      deps,
      addresses,
      reader: createMailReader({
        authServer: settings?.authServer,
        scanner: scanner && createClamdScanner(scanner),
      }),
      unverified: createUnverifiedMailLimit(await sharedCountsOf(app)),
    }),
  );
  closing.defer(() => mailIn.stop());
  const { listening } = mailIn;
  if (listening && from.protocol !== "imap")
    outside.sandbox?.returnMailTo({ ...listening, protocol: from.protocol });
}
