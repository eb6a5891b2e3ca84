import { describe, expect, test } from "vitest";
import { needsOtherAcknowledgement } from "../../../domain/ticket/clocks.ts";
import { type TicketTask, ticketOwed } from "../../../domain/ticket/owed.ts";
import type { Ticket } from "../../../domain/ticket/state.ts";
import { createTaskBench, type TaskBench, testSettings } from "../../../testing/services/task-fixture.ts";
import { staff, ticketRequest, writer } from "../../../testing/services/ticket-fixture.ts";
import { failingAppends } from "../../../testing/services/use-case-fixture.ts";
import { noteOnTicket, openTicket, replyToTicket } from "../../tickets/write-in-ticket.ts";
import { ProbeFailed } from "../../vault/vault.ts";

const day = 86_400;

async function opened(bench: TaskBench, changes: Record<string, unknown> = {}): Promise<string> {
  const key = { scope: "open-ticket", key: bench.deps.newId() };
  return (await openTicket(bench.deps, ticketRequest(changes), null, key, "a-request")).ticket.ticketId;
}

const answer = (bench: TaskBench, ticketId: string, text = "On weekdays.") =>
  replyToTicket(bench.deps, { ticketId, text, key: undefined, by: staff });

const close = (bench: TaskBench, ticketId: string) =>
  bench.deps.tickets.execute({
    ticketId,
    commandId: bench.deps.newId(),
    by: staff,
    command: { type: "ChangeTicketStatus", data: { status: "Closed", reason: "staffChoice" } },
  });

const ticketOf = async (bench: TaskBench, ticketId: string): Promise<Ticket> =>
  (await bench.deps.tickets.load(ticketId)).ticket;

async function owedNow(bench: TaskBench, ticketId: string): Promise<TicketTask[]> {
  const tasks = ticketOwed(await ticketOf(bench, ticketId), undefined, testSettings);
  return tasks.filter(({ dueAt }) => new Date(dueAt) <= bench.now());
}

/** Performs the due tasks of a kind, and returns the codes of failures. */
async function perform(bench: TaskBench, ticketId: string, kind: TicketTask["kind"]): Promise<string[]> {
  const codes: string[] = [];
  for (const task of await owedNow(bench, ticketId)) {
    if (task.kind !== kind) continue;
    const failure = await bench.performNow(ticketId, task.name);
    if (failure !== undefined) codes.push(failure);
  }
  return codes;
}

const typesOf = async (bench: TaskBench, ticketId: string) =>
  (await bench.store.readStream(`ticket-${ticketId}`)).map(({ type }) => type);

describe("A ticket's mails", () => {
  test("are sent once each: the acknowledgement, and one for each answer", async () => {
    const bench = createTaskBench();
    const ticketId = await opened(bench);
    await perform(bench, ticketId, "mail");
    await perform(bench, ticketId, "mail");
    await answer(bench, ticketId);
    await perform(bench, ticketId, "mail");
    expect(bench.mailer.sent.map(({ to, subject }) => [to, subject])).toEqual([
      ["sian.rhys@post.example", "ticketOpened"],
      ["sian.rhys@post.example", "ticketAnswered"],
    ]);
    expect((await ticketOf(bench, ticketId)).acknowledgement.state).toBe("sent");
  });

  test("wait while the mail server is down", async () => {
    const bench = createTaskBench();
    const ticketId = await opened(bench);
    bench.mailer.mood = "down";
    expect(await perform(bench, ticketId, "mail")).toEqual(["unreachable"]);
    bench.mailer.mood = "well";
    expect(await perform(bench, ticketId, "mail")).toEqual([]);
    expect(await typesOf(bench, ticketId)).toEqual(["TicketOpened", "MailSent"]);
  });

  test.each(["refused address", "refused content", "purged contact"])(
    "are undeliverable with a %s, which for a complaint needs attention from staff",
    async (why) => {
      const bench = createTaskBench();
      const ticketId = await opened(bench, { category: "dataProtectionComplaint" });
      const { contactRef } = await ticketOf(bench, ticketId);
      if (why === "refused address") bench.mailer.mood = "refusesAddress";
      else if (why === "refused content") bench.mailer.mood = "refusesContent";
      else await bench.deps.vault.destroy([contactRef ?? ""]);
      await perform(bench, ticketId, "mail");
      expect(await typesOf(bench, ticketId)).toEqual(["TicketOpened", "MailUndeliverable"]);
      expect(needsOtherAcknowledgement(await ticketOf(bench, ticketId))).toBe(true);
    },
  );
});

describe("Silence", () => {
  test("closes a ticket thirty days after the answer, and not before", async () => {
    const bench = createTaskBench();
    const ticketId = await opened(bench);
    await answer(bench, ticketId);
    bench.wait(30 * day - 60);
    await perform(bench, ticketId, "close");
    expect((await ticketOf(bench, ticketId)).phase).toBe("Waiting");
    bench.wait(60);
    await perform(bench, ticketId, "close");
    expect((await ticketOf(bench, ticketId)).phase).toBe("Closed");
  });

  test("does not close a ticket to which the customer wrote since it was found due", async () => {
    const bench = createTaskBench();
    const ticketId = await opened(bench);
    await answer(bench, ticketId);
    bench.wait(30 * day);
    const { load } = bench.deps.tickets;
    const read = await load(ticketId);
    await replyToTicket(bench.deps, { ticketId, text: "And now?", key: undefined, by: writer });
    bench.deps.tickets.load = async () => read;
    await expect(perform(bench, ticketId, "close")).resolves.toEqual(["refused"]);
    bench.deps.tickets.load = load;
    expect((await ticketOf(bench, ticketId)).phase).toBe("Open");
  });

  test("closes it again after it was reopened and answered", async () => {
    const bench = createTaskBench();
    const ticketId = await opened(bench);
    for (const _ of [1, 2]) {
      await replyToTicket(bench.deps, { ticketId, text: "And now?", key: undefined, by: writer });
      await answer(bench, ticketId);
      bench.wait(30 * day);
      await perform(bench, ticketId, "close");
      expect((await ticketOf(bench, ticketId)).phase).toBe("Closed");
    }
  });
});

describe("Purging a ticket", () => {
  async function closedForAYear(bench: TaskBench): Promise<string> {
    const ticketId = await opened(bench);
    await answer(bench, ticketId);
    await noteOnTicket(bench.deps, { ticketId, text: "Rang us.", key: undefined, by: staff });
    await close(bench, ticketId);
    await perform(bench, ticketId, "mail");
    bench.wait(365 * day);
    return ticketId;
  }
  const receiptOf = async (bench: TaskBench, ticketId: string) =>
    (await bench.store.readStream(`ticket-${ticketId}`)).find(({ type }) => type === "TicketPurged")?.data;

  test("leaves nothing in the vault, and records what was erased", async () => {
    const bench = createTaskBench();
    const ticketId = await closedForAYear(bench);
    await perform(bench, ticketId, "purge");
    expect(await receiptOf(bench, ticketId)).toMatchObject({
      destroyed: ["ticketContact", "ticketMessage", "ticketNote", "fingerprintKey"],
      rule: "retention",
      probe: "unreadable",
      records: 5,
    });
    expect(await bench.deps.vault.recordsOf(ticketId)).toEqual([]);
    expect(await owedNow(bench, ticketId)).toEqual([]);
  });

  test("waits a year", async () => {
    const bench = createTaskBench();
    const ticketId = await opened(bench);
    await close(bench, ticketId);
    bench.wait(365 * day - 60);
    await bench.performNow(ticketId, "purge-ticket-1");
    expect(await bench.deps.vault.recordsOf(ticketId)).toHaveLength(3);
  });

  test("includes records sealed and never named, and gives the same receipt after a crash", async () => {
    let broken = false;
    const bench = createTaskBench({ wrapStore: failingAppends(() => broken && destroyed) });
    let destroyed = false;
    const { destroy } = bench.deps.vault;
    bench.deps.vault.destroy = async (refs) => {
      destroyed = true;
      return destroy(refs);
    };
    const ticketId = await closedForAYear(bench);
    await bench.deps.vault.seal({
      recordId: bench.deps.newId(),
      subject: ticketId,
      dataClass: "contact",
      kind: "ticketMessage",
      schemaVersion: 1,
      body: { text: "Never named" },
      dueAt: "2028-01-01T00:00:00.000Z",
    });
    broken = true;
    expect(await perform(bench, ticketId, "purge")).toEqual(["Error"]);
    broken = false;
    expect(await bench.deps.vault.recordsOf(ticketId)).toEqual([]);
    await perform(bench, ticketId, "purge");
    expect(await receiptOf(bench, ticketId)).toMatchObject({ records: 5 });
  });

  test("that fails is recorded with an alarm, retried, and succeeds under a new name", async () => {
    const bench = createTaskBench();
    const ticketId = await closedForAYear(bench);
    const { destroy } = bench.deps.vault;
    bench.deps.vault.destroy = () => Promise.reject(new ProbeFailed("The test keeps the key."));
    await perform(bench, ticketId, "purge");
    expect((await ticketOf(bench, ticketId)).purge).toMatchObject({ failures: 1, failure: "stillReadable" });
    expect(bench.logLines.join("")).toContain("ALARM");
    bench.deps.vault.destroy = destroy;
    bench.wait(10);
    await perform(bench, ticketId, "purge");
    expect((await ticketOf(bench, ticketId)).phase).toBe("Purged");
  });
});
