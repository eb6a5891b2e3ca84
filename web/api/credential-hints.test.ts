import { expect, test } from "vitest";
import { credentialHints } from "./credential-hints.ts";

type HintSources = Parameters<typeof credentialHints>[0];

const nothing: HintSources = { cookies: "", stored: () => null, query: new URLSearchParams() };
const everything: HintSources = {
  cookies: "a=1; __clerk_db_jwt=dvb_1=2; b=3",
  stored: () => "user_stored",
  query: new URLSearchParams("clerk_user_id=user_address"),
};

test("without any hint only the debug header is sent, and says so", () => {
  expect(credentialHints(nothing)).toEqual({
    headers: { "X-Debug-Info": "no-credentials" },
    userIdFromAddress: null,
    userIdForCookie: null,
  });
});

test("a development token in a cookie comes first, as a bearer", () => {
  const { headers, userIdForCookie } = credentialHints(everything);
  expect(headers).toEqual({ Authorization: "Bearer dvb_1=2", "X-Debug-Info": "development-token" });
  expect(userIdForCookie).toBeNull();
});

test("then a stored user id, in its header, as a prefixed bearer, and for the cookie", () => {
  expect(credentialHints({ ...everything, cookies: "" })).toEqual({
    headers: {
      "X-Clerk-User-Id": "user_stored",
      Authorization: "Bearer clerk-user_stored",
      "X-Debug-Info": "stored-user-id",
    },
    userIdFromAddress: null,
    userIdForCookie: "user_stored",
  });
});

test("then one in the address, which is to be stored and taken out of it", () => {
  const hints = credentialHints({ ...everything, cookies: "", stored: () => null });
  expect(hints.headers["X-Clerk-User-Id"]).toBe("user_address");
  expect(hints.headers["X-Debug-Info"]).toBe("user-id-in-address");
  expect(hints.userIdFromAddress).toBe("user_address");
});
