import { type Request, type RequestHandler, type Response, Router } from "express";
import {
  type SandboxIdentity,
  sandboxSessionSeconds,
  sandboxSignIn,
} from "../../providers/clerk/sandbox/sandbox-identity.ts";
import { Problem } from "../errors/problem.ts";
import type { SameOrigin } from "../guards/identify.ts";
import { readJson, validate } from "../guards/validate.ts";

const cookieName = "sandbox-session";

/**
 * The sandbox identity provider, for this machine only. `GET /unlock` asks a browser for the secret and redirects to
 * the back office, `GET /persons` lists people, `POST /sign-in {username, role}` opens a session with a cookie, `POST
 * /session-token` returns a token for it, `POST /sign-out` ends it. `POST /token {username, role}` opens a session and
 * returns a token in one step, for programs.
 * @param fromHere admits this machine only
 * @param secure whether browsers use https
 */
export function sandboxIdentity(
  identity: SandboxIdentity,
  fromHere: RequestHandler,
  sameOrigin: SameOrigin,
  secure: boolean,
): Router {
  const attributes = `; Path=/sandbox/identity; HttpOnly; SameSite=Lax${secure ? "; Secure" : ""}`;
  const router = Router();
  router.use(fromHere, (_request, response, next) => {
    response.set("Cache-Control", "no-store");
    next();
  });
  const post = (path: string, answer: (request: Request, response: Response) => Promise<unknown>) =>
    router.post(path, async (request, response) => {
      sameOrigin(request);
      await readJson(request, response);
      await answer(request, response);
    });

  router.get("/unlock", (_request, response) => response.redirect(303, "/accessadmin"));
  router.get("/persons", (_request, response) => {
    const persons = identity.people.map(({ username, role }) => ({ username, role: role ?? null }));
    response.json({ persons });
  });
  post("/sign-in", async (request, response) => {
    const who = validate(sandboxSignIn, request.body);
    // One session per browser: signing in as another person ends the previous session.
    await signOutOf(request);
    const secret = await identity.signIn(who);
    response.set("Set-Cookie", `${cookieName}=${secret}; Max-Age=${sandboxSessionSeconds}${attributes}`);
    response.status(204).end();
  });
  post("/session-token", async (request, response) => {
    const secret = secretIn(request);
    const token = secret === undefined ? undefined : await identity.tokenOf(secret);
    // Not 401: being signed out is a normal answer, and browsers report every refusal in the console.
    response.json({ token: token ?? null });
  });
  post("/sign-out", async (request, response) => {
    await signOutOf(request);
    response.set("Set-Cookie", `${cookieName}=; Max-Age=0${attributes}`).status(204).end();
  });
  post("/token", async (request, response) => {
    const token = await identity.tokenOf(await identity.signIn(validate(sandboxSignIn, request.body)));
    if (token === undefined) throw new Problem("busy", "The session ended immediately: please try again.");
    response.json({ token });
  });

  async function signOutOf(request: Request): Promise<void> {
    const secret = secretIn(request);
    if (secret !== undefined) await identity.signOut(secret);
  }
  return router;
}

function secretIn(request: Request): string | undefined {
  const pairs = (request.headers.cookie ?? "").split(";").map((pair) => pair.trim());
  const found = pairs.find((pair) => pair.startsWith(`${cookieName}=`))?.slice(cookieName.length + 1);
  return found !== undefined && /^[\w-]{43}$/.test(found) ? found : undefined;
}
