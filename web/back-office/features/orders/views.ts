import * as z from "zod/mini";
import { choiceOf } from "./list-query.ts";

/** A list under a name: filters and order, as they stand in the address. */
export interface View {
  readonly name: string;
  readonly query: string;
}

const waiting = (queue: string): string => `queue=${queue}&direction=ascending`;

/** Views that everybody has. */
export const builtInViews: readonly View[] = [
  { name: "All", query: "" },
  { name: "Not submitted", query: waiting("notSubmitted") },
  { name: "Failed submissions", query: waiting("submissionFailed") },
  { name: "Past the promise", query: "queue=overdue&sort=despatch&direction=ascending" },
  { name: "GRO questions", query: waiting("groQuestion") },
  { name: "Refunds to approve", query: waiting("refundProposed") },
  { name: "Newly paid", query: "status=Processing&sort=paid" },
];

const storageKey = "back-office-order-views";
const mostViews = 20;
const storedSchema = z.array(z.object({ name: z.string(), query: z.string() }));

/** The views kept in this browser. What cannot be read is none. */
export function readViews(storage: Pick<Storage, "getItem">): readonly View[] {
  try {
    const parsed = storedSchema.safeParse(JSON.parse(storage.getItem(storageKey) ?? "[]"));
    return parsed.success ? parsed.data.slice(0, mostViews) : [];
  } catch {
    // Somebody else wrote there, or half of it was lost.
    return [];
  }
}

/** The views with one more, or another in the place of one of the same name. */
export function withView(views: readonly View[], name: string, parameters: URLSearchParams): readonly View[] {
  const others = views.filter((view) => view.name !== name);
  return [...others, { name, query: choiceOf(parameters) }].slice(-mostViews);
}

/** Keeps views in this browser. @throws DOMException when the browser lets nothing be kept */
export const keepViews = (storage: Pick<Storage, "setItem">, views: readonly View[]): void =>
  storage.setItem(storageKey, JSON.stringify(views));
