import type { changeApplication } from "../../contract/orders/own-records.ts";
import type { Read, Schema } from "../../contract/request.ts";
import { serviceTypeOf } from "../../domain/forms/order-payload.ts";
import { type VariantRequest, variantRequest } from "../../domain/forms/variant-request.ts";
import type { OrderCommand } from "../../domain/order/commands.ts";
import { unsealed } from "../../domain/order/personal-data/vault-records.ts";
import type { Order, OrderState, Variant } from "../../domain/order/state.ts";
import { applicationChangeOf } from "../../domain/order/submission/decide-submission.ts";
import { poundsOf } from "../../domain/pricing/money.ts";
import type { JsonObject } from "../../infra/json.ts";
import { invalidFields } from "../gateway/errors/problem.ts";
import { onceADay, validate } from "../gateway/guards/validate.ts";
import { type ClientKey, clientCommandId } from "./command-ids.ts";
import type { OrderDependencies } from "./dependencies.ts";
import type { OnBehalf, OrderResult } from "./orders.ts";
import { typedCommand } from "./personal-data.ts";

/** An application entered again, and whether it has the GRO's index reference, which saves its search fee. */
export interface Amendment {
  readonly application: JsonObject;
  readonly groReferenceKnown: boolean;
}

/**
 * Replaces the application. Before submission it takes the old one's place; after a question from the GRO it is the
 * answer and is submitted again. A policy destroys the replaced application.
 * @throws Refused while an attempt is open, once the GRO has accepted the application without a question, and until the
 * old one is destroyed
 */
export async function amendApplication(
  deps: OrderDependencies,
  orderId: string,
  { application, groReferenceKnown }: Amendment,
  key: ClientKey | undefined,
  by: OnBehalf,
): Promise<OrderResult> {
  const { order } = await deps.orders.load(orderId);
  /** The command for a replaced application: an answer to the GRO, or an amendment. */
  const commandOf = (applicationRef: string): OrderCommand => ({
    type: applicationChangeOf(order),
    data: { applicationRef, groReferenceKnown },
  });
  return deps.orders.execute({
    orderId,
    by,
    ...typedCommand<OrderState, OrderCommand>(deps, {
      subject: orderId,
      commandId: clientCommandId(deps.deriveId, deps.newId, key),
      repeatable: key !== undefined,
      body: application,
      draft: commandOf(unsealed),
      command: async (seal) => commandOf(await seal("application", "application", application)),
    }),
  });
}

/** Ordered certificates can be corrected even if their type has been switched off since. */
export const applicationSchema = (now: () => Date): (() => Schema<VariantRequest>) =>
  onceADay(now, (today) => variantRequest(today));

/** The paid choice, as fields of the variant's body. */
const fixedBy = (variant: Variant) => ({
  certificateType: variant.certificateType,
  fullCertificateQty: variant.copies,
  shortCertificateQty: variant.shortCopies,
  priorityDispatch: variant.serviceLevel === "priority",
  serviceType: serviceTypeOf(variant.serviceLevel === "priority"),
  deliveryMethod: variant.deliveryMethod,
  apostille: variant.apostille,
  amount: poundsOf(variant.totalPence),
});

/**
 * Parses a replaced application with the original schema. Fields fixed by the order may be left out.
 * @throws Problem 422 naming each field that is missing, wrong, or differs from a fixed value
 */
export function applicationIn(
  body: Read<typeof changeApplication>,
  order: Order & { readonly variant: Variant },
  schema: Schema<VariantRequest>,
): Amendment {
  const fixed = fixedBy(order.variant);
  const changed = Object.entries(fixed).filter(
    ([name, value]) => body[name] !== undefined && body[name] !== value,
  );
  if (changed.length > 0) {
    throw invalidFields(
      Object.fromEntries(changed.map(([name]) => [name, "This cannot be changed any more"])),
    );
  }
  const { application, choice } = validate(schema, { ...body, ...fixed, reference: order.reference });
  return { application, groReferenceKnown: choice.groReferenceKnown };
}
