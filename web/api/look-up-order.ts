import * as z from "zod/mini";
import { certificateTypes } from "../../domain/forms/options.ts";
import { api } from "../paths.ts";
import { requestJson } from "./request.ts";

const historyEntry = z.object({ status: z.string(), text: z.optional(z.string()), timestamp: z.string() });
const promise = z.object({ despatchBy: z.string(), receivedOn: z.optional(z.nullable(z.string())) });
const receipt = z.object({
  destroyed: z.array(z.string()),
  at: z.string(),
  secondsAfterSubmission: z.nullable(z.number()),
  rule: z.string(),
  probe: z.string(),
  keyFingerprint: z.string(),
});

/** POST /api/orders/lookup: everything that may be shown to whoever knows the number. */
export const trackedOrder = z.object({
  /** For the holder alone: what a command on the order needs. */
  id: z.optional(z.nullable(z.string())),
  orderNumber: z.string(),
  status: z.string(),
  createdAt: z.string(),
  total: z.number(),
  items: z.array(z.string()),
  /** Newest first. */
  statusHistory: z.array(historyEntry),
  promise: z.optional(z.nullable(promise)),
  receipt: z.optional(z.nullable(receipt)),
  lastUpdated: z.optional(z.nullable(z.string())),
  /** What the holder may do now; false or absent for anybody else. */
  canCancel: z.optional(z.boolean()),
  canAmend: z.optional(z.boolean()),
  /** The GRO has a question, which is answered by entering the details again. */
  question: z.optional(z.boolean()),
  /** The confirmation could not be delivered. */
  needsAnotherAddress: z.optional(z.boolean()),
  /** Somebody asked to cancel while the application was on its way: what came of it decides. */
  cancellationRequested: z.optional(z.boolean()),
  /** What the holder may correct of name, address, email and phones: all, or how we reach them. */
  contactChange: z.optional(z.nullable(z.enum(["all", "reach"]))),
  certificateType: z.optional(z.nullable(z.enum(certificateTypes))),
});

export type TrackedOrder = z.infer<typeof trackedOrder>;
export type DeletionReceipt = z.infer<typeof receipt>;

/** @throws ApiError, 404 when there is no such order */
export const lookUpOrder = (orderNumber: string): Promise<TrackedOrder> =>
  requestJson(trackedOrder, "POST", api.lookup, { orderNumber });
