import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type SandboxInTest, sandboxInTest } from "../../../../testing/providers/sandbox-fixture.ts";
import { type ArrivedMail, type Reception, refusal } from "../../mail-in/mail-in.ts";
import { readMail } from "../../mail-in/read-mail.ts";
import { createSmtpListener } from "../../mail-in/smtp-listener.ts";
import { type Mailer, MailRefused, MailUnavailable } from "../mailer.ts";
import { createSmtpMailer } from "../smtp-mailer.ts";

let box: SandboxInTest;
let mailer: Mailer;
const from = { name: "Kith & Copy", address: "help@kithandcopy.example" };

beforeAll(async () => {
  box = await sandboxInTest();
  mailer = createSmtpMailer({ ...box.addresses.smtp, tls: "none", from: () => from });
});
afterAll(async () => {
  await mailer.close();
  await box.close();
});

const mail = (more: Partial<Parameters<Mailer["send"]>[0]> = {}) => ({
  to: "sian@example.org",
  subject: "Croeso, Siân Ŵyn a Zażółć gęślą jaźń",
  text: "Llŷn & Łódź",
  html: "<p>Llŷn &amp; Łódź</p>",
  messageId: "confirmation.00000000-0000-4000-8000-000000000001",
  thread: "order.00000000-0000-4000-8000-000000000002",
  ...more,
});
const read = (accept: string, path = "mail", headers: Record<string, string> = {}) =>
  fetch(`${box.receiver.url}/sandbox/${path}`, { headers: { accept, ...headers } });

describe("a mail", () => {
  it("arrives as sent, including Welsh and Polish letters, newest first", async () => {
    await mailer.send(mail({ subject: "The first" }));
    await mailer.send(mail());
    const [newest, older] = await (await read("application/json")).json();
    expect(newest).toMatchObject({
      to: "sian@example.org",
      subject: mail().subject,
      messageId: "<confirmation.00000000-0000-4000-8000-000000000001@kithandcopy.example>",
    });
    expect(newest.text.trim()).toBe("Llŷn & Łódź");
    expect(newest.html.trim()).toBe("<p>Llŷn &amp; Łódź</p>");
    expect(Date.parse(newest.receivedAt)).not.toBeNaN();
    expect(older.subject).toBe("The first");
  });

  it("to a wrong address is refused for good", async () => {
    await expect(mailer.send(mail({ to: "nobody@bounce.example" }))).rejects.toMatchObject({
      name: "MailRefused",
      code: "addressRefused",
    });
  });

  it("to an invalid address is refused for good, and a comma adds no second recipient", async () => {
    await expect(mailer.send(mail({ to: "no address" }))).rejects.toBeInstanceOf(MailRefused);
    const before = (await (await read("application/json")).json()).length;
    await mailer.send(mail({ to: "a@example.org, b@example.org" })).catch(() => undefined);
    const captured: { to: string }[] = await (await read("application/json")).json();
    const news = captured.slice(0, captured.length - before);
    expect(news.filter(({ to }) => to.split(", ").length > 1)).toEqual([]);
  });

  it("without a server is unavailable, so it is retried", async () => {
    const nowhere = createSmtpMailer({
      host: "127.0.0.1",
      port: 9,
      tls: "none",
      from: () => from,
      timeoutMs: 500,
    });
    await expect(nowhere.send(mail())).rejects.toBeInstanceOf(MailUnavailable);
    await nowhere.close();
  });

  it("is one of the last 200", async () => {
    for (let n = 1; n <= 205; n += 1) await mailer.send(mail({ subject: `Number ${n}` }));
    const captured: { subject: string }[] = await (await read("application/json")).json();
    expect(captured).toHaveLength(200);
    expect(captured[0]?.subject).toBe("Number 205");
    expect(captured.at(-1)?.subject).toBe("Number 6");
  });
});

describe("what comes back of a mail", () => {
  const came: ArrivedMail[] = [];
  let reception: Reception = { kind: "taken" };
  const product = createSmtpListener({
    ...{ protocol: "lmtp", host: "127.0.0.1", port: 0 },
    mailboxOf: (address) => (address.startsWith("help+") ? address : undefined),
    watch: { taken: () => undefined, refused: () => undefined },
    log: { error: () => undefined },
  });
  beforeAll(() =>
    product.start(async (mail) => {
      came.push(mail);
      return reception;
    }),
  );
  afterAll(() => product.stop());

  async function send(body: Record<string, string>, more: Partial<Parameters<Mailer["send"]>[0]> = {}) {
    await mailer.send(mail({ returnTo: "help+token@kithandcopy.example", ...more }));
    const [, path] = /href="\/sandbox\/(mail\/[\w-]+)"/.exec(await (await read("text/html")).text()) ?? [];
    const headers = { "content-type": "application/json" };
    const url = `${box.receiver.url}/sandbox/${path}/returns`;
    return fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
  }
  const readLast = async () => {
    const last = came.at(-1);
    if (!last) throw new Error("Nothing came.");
    return { ...last, mail: await readMail(last, { authServer: undefined }) };
  };

  it("is nothing while the product takes no mail in", async () => {
    expect((await send({ as: "reply", text: "Diolch" })).status).toBe(409);
  });

  it("is a reply, with what it answers quoted", async () => {
    if (product.listening) box.sandbox.returnMailTo({ ...product.listening, protocol: "lmtp" });
    const answer = await send({ as: "reply", text: "Diolch! Llŷn" });
    expect(await answer.json()).toEqual({ reply: "250 2.0.0 Taken" });
    const { mail, ...arrived } = await readLast();
    expect(arrived).toMatchObject({
      envelopeFrom: "sian@example.org",
      recipient: "help+token@kithandcopy.example",
    });
    expect(mail).toMatchObject({
      text: "Diolch! Llŷn",
      quoted: expect.stringContaining("> Llŷn & Łódź"),
      subject: "Re: Croeso, Siân Ŵyn a Zażółć gęślą jaźń",
      kind: { as: "written" },
    });
  });

  it.each([
    [{ as: "away" }, { as: "automatic" }],
    [{ as: "bounce" }, { as: "bounce", severity: "hard", code: "5.1.1" }],
    [
      { as: "bounce", how: "full" },
      { as: "bounce", severity: "soft", code: "5.2.2" },
    ],
    [
      { as: "bounce", how: "spam" },
      { as: "bounce", severity: "spam", code: "5.7.1" },
    ],
    [{ as: "complaint" }, { as: "complaint", returnTo: "help+token@kithandcopy.example" }],
  ])("is for %j what the product reads as %j", async (body, kind) => {
    await send(body);
    const { mail, envelopeFrom } = await readLast();
    expect([envelopeFrom, mail]).toEqual([
      "",
      expect.objectContaining({ kind: expect.objectContaining(kind) }),
    ]);
  });

  it("may be refused, and the page says how", async () => {
    reception = { kind: "refused", ...refusal("tooManyMails") };
    const { reply } = await (await send({ as: "reply", text: "Diolch" })).json();
    expect(reply).toMatch(/^451 4\.7\.1 Too many mails/);
    reception = { kind: "taken" };
  });

  it.each([{ as: "reply", text: "" }, { as: "forward" }, {}])("cannot be %j", async (body) => {
    expect((await send(body)).status).toBe(422);
  });

  it("is sent by no other site's form", async () => {
    const headers = { "content-type": "application/x-www-form-urlencoded", "sec-fetch-site": "cross-site" };
    const url = `${box.receiver.url}/sandbox/mail/any/returns`;
    expect((await fetch(url, { method: "POST", headers, body: "as=away" })).status).toBe(403);
  });
});

describe("the mail page", () => {
  it("lists mails and shows each in a frame without scripts", async () => {
    await mailer.send(
      mail({ subject: `"><script>alert(1)</script>`, html: `<p class="x">Hello</p><script>1</script>` }),
    );
    const list = await read("text/html");
    const text = await list.text();
    expect(text).toContain("&lt;script&gt;alert(1)");
    expect(text).not.toContain("<script>");
    const [, path] = /href="\/sandbox\/(mail\/[\w-]+)"/.exec(text) ?? [];
    const page = await read("text/html", path);
    const shown = await page.text();
    expect(shown).toContain('sandbox="allow-popups allow-popups-to-escape-sandbox"');
    expect(shown).toContain("&lt;p class=&quot;x&quot;&gt;Hello");
    expect(shown).not.toContain("<script>");
    expect(page.headers.get("content-security-policy")).toContain("default-src 'none'");
  });

  it("is not shown through a proxy or under a foreign host name", async () => {
    expect((await read("application/json", "mail", { "x-forwarded-for": "203.0.113.9" })).status).toBe(403);
    expect((await read("application/json", "mail", { forwarded: "for=203.0.113.9" })).status).toBe(403);
  });

  it("says so when a mail is gone", async () => {
    expect((await read("text/html", "mail/unknown")).status).toBe(404);
  });
});
