import { z } from "zod";

/** The closed lists that settings use. */

/** `staff` works on orders, `manager` also approves refunds and changes settings, `compliance` only reads. */
export const staffRole = z.enum(["staff", "manager", "compliance"]);
export type StaffRole = z.infer<typeof staffRole>;

/** A member of staff in the settings: the role granted, or that it was revoked. */
export type Grant = StaffRole | "revoked";

/** Contact data is kept for so long at least: a certificate takes weeks, and so do questions about it. */
export const leastRetentionDays = 30;

/** A refund of more than this needs a second person, until a setting says otherwise: £100. */
export const usualRefundLimitPence = 100_00;
