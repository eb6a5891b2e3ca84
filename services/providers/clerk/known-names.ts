/** Cached names: pages of the back office show the same dozen people again and again. */
type KnownNames = {
  /** Ids that need no request. A person without a name is cached as null. */
  readonly fresh: (userIds: readonly string[]) => ReadonlyMap<string, string | null>;
  /** Includes older entries, better than nothing while the provider is unavailable. */
  readonly remembered: (userIds: readonly string[]) => ReadonlyMap<string, string | null>;
  readonly note: (userId: string, name: string | null) => void;
};

type KnownNamesSettings = {
  /** Monotonic clock, in milliseconds. */
  readonly nowMs: () => number;
  readonly freshForMs?: number;
  readonly rememberedForMs?: number;
  readonly mostNames?: number;
};

/** Keeps names in memory, bounded in number and in time, because people change their names or leave. */
export function createKnownNames(settings: KnownNamesSettings): KnownNames {
  const { nowMs, freshForMs = 300_000, rememberedForMs = 3_600_000, mostNames = 2_000 } = settings;
  /** Oldest first: a Map keeps insertion order. */
  const known = new Map<string, { readonly name: string | null; readonly atMs: number }>();

  function within(userIds: readonly string[], ageMs: number): ReadonlyMap<string, string | null> {
    const since = nowMs() - ageMs;
    return new Map(
      userIds.flatMap((userId) => {
        const found = known.get(userId);
        return found !== undefined && found.atMs > since ? [[userId, found.name] as const] : [];
      }),
    );
  }

  function forgetOld(): void {
    const since = nowMs() - rememberedForMs;
    for (const [userId, { atMs }] of known) {
      if (atMs > since && known.size <= mostNames) return;
      known.delete(userId);
    }
  }

  return {
    fresh: (userIds) => within(userIds, freshForMs),
    remembered: (userIds) => within(userIds, rememberedForMs),
    note(userId, name) {
      known.delete(userId);
      known.set(userId, { name, atMs: nowMs() });
      forgetOld();
    },
  };
}
