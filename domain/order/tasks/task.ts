import type { UndeliverableBecause } from "../../mailbox.ts";
import type {
  CancellationReason,
  DataClass,
  FailureCause,
  FailureReason,
  MailTemplate,
  PurgeRule,
  RefundReason,
  Revealable,
} from "../vocabulary.ts";

/** How long things are kept and waited for, and who submits. */
export interface TaskSettings {
  readonly purgeAfterSeconds: number;
  readonly unpaidExpiresAfterSeconds: number;
  readonly contactRetentionDays: number;
  /** A customer's browser asks for the submission within this time after paying; after that a policy does. */
  readonly submissionRequestedWithinSeconds: number;
  /** A mail waits this long for the same event of orders that were paid for with its own. 60 by default. */
  readonly mailsGatheredForSeconds?: number;
  /** Staff submit by hand: nothing is sent or asked automatically. False by default. */
  readonly submissionByHand?: boolean;
}

/**
 * Something an order is owed. It may have been done already, because only the event with its result takes it off the
 * list; each is safe to repeat.
 */
export type Task = {
  /** Unique within its order for as long as it is owed, and fit for a job's id (no colon). */
  readonly name: string;
  /** When it falls due. */
  readonly dueAt: string;
} & TaskKind;

export type TaskKind =
  /** Cancel the open intent at the provider, then CancelOrder; a payment that came first is confirmed instead. */
  | { readonly kind: "cancel"; readonly reason: CancellationReason; readonly openIntentId: string | null }
  /** RequestSubmission. */
  | { readonly kind: "requestSubmission" }
  /** End the saved drafts that the order completes, then RecordSavedDraftsEnded. */
  | { readonly kind: "endDrafts"; readonly draftIds: readonly string[] }
  /**
   * Send a mail, then RecordMail. `contactRef`: a replaced record, if the mail goes to its address. `stop`: why it is
   * recorded without being sent.
   */
  | {
      readonly kind: "mail";
      readonly template: MailTemplate;
      readonly about: string;
      readonly contactRef?: string;
      readonly stop?: UndeliverableBecause;
    }
  /** StartSubmission with this attempt, then call the automation service. */
  | { readonly kind: "submit"; readonly attempt: number }
  /** Ask the automation service by key for the outcome of an attempt, before anything is sent again. */
  | { readonly kind: "askSubmission"; readonly attempt: number; readonly key: string }
  /**
   * Start a purge of the class unless one is under way, erase its keys, then PurgeSensitiveData or PurgeContactData.
   * `attempt` counts the failures so far, from 1.
   */
  | {
      readonly kind: "purge";
      readonly dataClass: DataClass;
      readonly rule: PurgeRule;
      readonly attempt: number;
    }
  /** Purge one replaced record, or the text of a closed question, then PurgeReplacedRecord. */
  | { readonly kind: "destroyRecord"; readonly dataClass: Revealable; readonly ref: string }
  /** FailOrder. */
  | { readonly kind: "fail"; readonly cause: FailureCause; readonly reason: FailureReason }
  /** FulfilOrder. */
  | { readonly kind: "fulfil" }
  /** RequestRefund. */
  | {
      readonly kind: "requestRefund";
      readonly intentId: string;
      readonly amountPence: number;
      readonly reason: RefundReason;
    }
  /** Divide a refund made by hand among the orders of its payment, then RecordRefund or RecordRefundOfOthers in each. */
  | {
      readonly kind: "divideReturn";
      readonly providerRefundId: string;
      readonly intentId: string;
      readonly amountPence: number;
    }
  /** Refund at the provider (asked by metadata first), then RecordRefund or RecordRefundFailure. */
  | {
      readonly kind: "refund";
      readonly refundId: string;
      readonly intentId: string;
      readonly amountPence: number;
    };
