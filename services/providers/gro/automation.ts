import type { JsonObject } from "../../../infra/json.ts";

/** The data for the GRO's form. Personal: opened from the vault when needed. */
export type Application = {
  /** `order-<id>-submission-<attempt>` */
  key: string;
  /** Deadline, ISO 8601 in UTC: from then on we send nothing and the service must refuse it. */
  notAfter: string;
  orderNumber: string;
  certificateType: string;
  serviceLevel: "standard" | "priority";
  copies: number;
  /**
   * Certificate details, event details, GRO reference and so on, as sealed (specification, section 3); the applicant's
   * name as in `contact` once that was corrected.
   */
  application: JsonObject;
  /** Applicant, email for the GRO's questions, and the recipient of the certificate, if not the customer. */
  contact: JsonObject;
};

export type Accepted = { groOrderReference: string; acceptedAt: string };

/** Outcome of a key. `unknown`: never accepted and now closed, so the GRO does not have it and never will. */
export type Inquiry = ({ state: "accepted" } & Accepted) | { state: "unknown" };

/** Identifies a submission by its key, or by GRO reference if a person submitted it. */
export type SubmissionName = { readonly key: string } | { readonly groOrderReference: string };

/** `unknown`: not accepted so far, which may change. */
export type SubmissionStatus =
  | ({ state: "accepted"; latest: Omit<GroNotice, "noticeId" | "key"> | null } & Accepted)
  | { state: "unknown" };

export type GroNotice = {
  noticeId: string;
  key: string;
  kind: "dispatched" | "notFound" | "queried";
  occurredAt: string;
  /** The text of a question. Personal. */
  question?: string | undefined;
};

/** Port of the service that fills in and submits the GRO's forms. */
export interface Automation {
  /**
   * @throws SubmissionRefused when the GRO certainly does not have it
   * @throws SubmissionTooLate when its deadline has passed or its key is closed: this request did nothing
   * @throws SubmissionUncertain when the outcome is unknown (time-out, connection lost, server error): ask by key
   * before sending again
   */
  submit(application: Application): Promise<Accepted>;
  /**
   * Resolves a key: one that was never accepted is closed for good.
   * @throws SubmissionUncertain when the service cannot be asked
   */
  ask(key: string): Promise<Inquiry>;
  /**
   * Status of submissions, in the given order; changes nothing.
   * @throws SubmissionUncertain when the service cannot be asked
   */
  statuses(submissions: readonly SubmissionName[]): Promise<readonly SubmissionStatus[]>;
  /** @throws NoticeRefused for a wrong or old signature, or an unknown shape */
  readNotice(rawBody: Buffer, headers: Record<string, string | undefined>): GroNotice;
}

export class SubmissionRefused extends Error {
  override name = "SubmissionRefused";
  readonly code: "rejected" | "invalid" | "unauthorized";
  constructor(code: "rejected" | "invalid" | "unauthorized") {
    super(`The automation service refused the submission: ${code}.`);
    this.code = code;
  }
}
/** Refused for arriving too late. An inquiry reveals the outcome of its key, perhaps through another request. */
export class SubmissionTooLate extends Error {
  override name = "SubmissionTooLate";
  readonly code: "expired" | "closed";
  constructor(code: "expired" | "closed") {
    super(`The submission came too late: ${code}.`);
    this.code = code;
  }
}
export class SubmissionUncertain extends Error {
  override name = "SubmissionUncertain";
  readonly code: "timeout" | "unreachable" | "fault" | "circuitOpen";
  constructor(code: "timeout" | "unreachable" | "fault" | "circuitOpen") {
    super(`The outcome of the submission is unknown: ${code}.`);
    this.code = code;
  }
}
export class NoticeRefused extends Error {
  override name = "NoticeRefused";
}

/** A bug: an application was about to be sent although staff submit manually. Thrown before anything is sent. */
class SubmissionByHand extends Error {
  override name = "SubmissionByHand";
}

const refuse = async (): Promise<never> => {
  throw new SubmissionByHand("Submission is by hand: there is no automation service to call.");
};

/** Replaces the automation service if there is none. No task reaches it, and any callback is rejected. */
export const noAutomation: Automation = {
  submit: refuse,
  ask: refuse,
  statuses: refuse,
  readNotice: () => {
    throw new NoticeRefused("Submission is by hand: there is no automation service to ask.");
  },
};
