import type { EndedSessions } from "../../services/identity/ended-sessions.ts";
import {
  type createSandboxTokens,
  preparedPeople,
  type SandboxIdentity,
  userIdOf,
} from "../../services/providers/clerk/sandbox/sandbox-identity.ts";

type SandboxPerson = (typeof preparedPeople)[number];

export type TestIdentity = { readonly ended: EndedSessions; readonly provider: SandboxIdentity };

/** Keeps sessions in memory, for tests without a database. */
export function memoryIdentity(parts: {
  issueToken: ReturnType<typeof createSandboxTokens>;
  now: () => Date;
  newId: () => string;
}): TestIdentity {
  const { issueToken, now, newId } = parts;
  const open = new Map<string, { person: SandboxPerson; sessionId: string }>();
  const over = new Map<string, number>();
  const drop = (gone: (session: { person: SandboxPerson; sessionId: string }) => boolean) => {
    for (const [secret, session] of open) if (gone(session)) open.delete(secret);
  };
  const isOver = (id: string, issuedAtSeconds: number) => issuedAtSeconds < (over.get(id) ?? 0);
  const ended: EndedSessions = {
    endedAmong: async (sessions) =>
      sessions.filter((one) => [one.userId, one.sessionId].some((id) => isOver(id, one.issuedAtSeconds))),
    hasEnded: async (session) => (await ended.endedAmong([session])).length > 0,
    endSession: async (id) => void over.set(id, Number.POSITIVE_INFINITY),
    endSessionsOf: async (id) => void over.set(id, now().getTime() / 1000),
  };
  const provider: SandboxIdentity = {
    people: preparedPeople,
    signIn: async ({ username, role }) => {
      const secret = newId().replaceAll("-", "").padEnd(43, "0");
      const sessionId = `sess_${newId().replaceAll("-", "")}`;
      open.set(secret, { person: { username, role: role ?? undefined }, sessionId });
      return secret;
    },
    tokenOf: async (secret) => {
      const session = open.get(secret);
      return session && issueToken(session.person, session.sessionId);
    },
    signOut: async (secret) => void open.delete(secret),
    endSession: async (id) => drop(({ sessionId }) => sessionId === id),
    endSessionsOf: async (id) => drop(({ person }) => userIdOf(person.username) === id),
    namesOf: async () => new Map(preparedPeople.map(({ username }) => [userIdOf(username), username])),
  };
  return { ended, provider };
}
