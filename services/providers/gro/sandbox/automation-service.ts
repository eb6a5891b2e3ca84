import express, { type Express, type Request, type RequestHandler, type Response, Router } from "express";
import { z } from "zod";
import type { Log } from "../../../../infra/process/log.ts";
import { ownFormsOnly } from "../../sandbox/own-forms-only.ts";
import { sandboxPolicy } from "../../sandbox/sandbox-page.ts";
import { refuseNull } from "../../sandbox/unreadable-requests.ts";
import { noticeMessage } from "../automation-protocol.ts";
import { createAutomationServer } from "./automation-server.ts";
import { Behaviour, behaviourChange, noticeCopies } from "./behaviour.ts";
import { groPage } from "./gro-pages.ts";
import type { Received, Register } from "./register.ts";

const noticeRequest = z
  .strictObject({ orderNumber: z.string(), key: z.string(), kind: noticeMessage.shape.kind })
  .partial({ orderNumber: true, key: true });

export type AutomationService = {
  behaviour: Behaviour;
  /** `/gro` to read, `/gro/behaviour` and `/gro/notices` to steer; for this machine only. */
  routes: Router;
  /** For the product; reads signed requests only. */
  api: Express;
};

const receivedJson = ({ submission, groOrderReference, acceptedAt }: Received) => ({
  ...submission,
  groOrderReference,
  acceptedAt: acceptedAt.toISOString(),
});

/** The automation service in a box: its API, and what the GRO received to look at. */
export function createAutomationService(parts: {
  register: Register;
  secret: string;
  fromHere: RequestHandler;
  log: Pick<Log, "error">;
}): AutomationService {
  const { register, secret, log } = parts;
  const behaviour = new Behaviour();
  return {
    behaviour,
    routes: groRoutes(register, behaviour, parts.fromHere),
    api: createAutomationServer({ register, behaviour, secret, log }),
  };
}

/** A form's sender goes back to the page; a program gets the answer. */
function answer(request: Request, response: Response, status: number, body: object): void {
  if (status < 300 && request.is("urlencoded")) response.redirect(303, "/sandbox/gro");
  else response.status(status).json(body);
}

function groRoutes(register: Register, behaviour: Behaviour, fromHere: RequestHandler): Router {
  const routes = Router();
  routes.use(
    "/gro",
    fromHere,
    ownFormsOnly,
    express.json({ limit: "4kb" }),
    express.urlencoded({ extended: false, limit: "4kb" }),
    refuseNull,
  );
  routes.get("/gro", (request, response) => {
    response.set({ "Cache-Control": "no-store", Vary: "Accept" });
    if (request.accepts(["html", "json"]) === "json") {
      response.json(register.received.map(receivedJson));
      return;
    }
    response.set("Content-Security-Policy", sandboxPolicy("own forms")).type("html");
    response.send(groPage(register.received, behaviour.current).markup);
  });
  routes.post("/gro/behaviour", (request, response) => {
    const change = behaviourChange.safeParse(request.body);
    if (!change.success) return answer(request, response, 422, { issues: z.prettifyError(change.error) });
    behaviour.set(change.data);
    return answer(request, response, 200, change.data);
  });
  routes.post("/gro/notices", async (request, response) => {
    const wanted = noticeRequest.safeParse(request.body);
    if (!wanted.success) return answer(request, response, 422, { issues: z.prettifyError(wanted.error) });
    const acceptance = await register.find(wanted.data.key ?? wanted.data.orderNumber ?? "");
    if (!acceptance) return answer(request, response, 404, { issues: "No such submission was accepted." });
    const copies = noticeCopies(behaviour.current);
    const noticeIds = await register.notify(acceptance.key, wanted.data.kind, copies);
    return answer(request, response, 202, { key: acceptance.key, noticeIds });
  });
  return routes;
}
