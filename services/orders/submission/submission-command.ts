import type { OrderCommand } from "../../../domain/order/commands.ts";
import { unsealed } from "../../../domain/order/personal-data/vault-records.ts";
import type { OrderState } from "../../../domain/order/state.ts";
import type { OrderDependencies } from "../dependencies.ts";
import { typedCommand } from "../personal-data.ts";

/** An application accepted by the GRO. Its reference, if any, is personal data: it identifies a person. */
type Submitted = {
  readonly attempt: number | null;
  readonly groOrderReference: string | null;
  readonly submittedAt: string;
};

/**
 * RecordSubmission with the GRO's reference sealed; not compared, since every reporter takes it from the same answer.
 */
export function submissionCommand(
  deps: OrderDependencies,
  orderId: string,
  commandId: string,
  { attempt, groOrderReference, submittedAt }: Submitted,
) {
  const commandOf = (groReferenceRef: string | null): OrderCommand => ({
    type: "RecordSubmission",
    data: { attempt, groReferenceRef, submittedAt },
  });
  return typedCommand<OrderState, OrderCommand>(deps, {
    subject: orderId,
    commandId,
    repeatable: false,
    body: { groOrderReference },
    draft: commandOf(groOrderReference === null ? null : unsealed),
    command: async (seal) =>
      commandOf(
        groOrderReference === null ? null : await seal("groOrderReference", "contact", { groOrderReference }),
      ),
  });
}
