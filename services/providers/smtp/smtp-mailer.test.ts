import { afterEach, describe, expect, test } from "vitest";
import {
  goodLogin,
  type SmtpServerInTest,
  startBrokenServer,
  startSmtpServer,
} from "../../../testing/providers/smtp-server-fixture.ts";
import { patienceMs } from "../../../testing/setup/patience.ts";
import type { Mail } from "./mailer.ts";
import { createSmtpMailer } from "./smtp-mailer.ts";

type SmtpSettings = Parameters<typeof createSmtpMailer>[0];

const closing: { close: () => Promise<void> }[] = [];
afterEach(async () => {
  for (const open of closing.splice(0).reverse()) await open.close();
});
const kept = <T extends { close: () => Promise<void> }>(open: T): T => {
  closing.push(open);
  return open;
};

const alarms: object[] = [];
afterEach(() => void alarms.splice(0));

const server = async (...given: Parameters<typeof startSmtpServer>): Promise<SmtpServerInTest> =>
  kept(await startSmtpServer(...given));
const mailerTo = ({ port, ca }: { port: number; ca?: string }, more: Partial<SmtpSettings> = {}) =>
  kept(
    createSmtpMailer({
      host: "localhost",
      port,
      tls: "upgrade",
      login: goodLogin,
      from: () => ({ name: "Tŷ Tystysgrifau", address: "help@certificates.example" }),
      log: { error: (facts) => void alarms.push(facts) },
      timeoutMs: patienceMs,
      ...(ca !== undefined && { ca }),
      ...more,
    }),
  );
const mail = (more: Partial<Mail> = {}): Mail => ({
  to: "sian@example.org",
  subject: "Croeso, Siân Ŵyn",
  text: "Llŷn & Łódź",
  html: "<p>Llŷn &amp; Łódź</p>",
  messageId: "confirmation.00000000-0000-4000-8000-000000000001",
  thread: "order.00000000-0000-4000-8000-000000000002",
  ...more,
});
/** The error of a failed mail, checked to reveal nothing of the mail. */
async function failureOf(sending: Promise<void>) {
  const error: unknown = await sending.then(
    () => "sent",
    (failure: unknown) => failure,
  );
  expect(String(error) + JSON.stringify(error)).not.toMatch(/sian|Siân|postman|horse|help@/);
  expect(error).not.toHaveProperty("cause");
  return error;
}

describe("A mail", () => {
  test("is sent encrypted after logging in, preserving Welsh and Polish letters", async () => {
    const to = await server();
    await mailerTo(to).send(mail());
    expect(to.logins).toEqual([goodLogin]);
    expect(to.received).toEqual([
      {
        encrypted: true,
        envelopeFrom: "help@certificates.example",
        envelopeTo: ["sian@example.org"],
        fromName: "Tŷ Tystysgrifau",
        fromAddress: "help@certificates.example",
        subject: "Croeso, Siân Ŵyn",
        text: "Llŷn & Łódź",
        messageId: "<confirmation.00000000-0000-4000-8000-000000000001@certificates.example>",
        references: "<order.00000000-0000-4000-8000-000000000002@certificates.example>",
        replyTo: undefined,
      },
    ]);
    expect(alarms).toEqual([]);
  });

  test("is sent with TLS from the first byte if configured", async () => {
    const to = await server({ secure: true });
    await mailerTo(to, { tls: "whole" }).send(mail());
    expect(to.received).toMatchObject([{ encrypted: true }]);
  });

  test("bounces to the envelope sender, while people see the other", async () => {
    const to = await server();
    await mailerTo(to, { envelopeFrom: "bounces@mail.certificates.example" }).send(mail());
    expect(to.received).toMatchObject([
      { envelopeFrom: "bounces@mail.certificates.example", fromAddress: "help@certificates.example" },
    ]);
  });

  test("with a return address gets replies and bounces there, whatever the envelope's sender is otherwise", async () => {
    const to = await server();
    const returnTo = "help+token@certificates.example";
    await mailerTo(to, { envelopeFrom: "bounces@mail.certificates.example" }).send(mail({ returnTo }));
    expect(to.received).toMatchObject([
      { envelopeFrom: returnTo, replyTo: returnTo, fromAddress: "help@certificates.example" },
    ]);
  });

  test("sent again has the same message id, so mail clients recognise the repeat", async () => {
    const to = await server();
    const mailer = mailerTo(to);
    await mailer.send(mail());
    await mailer.send(mail());
    expect(new Set(to.received.map(({ messageId }) => messageId)).size).toBe(1);
  });

  test("reuses an open connection", async () => {
    const to = await server();
    const mailer = mailerTo(to);
    for (let n = 0; n < 5; n += 1) await mailer.send(mail());
    expect(to.connections()).toBe(1);
  });
});

describe("Encryption", () => {
  test("no longer offered by the server, or stripped on the way: neither mail nor password is sent", async () => {
    const to = await server({ hideSTARTTLS: true, disabledCommands: ["STARTTLS"], allowInsecureAuth: true });
    expect(await failureOf(mailerTo(to).send(mail()))).toMatchObject({
      name: "MailUnavailable",
      code: "notEncrypted",
    });
    expect([to.logins, to.received]).toEqual([[], []]);
    expect(alarms).toEqual([{ fault: "notEncrypted", reply: expect.any(Number) }]);
    // Control: the same server accepts the mail from a client without encryption.
    await mailerTo(to, { tls: "none" }).send(mail());
    expect(to.received).toMatchObject([{ encrypted: false }]);
  });

  test.each<[string, SmtpSettings["tls"]]>([
    ["STARTTLS", "upgrade"],
    ["TLS from the first byte", "whole"],
  ])("by %s with an untrusted certificate is refused", async (_, tls) => {
    const to = await server({ secure: tls === "whole" });
    const faultyCa = (await server()).ca;
    for (const ca of [undefined, faultyCa]) {
      alarms.splice(0);
      expect(
        await failureOf(mailerTo({ port: to.port, ...(ca && { ca }) }, { tls }).send(mail())),
      ).toMatchObject({
        code: "certificateRefused",
      });
      expect(alarms).toEqual([{ fault: "certificateRefused", reply: undefined }]);
    }
    expect([to.logins, to.received]).toEqual([[], []]);
  });

  test("with another host's certificate is refused", async () => {
    const to = await server({}, "mail.evil.example");
    expect(await failureOf(mailerTo(to).send(mail()))).toMatchObject({ code: "certificateRefused" });
    expect(to.logins).toEqual([]);
  });

  test("to a server without TLS is refused", async () => {
    const to = await server();
    expect(await failureOf(mailerTo(to, { tls: "whole" }).send(mail()))).toMatchObject({
      code: "notEncrypted",
    });
  });
});

describe("A transient error", () => {
  test("is greylisting: the same mail succeeds later", async () => {
    const to = await server();
    const mailer = mailerTo(to);
    to.refusals.push("451 4.7.1 sian@example.org is greylisted");
    expect(await failureOf(mailer.send(mail()))).toMatchObject({ code: "askedToWait", reply: 451 });
    expect(alarms).toEqual([]);
    await mailer.send(mail());
    expect(to.received).toHaveLength(1);
  });

  test.each(["greeting", "data", "body"] as const)(
    "is a connection that closes or goes silent at the %s, and the mail is tried once",
    async (at) => {
      for (const how of ["cut", "silent"] as const) {
        const to = kept(await startBrokenServer(at, how));
        const mailer = mailerTo(to, { host: "127.0.0.1", tls: "none", login: undefined, timeoutMs: 300 });
        expect(await failureOf(mailer.send(mail()))).toMatchObject({ code: "unreachable" });
        expect(to.connections()).toBe(1);
      }
      expect(alarms).toEqual([]);
    },
  );

  test("is an unreachable server", async () => {
    const gone = await startSmtpServer();
    await gone.close();
    expect(await failureOf(mailerTo(gone).send(mail()))).toMatchObject({ code: "unreachable" });
  });
});

describe("An address", () => {
  test.each([
    "550 5.1.1 no sian@example.org here",
    "553 5.1.3 bad mailbox",
    "552 5.2.2 mailbox full for ever",
  ])("refused with %s is undeliverable, without an alarm", async (refusal) => {
    const to = await server();
    to.refusals.push(refusal);
    expect(await failureOf(mailerTo(to).send(mail()))).toMatchObject({
      name: "MailRefused",
      code: "addressRefused",
    });
    expect(alarms).toEqual([]);
  });

  test.each(["554 5.7.1 Relay access denied", "550 relaying denied", "530 5.7.0 Authentication required"])(
    "is not to blame for %s, which concerns us",
    async (refusal) => {
      const to = await server();
      to.refusals.push(refusal);
      const reply = Number(refusal.slice(0, 3));
      expect(await failureOf(mailerTo(to).send(mail()))).toMatchObject({ name: "MailUnavailable", reply });
      expect(alarms).toEqual([{ fault: reply === 530 ? "loginRefused" : "senderRefused", reply }]);
    },
  );

  test("that is malformed is undeliverable", async () => {
    const to = await server();
    expect(await failureOf(mailerTo(to).send(mail({ to: "no address" })))).toMatchObject({
      name: "MailRefused",
      code: "addressRefused",
    });
  });
});

describe("A server that refuses us", () => {
  test("because of the log-in raises an alarm, and the mail can be sent later", async () => {
    const to = await server();
    const wrong = { user: "postman", password: "battery staple" };
    expect(await failureOf(mailerTo(to, { login: wrong }).send(mail()))).toMatchObject({
      name: "MailUnavailable",
      code: "loginRefused",
      reply: 535,
    });
    expect(alarms).toEqual([{ fault: "loginRefused", reply: 535 }]);
  });

  test("because of a missing log-in raises an alarm", async () => {
    const to = await server();
    expect(await failureOf(mailerTo(to, { login: undefined }).send(mail()))).toMatchObject({
      code: "loginRefused",
      reply: 530,
    });
  });

  test("because of the sender raises an alarm", async () => {
    const refused = (line: string) => Object.assign(new Error(line), { responseCode: 550 });
    const to = await server({
      onMailFrom: (_address, _session, callback) => callback(refused("5.7.1 help@certificates.example")),
    });
    expect(await failureOf(mailerTo(to).send(mail()))).toMatchObject({ code: "senderRefused", reply: 550 });
    expect(alarms).toEqual([{ fault: "senderRefused", reply: 550 }]);
  });

  const refusingContent = (words: string) =>
    server({
      onData: (stream, _session, callback) => {
        stream.resume();
        stream.on("end", () => callback(Object.assign(new Error(words), { responseCode: 554 })));
      },
    });

  test("because of relaying, although only after the content, raises an alarm", async () => {
    const to = await refusingContent("5.7.1 Relay access denied");
    expect(await failureOf(mailerTo(to).send(mail()))).toMatchObject({ code: "senderRefused", reply: 554 });
  });

  test("because of the content refuses that mail for good, and raises an alarm", async () => {
    const to = await refusingContent("spam");
    expect(await failureOf(mailerTo(to).send(mail()))).toMatchObject({
      name: "MailRefused",
      code: "contentRefused",
      reply: 554,
    });
    expect(alarms).toEqual([{ fault: "contentRefused", reply: 554 }]);
  });
});
