import type { changeApplication } from "../../../contract/orders/own-records.ts";
import type { Read, Schema } from "../../../contract/request.ts";
import { serviceTypeOf } from "../../../domain/forms/order-payload.ts";
import { type VariantRequest, variantRequest } from "../../../domain/forms/variant-request.ts";
import type { Order, Variant } from "../../../domain/order/state.ts";
import { poundsOf } from "../../../domain/pricing/money.ts";
import { invalidFields } from "../../gateway/errors/problem.ts";
import { onceADay, validate } from "../../gateway/guards/validate.ts";

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
