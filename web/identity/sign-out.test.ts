import { afterEach, expect, test, vi } from "vitest";
import { carrySessionTokens } from "../api/request.ts";
import { identityStore, isMarkedSignedIn, markSignedIn, typedWork } from "./page-identity.ts";

function memory(kept: Map<string, string>): Storage {
  return {
    get length() {
      return kept.size;
    },
    key: (at) => [...kept.keys()][at] ?? null,
    getItem: (name) => kept.get(name) ?? null,
    setItem: (name, value) => void kept.set(name, value),
    removeItem: (name) => void kept.delete(name),
    clear: () => kept.clear(),
  };
}

afterEach(() => {
  carrySessionTokens(undefined);
  vi.unstubAllGlobals();
});

test("signing out forgets the marker and what was typed and not sent, and nothing else of the tab", async () => {
  const kept = new Map([
    [`${typedWork}ticket-reply:T-1`, "Dear Siân"],
    ["position", "00a1"],
    [`${typedWork}ticket-note:T-2`, "Rang."],
  ]);
  vi.stubGlobal("sessionStorage", memory(kept));
  vi.stubGlobal("localStorage", memory(new Map()));
  const inPage = { textContent: '{"clerkPublishableKey":null}' };
  vi.stubGlobal("document", { cookie: "", getElementById: () => inPage });
  vi.stubGlobal("location", new URL("https://certificates.example/accessadmin"));
  const asked: string[] = [];
  vi.stubGlobal("fetch", async (url: string) => {
    if (url === "/sandbox/identity/session-token") return Response.json({ token: null });
    asked.push(url);
    return new Response(null, { status: 204 });
  });
  markSignedIn();
  await identityStore.signOut();
  expect(asked).toEqual(["/api/me/sign-out", "/sandbox/identity/sign-out"]);
  expect([...kept.keys()]).toEqual(["position"]);
  expect(isMarkedSignedIn()).toBe(false);
});
