/** Names that are known already, for some minutes: a page of the back office shows the same dozen people again and again. */
export type KnownNames = {
  /** Those of these ids that need not be asked for. An id without a name is known as well: null. */
  readonly fresh: (userIds: readonly string[]) => ReadonlyMap<string, string | null>;
  /** The same, and what was known a while ago: better than nothing while nobody answers. */
  readonly remembered: (userIds: readonly string[]) => ReadonlyMap<string, string | null>;
  readonly note: (userId: string, name: string | null) => void;
};

export type KnownNamesSettings = {
  /** Milliseconds of a clock that only ever runs on. */
  readonly nowMs: () => number;
  readonly freshForMs?: number;
  readonly rememberedForMs?: number;
  readonly mostNames?: number;
};

/** Keeps names of people in memory, bounded in time, because somebody may have another name by now or be gone, and in number. */
export function createKnownNames(settings: KnownNamesSettings): KnownNames {
  const { nowMs, freshForMs = 300_000, rememberedForMs = 3_600_000, mostNames = 2_000 } = settings;
  /** Oldest first: a Map keeps the order in which its keys came. */
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
