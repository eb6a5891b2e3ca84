import { useIdentity } from "../../identity/identity.ts";

/** Somebody who works here, by user id: oneself as 'you', others by the end of their id, which says nothing about them. */
export function Person({ userId }: { userId: string }) {
  const own = useIdentity().userId === userId;
  return own ? (
    <span>you</span>
  ) : (
    <span className="figures" title={userId}>
      {inShort(userId)}
    </span>
  );
}

/** Enough of an id to tell people apart. */
export const inShort = (userId: string): string => (userId.length > 10 ? `…${userId.slice(-6)}` : userId);
