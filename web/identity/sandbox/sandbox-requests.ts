/**
 * Calls the sandbox's sign-in, which is the provider's side and not our API: its session cookie alone says who it is.
 * @throws TypeError when nothing answers
 */
export const askSandbox = (method: "GET" | "POST", url: string, body?: unknown): Promise<Response> =>
  fetch(url, {
    method,
    credentials: "same-origin",
    headers: {
      Accept: "application/json",
      ...(method === "POST" ? { "Content-Type": "application/json" } : {}),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
