import { z } from "zod";

/** What the sandbox outside world has to tell: mails sent, applications received. */

const mails = z.array(z.object({ to: z.string(), subject: z.string(), text: z.string() }));

/** The mails to one address, newest first. */
export async function mailsTo(url: string, address: string): Promise<z.output<typeof mails>> {
  const found = mails.parse(await readJson(`${url}/sandbox/mail`));
  return found.filter(({ to }) => to === address);
}

export async function receivedByGro(url: string, orderNumber: string): Promise<readonly unknown[]> {
  const applications = z
    .array(z.looseObject({ orderNumber: z.string() }))
    .parse(await readJson(`${url}/sandbox/gro`));
  return applications.filter((application) => application.orderNumber === orderNumber);
}

const tracked = z.object({
  status: z.string(),
  statusHistory: z.array(z.object({ text: z.string() })),
  receipt: z.looseObject({ secondsAfterSubmission: z.number().nullable() }).nullable(),
});

/** POST /api/orders/lookup, as a caller with only the number. */
export async function lookUp(url: string, orderNumber: string): Promise<z.output<typeof tracked>> {
  const response = await fetch(`${url}/api/orders/lookup`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ orderNumber }),
  });
  return tracked.parse(await response.json());
}

async function readJson(address: string): Promise<unknown> {
  const response = await fetch(address, { headers: { Accept: "application/json" } });
  return response.json();
}

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
