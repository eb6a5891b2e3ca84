import type { JsonObject } from "../../../infra/json.ts";

/** What the automation service needs to fill in the GRO's form. Personal: opened from the vault at the moment of use. */
export type Application = {
  /** `order-<id>-submission-<attempt>` */
  key: string;
  /** From when on the service must refuse it, and nothing is sent. ISO 8601 in UTC. */
  notAfter: string;
  orderNumber: string;
  certificateType: string;
  serviceLevel: "standard" | "priority";
  copies: number;
  /** Section 3's certificateDetails, eventDetails, GRO reference and so on, as they were sealed. */
  application: JsonObject;
  /** Name and postal address for the certificate, email for the GRO's questions. */
  contact: JsonObject;
};

export type Accepted = { groOrderReference: string; acceptedAt: string };

/** What became of a key. `unknown`: it was never accepted and is closed now, so the GRO certainly does not have it and never will. */
export type Inquiry = ({ state: "accepted" } & Accepted) | { state: "unknown" };

/** Names a submission: by its key, or by the GRO's reference where a person submitted it. */
export type SubmissionName = { readonly key: string } | { readonly groOrderReference: string };

/** How a submission stands. `unknown`: not accepted so far, which is not certain to remain so. */
export type SubmissionStatus =
  | ({ state: "accepted"; latest: Pick<GroNotice, "kind" | "occurredAt"> | null } & Accepted)
  | { state: "unknown" };

export type GroNotice = {
  noticeId: string;
  key: string;
  kind: "dispatched" | "notFound" | "queried";
  occurredAt: string;
};

/** The port of the service that builds and submits the GRO's forms. */
export interface Automation {
  /**
   * @throws SubmissionRefused when the GRO certainly does not have it
   * @throws SubmissionTooLate when its time is up or its key closed: this request did nothing
   * @throws SubmissionUncertain when nobody knows (time-out, connection lost, fault): ask by key before sending again
   */
  submit(application: Application): Promise<Accepted>;
  /**
   * Settles what became of a key: one that was never accepted is closed for good.
   * @throws SubmissionUncertain when the service cannot be asked
   */
  ask(key: string): Promise<Inquiry>;
  /**
   * How submissions stand, in the order they are named; changes nothing.
   * @throws SubmissionUncertain when the service cannot be asked
   */
  statuses(submissions: readonly SubmissionName[]): Promise<readonly SubmissionStatus[]>;
  /** @throws NoticeRefused on a wrong or old signature, or an unknown shape */
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
/** Refused for coming too late. What became of its key, perhaps by another request, an inquiry tells. */
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
