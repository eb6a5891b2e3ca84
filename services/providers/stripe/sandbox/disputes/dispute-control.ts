import express, { type RequestHandler, type Response, Router } from "express";
import { z } from "zod";
import type { Pool } from "../../../../../infra/postgres/pool.ts";
import { ownFormsOnly } from "../../../sandbox/own-forms-only.ts";
import { sandboxPolicy } from "../../../sandbox/sandbox-page.ts";
import { refuseNull } from "../../../sandbox/unreadable-requests.ts";
import { listIntents } from "../intents.ts";
import type { Ledger } from "../ledger.ts";
import { disputeJson } from "../presenting.ts";
import { StripeRefusal } from "../refusal.ts";
import { paymentsPage } from "./dispute-page.ts";
import { dispositions, disputeReasons, listDisputes } from "./disputes.ts";

const opening = z.strictObject({
  intentId: z.string(),
  amount: z.coerce.number().int().min(1).optional(),
  reason: z.enum(disputeReasons).default("general"),
});
const closing = z.strictObject({ disputeId: z.string(), status: z.enum(dispositions) });

const mostShown = 100;

/** Plays the cardholder and the bank: a page of what was paid, and controls that open and decide disputes. */
export function disputeControl({
  pool,
  ledger,
  fromHere,
}: {
  pool: Pool;
  ledger: Ledger;
  fromHere: RequestHandler;
}): Router {
  const routes = Router();
  const read = [
    fromHere,
    ownFormsOnly,
    express.json({ limit: "4kb" }),
    express.urlencoded({ extended: false, limit: "4kb" }),
    refuseNull,
  ];
  routes.get("/payments", fromHere, async (_request, response) => {
    const [intents, disputes] = await Promise.all([
      listIntents(pool, mostShown),
      listDisputes(pool, mostShown, null),
    ]);
    const paid = intents.filter(({ status }) => status === "succeeded");
    response.set("Content-Security-Policy", sandboxPolicy("own forms")).set("Cache-Control", "no-store");
    response.type("html").send(paymentsPage(paid, disputes).markup);
  });
  routes.post("/payments/disputes", ...read, (request, response) =>
    controlled(response, request.is("json") !== false, async () => {
      const wanted = opening.parse(request.body);
      return ledger.transaction((client) => ledger.dispute(client, wanted));
    }),
  );
  routes.post("/payments/disputes/close", ...read, (request, response) =>
    controlled(response, request.is("json") !== false, async () => {
      const { disputeId, status } = closing.parse(request.body);
      return ledger.transaction((client) => ledger.closeDispute(client, disputeId, status));
    }),
  );
  return routes;
}

/** A form of the page comes back to it; a program gets the dispute as JSON. */
async function controlled(
  response: Response,
  isProgram: boolean,
  work: () => Promise<Parameters<typeof disputeJson>[0]>,
): Promise<void> {
  try {
    const dispute = await work();
    if (isProgram) response.json(disputeJson(dispute));
    else response.redirect(303, "/sandbox/payments");
  } catch (error) {
    if (error instanceof z.ZodError) response.status(422).json({ issues: z.prettifyError(error) });
    else if (error instanceof StripeRefusal) response.status(error.status).json({ message: error.message });
    else throw error;
  }
}
