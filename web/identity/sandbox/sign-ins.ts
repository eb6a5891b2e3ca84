const listeners = new Set<() => void>();

/** Tells that somebody has signed in on the sandbox's page. */
export const signIns = {
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  happened(): void {
    for (const listener of listeners) listener();
  },
};
