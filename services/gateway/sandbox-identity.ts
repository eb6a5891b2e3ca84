import { Router } from "express";
import { type IssueSandboxToken, sandboxSignIn } from "../identity/sandbox-tokens.ts";
import { readJson } from "./guards/json-body.ts";
import { validate } from "./guards/validate.ts";

/** `POST /token {username, role}` answers a session token as the identity provider would issue it. */
export function sandboxIdentity(issueToken: IssueSandboxToken): Router {
  const router = Router();
  router.post("/token", async (request, response) => {
    await readJson(request, response);
    const token = await issueToken(validate(sandboxSignIn, request.body));
    response.set("Cache-Control", "no-store").json({ token });
  });
  return router;
}
