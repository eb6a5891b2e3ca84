import { createMailReceiver } from "../correspondence/receive-mail.ts";
import { createMailLimit } from "../gateway/guards/limit.ts";
import { createSmtpListener } from "../providers/mail-in/smtp-listener.ts";
import type { AppDependencies } from "./app-dependencies.ts";
import { sharedCountsOf } from "./infrastructure.ts";

/** The sandbox's own: nobody else sends mail there. */
const sandboxListener = { protocol: "lmtp", host: "127.0.0.1", port: 0 } as const;

/** Takes mail in until `closing` ends, if this process is to: by its settings, or from the sandbox in it. */
export async function takeMailIn(app: AppDependencies, closing: AsyncDisposableStack): Promise<void> {
  const { returnAddresses: addresses, outside, deps, log } = app;
  const place = outside.sandbox && sandboxListener;
  if (!addresses || !place) return;
  const mailIn = createSmtpListener({ ...place, isOurs: addresses.isOurs, log });
  await mailIn.start(
    createMailReceiver({
      deps,
      addresses,
      authServer: undefined,
      isInfected: async () => false,
      allowsMail: createMailLimit(await sharedCountsOf(app)),
    }),
  );
  closing.defer(() => mailIn.stop());
  if (mailIn.listening) outside.sandbox?.returnMailTo({ ...mailIn.listening, protocol: place.protocol });
}
