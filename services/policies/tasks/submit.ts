import { type Applicant, applicantNamed } from "../../../domain/forms/names.ts";
import {
  type ApplicationRecord,
  applicationRecord,
  type ContactRecord,
  contactRecord,
  groContact,
} from "../../../domain/forms/sealed-records.ts";
import { submissionKeyOf } from "../../../domain/order/payment/provider-keys.ts";
import type { OpenAttempt, Order } from "../../../domain/order/state.ts";
import { notAfterOf } from "../../../domain/order/submission/submission-window.ts";
import {
  type Application,
  SubmissionRefused,
  SubmissionTooLate,
  SubmissionUncertain,
} from "../../providers/gro/automation.ts";
import { openWhole, RecordGone, RecordUnreadable, type Vault } from "../../vault/vault.ts";
import type { Outcome, OwedTask, TaskDependencies } from "../task-dependencies.ts";
import {
  type EarlierAcceptance,
  findEarlierAcceptance,
  type Report,
  recordAcceptance,
  recordDoubt,
  recordFailure,
  settleByAsking,
} from "./submission-outcome.ts";

/** How long an unreachable service is retried quietly before the attempt is started, which shows it to staff. */
const quietMs = 3_600_000;

/**
 * Submits an application to the GRO, unless a restored log has forgotten that the service already has it. The attempt
 * is recorded before anything is sent.
 * @throws SubmissionUncertain, SubmissionRefused when the service cannot even be asked: nothing was sent
 */
export async function submit(parts: TaskDependencies, owed: OwedTask<"submit">): Promise<Outcome> {
  const { order, task, by, commandId } = owed;
  const { orderId } = order;
  const report = { orderId, attempt: task.attempt, key: submissionKeyOf(orderId, task.attempt), by };
  try {
    const earlier = await findEarlierAcceptance(parts.automation, order);
    if (earlier) return await adopt(parts, report, earlier);
  } catch (error) {
    if (!(error instanceof SubmissionUncertain || error instanceof SubmissionRefused)) throw error;
    if (parts.now().getTime() - Date.parse(task.dueAt) < quietMs) throw error;
    await start(parts, report);
    return recordDoubt(parts.deps, report, error.code, `${commandId}-doubt`);
  }
  return send(parts, order, report, `${commandId}-doubt`);
}

/**
 * Starts an attempt, under a new command id each time: of two concurrent workers the second is refused, so only one
 * sends.
 * @throws Refused when another worker started it
 */
async function start({ deps }: TaskDependencies, { orderId, attempt, by }: Report): Promise<Started> {
  const data = { attempt, channel: "automation" as const };
  const { order } = await deps.orders.execute({
    orderId,
    commandId: deps.newId(),
    by,
    command: { type: "StartSubmission", data },
  });
  const { open } = order.attempts;
  if (open?.attempt !== attempt) throw new Error(`Attempt ${attempt} was started, and is not open.`);
  return { order, open };
}

type Started = { readonly order: Order; readonly open: OpenAttempt };

/**
 * Records an acceptance that the service had all along. Earlier attempts are counted, so their keys are not used again.
 */
async function adopt(
  parts: TaskDependencies,
  next: Report,
  { attempt: last, key, accepted }: EarlierAcceptance,
): Promise<Outcome> {
  const { orderId, by } = next;
  for (let attempt = next.attempt; attempt < last; attempt++) {
    const forgotten: Report = { orderId, attempt, key: submissionKeyOf(orderId, attempt), by };
    await start(parts, forgotten);
    await recordFailure(parts.deps, forgotten, "unknownToProvider");
  }
  const report: Report = { orderId, attempt: last, key, by };
  await start(parts, report);
  return recordAcceptance(parts.deps, report, accepted);
}

async function send(
  parts: TaskDependencies,
  order: Order,
  report: Report,
  doubtId: string,
): Promise<Outcome> {
  const { deps, automation } = parts;
  const found = await openApplication(deps.vault, order);
  const started = await start(parts, report);
  // From here on it cannot be amended; until here it could.
  const application = hasSameRecords(order, started.order)
    ? found
    : await openApplication(deps.vault, started.order);
  if (application === undefined) return recordFailure(deps, report, "invalid");
  try {
    const { key } = report;
    const accepted = await automation.submit({ key, notAfter: notAfterOf(started.open), ...application });
    return await recordAcceptance(deps, report, accepted);
  } catch (error) {
    if (error instanceof SubmissionRefused) return recordFailure(deps, report, error.code);
    // This process paused, and others may have continued: the answer about the key is the same for all.
    if (error instanceof SubmissionTooLate) return settleByAsking(parts, report, doubtId);
    if (error instanceof SubmissionUncertain) return recordDoubt(deps, report, error.code, doubtId);
    throw error;
  }
}

const hasSameRecords = ({ vault: one }: Order, { vault: other }: Order): boolean =>
  one.application === other.application && one.contact === other.contact;

type Content = Omit<Application, "key" | "notAfter">;

/**
 * Undefined when it cannot be read: there is nothing to send, and staff must know.
 * @throws RecordNewer where a newer build asked for something that this one cannot send: a newer worker will
 */
async function openApplication(vault: Vault, order: Order): Promise<Content | undefined> {
  const { variant, orderNumber } = order;
  const { application: applicationRef, contact: contactRef } = order.vault;
  if (!variant || !applicationRef || !contactRef) return undefined;
  try {
    const [application, contact] = await Promise.all([
      vault.open(applicationRef, applicationRecord),
      openWhole(vault, contactRef, contactRecord),
    ]);
    return {
      orderNumber,
      certificateType: variant.certificateType,
      serviceLevel: variant.serviceLevel,
      copies: variant.copies,
      application: { ...application, ...correctedApplicant(order, application, contact) },
      contact: groContact.parse(contact),
    };
  } catch (error) {
    if (error instanceof RecordGone || error instanceof RecordUnreadable) return undefined;
    throw error;
  }
}

/**
 * The contact's name, once the contact was corrected: the log does not say which field changed. Where the contact does
 * not tell the last name apart, the application may.
 */
const correctedApplicant = (
  { counts }: Order,
  { customerLastName = "" }: ApplicationRecord,
  contact: ContactRecord,
): Applicant | undefined =>
  counts.ContactCorrected
    ? applicantNamed({ contactLastName: String(customerLastName), ...contact })
    : undefined;
