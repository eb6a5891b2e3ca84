import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, chownSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { freePort } from "../../infra/process/free-port.ts";

/** Whether something listens there. */
async function answers(port: number): Promise<boolean> {
  const socket = connect(port, "127.0.0.1");
  try {
    await once(socket, "connect");
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

export async function untilAnswers(port: number, timeoutMs: number, log: () => string): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  while (!(await answers(port))) {
    if (Date.now() > deadline) throw new Error(`Nothing listens on port ${port}.\n${log()}`);
    await delay(20);
  }
}

export const mailboxLogin = { user: "help", password: "correct-horse" };

/** A private Dovecot in a folder, on two free ports. It needs root, for its processes run as users of their own. */
export type Dovecot = {
  readonly imapPort: number;
  readonly lmtpPort: number;
  start(): Promise<void>;
  /** With -9, and all its processes with it. */
  kill(): Promise<void>;
  /** Mails in a folder of the mailbox, as files. */
  mailsIn(folder: "INBOX" | "Refused"): readonly string[];
};

/** The user whom mail belongs to. */
const nobody = { uid: 65_534, gid: 65_534 };

export async function createDovecot(folder: string): Promise<Dovecot> {
  const [imapPort, lmtpPort] = [await freePort(), await freePort()];
  const mail = join(folder, "mail");
  const logFile = join(folder, "dovecot.log");
  chmodSync(folder, 0o755);
  mkdirSync(mail);
  chownSync(mail, nobody.uid, nobody.gid);
  writeFileSync(join(folder, "dovecot.conf"), configOf({ folder, mail, logFile, imapPort, lmtpPort }));
  let master: ChildProcess | undefined;
  const log = () => readFileSync(logFile, "utf8");
  return {
    imapPort,
    lmtpPort,
    start: async () => {
      // Detached: a process group of its own, to be killed as one.
      master = spawn("dovecot", ["-F", "-c", join(folder, "dovecot.conf")], {
        stdio: "ignore",
        detached: true,
      });
      await untilAnswers(imapPort, 20_000, log);
      await untilAnswers(lmtpPort, 20_000, log);
    },
    kill: async () => {
      const { pid } = master ?? {};
      if (master === undefined || pid === undefined) return;
      const ended = once(master, "exit");
      process.kill(-pid, "SIGKILL");
      await ended;
      master = undefined;
    },
    mailsIn: (name) =>
      ["new", "cur"]
        .map((part) => join(mail, "help", name === "INBOX" ? "" : `.${name}`, part))
        .flatMap((path) => filesIn(path).map((file) => readFileSync(join(path, file), "latin1"))),
  };
}

function filesIn(path: string): string[] {
  try {
    return readdirSync(path);
  } catch {
    return []; // Before the first mail.
  }
}

const configOf = (
  at: Record<"folder" | "mail" | "logFile", string> & { imapPort: number; lmtpPort: number },
) => `
base_dir = ${at.folder}/run
state_dir = ${at.folder}/state
log_path = ${at.logFile}
protocols = imap lmtp
listen = 127.0.0.1
ssl = no
disable_plaintext_auth = no
recipient_delimiter = +
auth_username_format = %n
mail_location = maildir:${at.mail}/%n
first_valid_uid = 1
passdb {
  driver = static
  args = password=${mailboxLogin.password}
}
userdb {
  driver = static
  args = uid=${nobody.uid} gid=${nobody.gid} home=${at.mail}/%n
}
namespace inbox {
  inbox = yes
}
service imap-login {
  chroot =
  inet_listener imap {
    port = ${at.imapPort}
  }
  inet_listener imaps {
    port = 0
  }
}
service lmtp {
  inet_listener lmtp {
    port = ${at.lmtpPort}
  }
}
`;
