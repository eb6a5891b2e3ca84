import { expect, it, vi } from "vitest";
import type { Mail, Mailer } from "../../providers/smtp/mailer.ts";
import { sendingOnce } from "./sending-once.ts";

const mailOf = (messageId: string): Mail => ({
  ...{ messageId, to: "sian.rhys@post.example", subject: "confirmation", text: "Text", html: "Text" },
});

function watched(send = vi.fn<Mailer["send"]>(async () => undefined)) {
  const close = vi.fn(async () => undefined);
  const mailer = sendingOnce({ send, close });
  return { mailer, close, sent: () => send.mock.calls.map(([{ messageId }]) => messageId) };
}

it("A mail that has left is not sent again, and another is", async () => {
  const { mailer, sent } = watched();
  for (const id of ["one", "two", "one"]) await mailer.send(mailOf(id));
  expect(sent()).toEqual(["one", "two"]);
});

it("A mail that was refused is sent again", async () => {
  const send = vi
    .fn<Mailer["send"]>()
    .mockRejectedValueOnce(new TypeError("No."))
    .mockResolvedValue(undefined);
  const { mailer, sent } = watched(send);
  await expect(mailer.send(mailOf("one"))).rejects.toThrow(TypeError);
  await mailer.send(mailOf("one"));
  expect(sent()).toEqual(["one", "one"]);
});

it("The ten thousand mails that left last are kept in mind", async () => {
  const { mailer, sent } = watched();
  for (let nth = 0; nth <= 10_000; nth += 1) await mailer.send(mailOf(`${nth}`));
  await mailer.send(mailOf("1"));
  expect(sent()).toHaveLength(10_001);
  await mailer.send(mailOf("0"));
  expect(sent()).toHaveLength(10_002);
});

it("Closing closes the mailer", async () => {
  const { mailer, close } = watched();
  await mailer.close();
  expect(close).toHaveBeenCalledOnce();
});
