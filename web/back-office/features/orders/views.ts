import * as z from "zod/mini";
import { choiceOf } from "./list-query.ts";

/** A named query: filters and sort order. */
export interface View {
  readonly name: string;
  readonly query: string;
}

const waiting = (queue: string): string => `queue=${queue}&direction=ascending`;

export const builtInViews: readonly View[] = [
  { name: "All", query: "" },
  { name: "Not submitted", query: waiting("notSubmitted") },
  { name: "Failed submissions", query: waiting("submissionFailed") },
  { name: "Overdue", query: "queue=overdue&sort=despatch&direction=ascending" },
  { name: "GRO questions", query: waiting("groQuestion") },
  { name: "Refunds to approve", query: waiting("refundProposed") },
  { name: "Newly paid", query: "status=Processing&sort=paid" },
];

const storageKey = "back-office-order-views";
const mostViews = 20;
const storedSchema = z.array(z.object({ name: z.string(), query: z.string() }));

/** The views saved in this browser; none if they are unreadable. */
export function readViews(storage: Pick<Storage, "getItem">): readonly View[] {
  try {
    const parsed = storedSchema.safeParse(JSON.parse(storage.getItem(storageKey) ?? "[]"));
    return parsed.success ? parsed.data.slice(0, mostViews) : [];
  } catch {
    // Corrupt or foreign data.
    return [];
  }
}

/** Adds a view, or replaces the one of the same name. */
export function withView(views: readonly View[], name: string, parameters: URLSearchParams): readonly View[] {
  const others = views.filter((view) => view.name !== name);
  return [...others, { name, query: choiceOf(parameters) }].slice(-mostViews);
}

/** Saves views in this browser. @throws DOMException when storage is blocked or full */
export const keepViews = (storage: Pick<Storage, "setItem">, views: readonly View[]): void =>
  storage.setItem(storageKey, JSON.stringify(views));
