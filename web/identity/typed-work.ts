/** Begins the name of whatever this tab keeps of what somebody who is signed in typed and did not send. */
export const typedWork = "typed-work:";

/** Forgets all of it: whoever signs in next in this tab may be somebody else. */
export function forgetTypedWork(store: Storage): void {
  const names = Array.from({ length: store.length }, (_, at) => store.key(at) ?? "");
  for (const name of names) if (name.startsWith(typedWork)) store.removeItem(name);
}
