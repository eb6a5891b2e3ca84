import { z } from "zod";
import type { NewEvent } from "../../infra/event-store/event-store.ts";
import type { ServiceFamilies } from "./service-families.ts";

type Counted = Pick<ServiceFamilies, "purgeSeconds" | "purgesFailed" | "mailsUndeliverable">;

const purged = z.object({ secondsSinceSubmission: z.number().nullable() });
const failed = z.object({ code: z.string() });
const mail = z.object({ template: z.string() });

/** What some events mean in figures. Each is counted by the process that appended it, so once. */
export function countEvent(counted: Counted, { type, data }: NewEvent): void {
  if (type === "SensitiveDataPurged") {
    const seconds = purged.parse(data).secondsSinceSubmission;
    if (seconds !== null) counted.purgeSeconds.observe({}, seconds);
  }
  if (type === "PurgeFailed") counted.purgesFailed.add({ code: failed.parse(data).code });
  if (type === "ConfirmationUndeliverable" || type === "MailUndeliverable")
    counted.mailsUndeliverable.add({ template: mail.parse(data).template });
}
