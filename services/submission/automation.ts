import type { JsonObject } from "../../infra/json.ts";

/** What the automation service needs to fill in the GRO's form. Personal: opened from the vault at the moment of use. */
export type Application = {
  /** `order-<id>-submission-<attempt>` */
  key: string;
  orderNumber: string;
  certificateType: string;
  serviceLevel: "standard" | "priority";
  copies: number;
  /** Section 3's certificateDetails, eventDetails, GRO reference and so on, as they were sealed. */
  application: JsonObject;
  /** Name and postal address for the certificate, e-mail for the GRO's questions. */
  contact: JsonObject;
};

export type Accepted = { groOrderReference: string; acceptedAt: string };

/** What the service knows of a key. `unknown`: it never accepted it, so the GRO certainly does not have it. */
export type Inquiry = ({ state: "accepted" } & Accepted) | { state: "unknown" };

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
   * @throws SubmissionUncertain when nobody knows (time-out, connection lost, fault): ask by key before sending again
   */
  submit(application: Application): Promise<Accepted>;
  /** @throws SubmissionUncertain when the service cannot be asked */
  ask(key: string): Promise<Inquiry>;
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
