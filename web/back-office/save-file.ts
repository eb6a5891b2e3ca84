/** A browser takes hold of the file some time after the press; how long is nowhere said. */
const keptMs = 60_000;

/** Gives a file that was answered to whoever asked for it, under the name the server gave it. */
export async function saveFile(response: Response): Promise<void> {
  const name = /filename="?([^";]+)"?/.exec(response.headers.get("Content-Disposition") ?? "")?.[1];
  const url = URL.createObjectURL(await response.blob());
  const link = document.createElement("a");
  link.href = url;
  link.download = name ?? "file";
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), keptMs);
}
