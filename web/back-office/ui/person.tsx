import { useIdentity } from "../../identity/identity.ts";

interface PersonProps {
  readonly userId: string;
  /** Names by user id, as they came with the page. */
  readonly people: Readonly<Record<string, string>>;
}

/** Somebody who works here by name; oneself as 'you'. */
export function Person({ userId, people }: PersonProps) {
  const own = useIdentity().userId === userId;
  return <span title={userId}>{own ? "you" : (people[userId] ?? userId)}</span>;
}
