import { once } from "node:events";
import { connect } from "node:net";
import { type Scanner, ScannerUnavailable } from "./scanner.ts";

type ClamdSettings = {
  readonly host: string;
  readonly port: number;
  /** For each silence. */
  readonly timeoutMs?: number;
};

const pieceBytes = 65_536;

/** ClamAV's daemon, by its INSTREAM command: https://linux.die.net/man/8/clamd. */
export function createClamdScanner({ host, port, timeoutMs = 20_000 }: ClamdSettings): Scanner {
  return {
    scan: async (bytes) => {
      const socket = connect(port, host).setTimeout(timeoutMs, () => socket.destroy(new Error("silent")));
      try {
        await once(socket, "connect");
        socket.write("zINSTREAM\0");
        for (let start = 0; start < bytes.length; start += pieceBytes) {
          const piece = bytes.subarray(start, start + pieceBytes);
          socket.write(lengthOf(piece));
          socket.write(piece);
        }
        socket.write(lengthOf(new Uint8Array()));
        let answer = "";
        for await (const chunk of socket) answer += chunk;
        if (/ OK\0?\s*$/.test(answer)) return "clean";
        if (/ FOUND\0?\s*$/.test(answer)) return "infected";
      } catch {
        // How it failed changes nothing: the mail comes again.
      } finally {
        socket.destroy();
      }
      throw new ScannerUnavailable();
    },
  };
}

function lengthOf(piece: Uint8Array): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(piece.length);
  return length;
}
