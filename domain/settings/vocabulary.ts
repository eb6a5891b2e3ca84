import { z } from "zod";

/** The closed lists that settings use. */

/** `staff` works on orders, `manager` decides besides, `compliance` reads and commands nothing. */
export const staffRole = z.enum(["staff", "manager", "compliance"]);
export type StaffRole = z.infer<typeof staffRole>;

/** What the settings say of somebody who works here: the role they were granted, or that they were revoked. */
export type Grant = StaffRole | "revoked";

/** Contact data is kept for so long at least: a certificate takes weeks, and so do questions about it. */
export const leastRetentionDays = 30;

/** A refund of more than this needs a second person, until a setting says otherwise: £100. */
export const usualRefundLimitPence = 100_00;
