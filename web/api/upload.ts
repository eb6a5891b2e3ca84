/**
 * As `fetch`, which cannot tell how much has been sent.
 * @param onSent called with the share that has been sent, from 0 to 1
 * @throws TypeError without an answer, as `fetch` does
 */
export function upload(
  url: string,
  { method, headers, body }: { method: string; headers: Readonly<Record<string, string>>; body: string },
  onSent: (share: number) => void,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const sending = new XMLHttpRequest();
    sending.open(method, url);
    sending.withCredentials = true;
    sending.responseType = "blob";
    for (const [name, value] of Object.entries(headers)) sending.setRequestHeader(name, value);
    sending.upload.addEventListener("progress", ({ loaded, total }) => {
      if (total > 0) onSent(loaded / total);
    });
    sending.addEventListener("load", () => {
      const { status, statusText, response } = sending;
      const answer: unknown = response;
      resolve(
        new Response(answer instanceof Blob ? answer : null, {
          status,
          statusText,
          headers: headersOf(sending),
        }),
      );
    });
    sending.addEventListener("error", () => reject(new TypeError("There was no answer.")));
    sending.send(body);
  });
}

const headersOf = (sent: XMLHttpRequest): Headers =>
  new Headers(
    sent
      .getAllResponseHeaders()
      .trim()
      .split("\r\n")
      .flatMap((line): [string, string][] => {
        const colon = line.indexOf(":");
        return colon < 1 ? [] : [[line.slice(0, colon), line.slice(colon + 1).trim()]];
      }),
  );
