import { Router } from "express";
import { type IssueSandboxToken, sandboxSignIn } from "../identity/sandbox-tokens.ts";
import { fromThisMachine } from "../sandbox/from-here.ts";
import { readJson } from "./guards/json-body.ts";
import type { SameOrigin } from "./guards/same-origin.ts";
import { validate } from "./guards/validate.ts";

/** `POST /token {username, role}` answers a session token as the identity provider would issue it, to this machine alone. */
export function sandboxIdentity(issueToken: IssueSandboxToken, sameOrigin: SameOrigin): Router {
  const router = Router();
  router.post("/token", fromThisMachine, async (request, response) => {
    sameOrigin(request);
    await readJson(request, response);
    const token = await issueToken(validate(sandboxSignIn, request.body));
    response.set("Cache-Control", "no-store").json({ token });
  });
  return router;
}
