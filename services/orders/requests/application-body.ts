import type { changeApplication } from "../../../contract/orders/own-records.ts";
import type { Read, Schema } from "../../../contract/request.ts";
import { serviceTypeOf } from "../../../domain/forms/order-payload.ts";
import { type VariantRequest, variantRequest } from "../../../domain/forms/variant-request.ts";
import type { Order, Variant } from "../../../domain/order/state.ts";
import { poundsOf } from "../../../domain/pricing/money.ts";
import { invalidFields } from "../../gateway/errors/problem.ts";
import { validate } from "../../gateway/guards/validate.ts";
import { onceADay } from "../../gateway/routing/once-a-day.ts";

/** What is ordered already may be put right, whatever has been switched off since. */
export const applicationSchema = (now: () => Date): (() => Schema<VariantRequest>) =>
  onceADay(now, (today) => variantRequest(today));

/** What was chosen and paid for, in the words of the variant's body. */
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
 * The application in a body that enters it again, by the same schema as the first time. What the order fixed may be left out.
 * @throws Problem 422 naming each field that is missing or wrong, or is fixed and another
 */
export function applicationIn(
  body: Read<typeof changeApplication>,
  order: Order & { readonly variant: Variant },
  schema: Schema<VariantRequest>,
): VariantRequest["application"] {
  const fixed = fixedBy(order.variant);
  const changed = Object.entries(fixed).filter(
    ([name, value]) => body[name] !== undefined && body[name] !== value,
  );
  if (changed.length > 0) {
    throw invalidFields(
      Object.fromEntries(changed.map(([name]) => [name, "This cannot be changed any more"])),
    );
  }
  return validate(schema, { ...body, ...fixed, reference: order.reference }).application;
}
