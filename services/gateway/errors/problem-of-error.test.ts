import { expect, it } from "vitest";
import { Refused } from "../../../domain/decider.ts";
import { IdentityUnavailable } from "../../identity/identity-provider.ts";
import { PersonalDataDestroyed } from "../../orders/staff/reveal-personal-data.ts";
import { RecordNewer } from "../../vault/vault.ts";
import { problemOf } from "./problem-of-error.ts";

const refusedConnection = () => Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });

it.each([
  ["a database that nothing listens for", refusedConnection()],
  ["a database that is shutting down", Object.assign(new Error("shutting down"), { code: "57P03" })],
  [
    "a key folder without room",
    Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" }),
  ],
  ["a connection that ended under a query", new Error("Connection terminated unexpectedly")],
])("asks to try again after %s", (_name, error) => {
  const problem = problemOf(error);
  expect(problem.status).toBe(503);
  expect(problem.code).toBe("unavailable");
  expect(problem.headers).toEqual({ "Retry-After": "5" });
});

it("calls what it does not know our own fault", () => {
  expect(problemOf(new Error("never heard of it")).status).toBe(500);
  expect(problemOf(Object.assign(new Error("no such column"), { code: "42703" })).status).toBe(500);
});

it("tells who decided upon an older revision where it stands now", () => {
  const refused = new Refused({
    code: "changed-meanwhile",
    phase: "any",
    rule: "changed-meanwhile",
    details: { revision: 7 },
  });
  const problem = problemOf(refused);
  expect([problem.status, problem.code]).toEqual([409, "changed-meanwhile"]);
  expect(problem.members).toEqual({ revision: 7 });
});

it("says that what was to be looked at is gone for good", () => {
  const problem = problemOf(new PersonalDataDestroyed("application"));
  expect([problem.status, problem.code]).toEqual([410, "personal-data-destroyed"]);
  expect(problem.members).toEqual({ dataClass: "application" });
});

it("asks to try again when the sign-in's provider does not answer", () => {
  const problem = problemOf(new IdentityUnavailable("timeout"));
  expect([problem.status, problem.code]).toEqual([503, "identity-unavailable"]);
  expect(problem.headers).toEqual({ "Retry-After": "5" });
});

it("asks to try a record of a newer build again later", () => {
  const problem = problemOf(new RecordNewer("Record 1 has unknown fields."));
  expect([problem.status, problem.code]).toEqual([423, "record-unreadable"]);
});
