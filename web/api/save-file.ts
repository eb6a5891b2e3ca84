/** Browsers read the blob some time after the click; no specification says how long. */
const keptMs = 60_000;

/** Downloads a response as a file, under the name given by the server. */
export async function saveFile(response: Response): Promise<void> {
  const name = /filename="?([^";]+)"?/.exec(response.headers.get("Content-Disposition") ?? "")?.[1];
  const url = URL.createObjectURL(await response.blob());
  const link = document.createElement("a");
  link.href = url;
  link.download = name ?? "file";
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), keptMs);
}
