import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";

/** A process of this machine, as shown by `ps`. */
export type ListedProcess = { readonly pid: number; readonly parent: number; readonly command: string };

/** The running processes. A bare Linux has no `ps`, but the data it would read. */
export function listProcesses(): ListedProcess[] {
  if (!existsSync("/proc/self/stat")) return fromPs();
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        // The name, in parentheses, may itself contain spaces and parentheses.
        const [state, parent] =
          readFileSync(`/proc/${name}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? [];
        const command = readFileSync(`/proc/${name}/cmdline`, "utf8").replaceAll("\0", " ").trim();
        return state === "Z" ? [] : [{ pid: Number(name), parent: Number(parent), command }];
      } catch {
        return []; // It ended meanwhile.
      }
    });
}

function fromPs(): ListedProcess[] {
  return execFileSync("ps", ["-eo", "pid=,ppid=,args="], { encoding: "utf8" })
    .split("\n")
    .flatMap((line) => {
      const [, pid, parent, command = ""] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
      return pid === undefined ? [] : [{ pid: Number(pid), parent: Number(parent), command }];
    });
}
