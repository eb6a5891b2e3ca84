const twins: Readonly<Record<string, string>> = { localhost: "127.0.0.1", "127.0.0.1": "localhost" };

/** Every origin under which a browser may open these addresses: on this machine `localhost` and `127.0.0.1` are two. */
export function pageOriginsOf(addresses: readonly string[]): string[] {
  const origins = addresses.flatMap((address) => {
    const url = new URL(address);
    const twin = new URL(address);
    twin.hostname = twins[url.hostname] ?? url.hostname;
    return [url.origin, twin.origin];
  });
  return [...new Set(origins)];
}
