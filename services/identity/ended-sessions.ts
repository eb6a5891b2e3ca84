import { setTimeout as pause } from "node:timers/promises";
import type { Pool } from "../../infra/postgres/pool.ts";
import type { IdentityProvider } from "./identity-provider.ts";

export type SessionOfToken = {
  readonly userId: string;
  readonly sessionId: string;
  /** `iat`: whole seconds since 1970. */
  readonly issuedAtSeconds: number;
};

/**
 * Sessions that have ended, whatever their tokens claim. All processes use the same table, so an end applies everywhere
 * at once.
 */
export type EndedSessions = {
  readonly hasEnded: (session: SessionOfToken) => Promise<boolean>;
  /** Those that have ended, in one query. */
  readonly endedAmong: <S extends SessionOfToken>(sessions: readonly S[]) => Promise<readonly S[]>;
  readonly endSession: (sessionId: string) => Promise<void>;
  /**
   * Ends every current session of a person. Tokens have whole-second times, so everything issued in this second is
   * refused too; the promise resolves when the second is over, and later sign-ins are valid.
   */
  readonly endSessionsOf: (userId: string) => Promise<void>;
};

/** Ends are kept this long: tokens live a minute, and the provider's sessions some days. */
const rememberedDays = 90;

/** @param now synchronised with the identity provider's clock by time servers */
export function createEndedSessions(pool: Pool, now: () => Date): EndedSessions {
  async function end(kind: "session" | "user", id: string, issuedBefore: string): Promise<void> {
    await pool.query(
      `insert into ended_sessions (kind, id, issued_before) values ($1, $2, $3)
       on conflict (kind, id) do update
       set issued_before = greatest(ended_sessions.issued_before, excluded.issued_before), ended_at = now()`,
      [kind, id, issuedBefore],
    );
    await pool.query("delete from ended_sessions where ended_at < now() - make_interval(days => $1)", [
      rememberedDays,
    ]);
  }

  async function endedAmong<S extends SessionOfToken>(sessions: readonly S[]): Promise<readonly S[]> {
    if (sessions.length === 0) return [];
    const { rows } = await pool.query<{ at: number }>({
      name: "ended-among",
      text: `select distinct asked.at from unnest($1::text[], $2::text[], $3::float8[]) with ordinality
             as asked (user_id, session_id, issued_at, at)
             join ended_sessions ended
               on (ended.kind, ended.id) in (('user', asked.user_id), ('session', asked.session_id))
             where to_timestamp(asked.issued_at) < ended.issued_before`,
      values: [
        sessions.map(({ userId }) => userId),
        sessions.map(({ sessionId }) => sessionId),
        sessions.map(({ issuedAtSeconds }) => issuedAtSeconds),
      ],
    });
    const ended = new Set(rows.map(({ at }) => at - 1));
    return sessions.filter((_, at) => ended.has(at));
  }

  return {
    endedAmong,
    hasEnded: async (session) => (await endedAmong([session])).length > 0,
    endSession: (sessionId) => end("session", sessionId, "infinity"),
    endSessionsOf: async (userId) => {
      const nowMs = now().getTime();
      const nextSecondMs = (Math.floor(nowMs / 1000) + 1) * 1000;
      await end("user", userId, new Date(nextSecondMs).toISOString());
      // The clock decides: a timer may fire early, and the clock may be set back.
      const leftMs = () => nextSecondMs - now().getTime();
      while (leftMs() > 0) await pause(leftMs());
    },
  };
}

/** The two ways to sign out. Once resolved, no token of those sessions is valid in any process. */
export type SignOut = {
  /** @throws when the identity provider or the database did not answer; try again */
  readonly here: (sessionId: string) => Promise<void>;
  readonly everywhere: (userId: string) => Promise<void>;
};

/**
 * Ends sessions here and at the provider. A single session ends here for good, so that comes first. For all sessions
 * only tokens issued so far are refused, so the provider comes first and issues no more; if it fails, the tokens are
 * refused all the same.
 */
export function createSignOut(
  provider: Pick<IdentityProvider, "endSession" | "endSessionsOf">,
  ended: Pick<EndedSessions, "endSession" | "endSessionsOf">,
): SignOut {
  return {
    async here(sessionId) {
      await ended.endSession(sessionId);
      await provider.endSession(sessionId);
    },
    async everywhere(userId) {
      const [atProvider] = await Promise.allSettled([provider.endSessionsOf(userId)]);
      await ended.endSessionsOf(userId);
      if (atProvider.status === "rejected") throw atProvider.reason;
    },
  };
}
