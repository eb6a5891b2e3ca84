import { totalmem } from "node:os";

const mib = 1_048_576;

/** For pages in memory. The most takes 20 MB more than the least at rest; the remainder is taken as pages are read. */
const sharedBuffersBytes = { least: 128 * mib, most: 1024 * mib } as const;

/** Settings of the embedded server, as `name=value`, for a machine or container with so much memory. */
export function embeddedSettings(memoryBytes: number): string[] {
  const { least, most } = sharedBuffersBytes;
  const sharedBuffers = Math.min(Math.max(memoryBytes / 4, least), most);
  return [
    "listen_addresses=127.0.0.1",
    "unix_socket_directories=",
    "max_connections=200",
    "jit=off",
    `shared_buffers=${Math.floor(sharedBuffers / mib)}MB`,
    // Clients receive their own errors; here they would only make the log grow.
    "log_min_messages=log",
    "log_checkpoints=off",
  ];
}

/** Memory that this process and its children may take: the machine's, or a container's limit below it. */
export function availableMemoryBytes(): number {
  const limit = process.constrainedMemory();
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}
