/** Plays the GRO's part in the sandbox. */

async function control(url: string, path: string, body: object): Promise<void> {
  const response = await fetch(`${url}/sandbox/gro/${path}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`The sandbox answered ${response.status}: ${await response.text()}`);
}

/** How it treats the applications to come. */
export const groWill = (url: string, mode: "ok" | "reject" | "timeout"): Promise<void> =>
  control(url, "behaviour", { mode });

/** What it tells of an application that it has. */
export const groSays = (url: string, orderNumber: string, kind: "queried" | "dispatched"): Promise<void> =>
  control(url, "notices", { orderNumber, kind });
