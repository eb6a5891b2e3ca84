import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "../../infra/process/free-port.ts";
import { createServerProcess, type ServerProcess } from "./server-process.ts";

/** A private Postfix in a folder, on a free port. It needs root, for its processes run as users of their own. */
export type Postfix = ServerProcess & {
  readonly port: number;
  /** What it wrote down, a line for each delivery. */
  log(): string;
  /** How many mails it still has to deliver. */
  queued(): number;
};

/** @param lmtp the port that mail for each domain goes to; mail for `example.org` is thrown away, and no other leaves */
export async function createPostfix(
  folder: string,
  lmtp: Readonly<Record<string, number>>,
): Promise<Postfix> {
  const port = await freePort();
  const [etc, logFile] = [join(folder, "etc"), join(folder, "postfix.log")];
  chmodSync(folder, 0o755);
  for (const name of ["etc", "queue", "data"]) mkdirSync(join(folder, name));
  spawnSync("chown", ["postfix", join(folder, "data")]);
  writeFileSync(join(etc, "main.cf"), mainOf(folder, logFile, lmtp));
  writeFileSync(join(etc, "master.cf"), masterOf(port));
  const log = () => (existsSync(logFile) ? readFileSync(logFile, "latin1") : "");
  // Makes the queue's folders.
  output("postfix", ["-c", etc, "check"]);
  return {
    port,
    log,
    // Not by way of `postfix start-fg`, a shell whose end the server outlives.
    ...createServerProcess({
      command: join(output("postconf", ["-c", etc, "-h", "daemon_directory"]).trim(), "master"),
      args: ["-c", etc, "-s"],
      ports: [port],
      log,
    }),
    queued: () => output("postqueue", ["-c", etc, "-j"]).split("\n").length - 1,
  };
}

function output(command: string, args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: "utf8" });
  if (status !== 0) throw new Error(`${command} ended with ${status}: ${stderr}`);
  return stdout;
}

const mainOf = (folder: string, logFile: string, lmtp: Readonly<Record<string, number>>) => `
compatibility_level = 3.6
queue_directory = ${folder}/queue
data_directory = ${folder}/data
maillog_file = ${logFile}
maillog_file_prefixes = ${folder}
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
myhostname = mx.certificates.example
mydestination =
mynetworks = 127.0.0.0/8
local_header_rewrite_clients =
smtpd_peername_lookup = no
smtpd_client_connection_count_limit = 0
disable_dns_lookups = yes
recipient_delimiter = +
relay_domains = ${Object.keys(lmtp).join(" ")} example.org
transport_maps = inline:{ ${Object.entries(lmtp)
  .map(([domain, port]) => `{ ${domain} = lmtp:inet:127.0.0.1:${port} }`)
  .join(", ")}, { example.org = discard: } }
default_transport = discard:
message_size_limit = 16000000
notify_classes =
minimal_backoff_time = 1s
maximal_backoff_time = 1s
queue_run_delay = 1s
lmtp_connect_timeout = 5s
lmtp_destination_concurrency_limit = 10
default_destination_concurrency_failed_cohort_limit = 100
`;

const masterOf = (port: number) => `
127.0.0.1:${port} inet n - n - - smtpd
pickup unix n - n 60 1 pickup
cleanup unix n - n - 0 cleanup
qmgr unix n - n 1 1 qmgr
tlsmgr unix - - n 1000? 1 tlsmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
verify unix - - n - 1 verify
flush unix n - n 1000? 0 flush
proxymap unix - - n - - proxymap
proxywrite unix - - n - 1 proxymap
smtp unix - - n - - smtp
relay unix - - n - - smtp
showq unix n - n - - showq
error unix - - n - - error
retry unix - - n - - error
discard unix - - n - - discard
lmtp unix - - n - - lmtp
anvil unix - - n - 1 anvil
scache unix - - n - 1 scache
postlog unix-dgram n - n - 1 postlogd
`;
