import type { StaffRole } from "../domain/settings/vocabulary.ts";

/** Work on orders and tickets. */
export const staff = ["staff", "manager"] as const satisfies readonly StaffRole[];
/** Decide on proposals and settings. */
export const managers = ["manager"] as const satisfies readonly StaffRole[];
/** Read the purge register and the access log. */
export const auditors = ["compliance", "manager"] as const satisfies readonly StaffRole[];
export const everyRole = ["staff", "manager", "compliance"] as const satisfies readonly StaffRole[];

export type StaffRequest = { readonly from: readonly StaffRole[] };

/** Whether a role may send a request. */
export const maySend = (role: StaffRole | null, { from }: StaffRequest): boolean =>
  role !== null && from.includes(role);
