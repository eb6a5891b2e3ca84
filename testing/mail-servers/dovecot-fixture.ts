import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { freePort } from "../../infra/process/free-port.ts";
import { createServerProcess, type ServerProcess } from "./server-process.ts";

export const mailboxLogin = { user: "help", password: "correct-horse" };

/** A private Dovecot in a folder, on two free ports. It needs root, for its processes run as users of their own. */
export type Dovecot = ServerProcess & {
  readonly imapPort: number;
  readonly lmtpPort: number;
  /** How many mails are still in it. */
  unread(): number;
  /** The mails in the mailbox's folder for refused ones. */
  refused(): readonly string[];
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
  const pathsIn = (name: "INBOX" | "Refused") =>
    ["new", "cur"]
      .map((part) => join(mail, "help", name === "INBOX" ? "" : `.${name}`, part))
      .flatMap((path) => filesIn(path).map((file) => join(path, file)));
  return {
    imapPort,
    lmtpPort,
    ...createServerProcess({
      command: "dovecot",
      args: ["-F", "-c", join(folder, "dovecot.conf")],
      ports: [imapPort, lmtpPort],
      log: () => (existsSync(logFile) ? readFileSync(logFile, "utf8") : ""),
    }),
    unread: () => pathsIn("INBOX").length,
    refused: () => pathsIn("Refused").map((path) => readFileSync(path, "latin1")),
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
