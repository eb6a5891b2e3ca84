import { z } from "zod";
import type { groNoticeMessage } from "../../../../contract/providers/notices.ts";
import type { Pool } from "../../../../infra/postgres/pool.ts";
import type { Deliveries, Message } from "../../sandbox/deliveries.ts";
import { Latest } from "../../sandbox/http-server.ts";
import type { submissionMessage } from "../automation-protocol.ts";

/**
 * How the service treats the next submissions. `fail`: an error, nothing accepted. `timeout`: accepted, never answered.
 * `silent`: likewise, and no inquiry is answered while it lasts. `answerTwice`: each notice is sent twice, under
 * different ids. `reject`: refused for good. `loseNotices`: no notice is sent, and only status requests reveal the
 * outcome.
 */
const mode = z.enum(["ok", "fail", "timeout", "silent", "answerTwice", "reject", "loseNotices"]);
export type Mode = z.infer<typeof mode>;

/** Without `times` the mode applies until the next change. */
export const behaviourChange = z.strictObject({ mode, times: z.int().min(1).max(1_000).optional() });

export const noticeCopies = (mode: Mode): number =>
  mode === "loseNotices" ? 0 : mode === "answerTwice" ? 2 : 1;

export class Behaviour {
  #mode: Mode = "ok";
  #times = Number.POSITIVE_INFINITY;

  set(change: z.infer<typeof behaviourChange>): void {
    this.#mode = change.mode;
    this.#times = change.times ?? Number.POSITIVE_INFINITY;
  }

  get current(): Mode {
    return this.#mode;
  }

  next(): Mode {
    const now = this.#mode;
    this.#times -= 1;
    if (this.#times <= 0) this.set({ mode: "ok" });
    return now;
  }
}

type Submission = z.infer<typeof submissionMessage>;
export type NoticeKind = z.infer<typeof groNoticeMessage>["kind"];
export type Acceptance = { key: string; orderNumber: string; groOrderReference: string; acceptedAt: Date };
export type Received = Acceptance & { submission: Submission };
type Outcome = { kind: NoticeKind; occurredAt: Date; question?: string | undefined };
/**
 * Why an application was not accepted. `conflict`: another application has the key. `expired`: past its deadline.
 * `closed`: by an inquiry.
 */
type NotAccepted = "conflict" | "expired" | "closed";

const columns = `key, order_number as "orderNumber", gro_order_reference as "groOrderReference",
  accepted_at as "acceptedAt"`;

/**
 * The GRO's records. Keys, references and times survive a restart; applications and the texts of questions are personal
 * data, kept in memory only.
 */
export class Register {
  readonly #pool: Pool;
  readonly #deliveries: Deliveries;
  readonly #now: () => Date;
  readonly #newId: () => string;
  readonly #random: () => number;
  readonly #dispatchAfterMs: number | null;
  readonly #received = new Latest<Received>(200);
  readonly #questions = new Latest<{ key: string; text: string }>(200);

  constructor(parts: {
    pool: Pool;
    deliveries: Deliveries;
    now: () => Date;
    newId: () => string;
    random: () => number;
    /** Delay before a certificate is despatched automatically; null to despatch on request only. */
    dispatchAfterMs: number | null;
  }) {
    this.#pool = parts.pool;
    this.#deliveries = parts.deliveries;
    this.#now = parts.now;
    this.#newId = parts.newId;
    this.#random = parts.random;
    this.#dispatchAfterMs = parts.dispatchAfterMs;
  }

  get received(): readonly Received[] {
    return this.#received.all;
  }

  /** Accepts once per key; the same key again gets the first answer, even past its deadline. */
  async accept(submission: Submission, noticeCopies: number): Promise<Acceptance | NotAccepted> {
    const earlier = this.received.find(({ key }) => key === submission.key)?.submission;
    if (earlier && contentOf(earlier) !== contentOf(submission)) return "conflict";
    const { key, notAfter } = submission;
    const isLate = this.#now() > new Date(notAfter);
    const acceptance = isLate
      ? await this.settle(key)
      : ((await this.#insert(submission, noticeCopies)) ?? (await this.#acceptedAs(key)));
    if (!acceptance) return isLate ? "expired" : "closed";
    if (!earlier) this.#received.add({ ...acceptance, submission });
    return acceptance;
  }

  /**
   * Accepts, and plans the despatch. A concurrent submission or inquiry under the same key is waited for.
   * @returns undefined when the key has a row already
   */
  #insert({ key, orderNumber }: Submission, copies: number): Promise<Acceptance | undefined> {
    const after = this.#dispatchAfterMs;
    const planned = after === null ? undefined : this.#planned(key, "dispatched", after, copies);
    return this.#deliveries.tell<Acceptance>({
      name: "sandbox-accept",
      facts: `
        fact as (
          insert into sandbox.submissions (key, order_number, gro_order_reference, accepted_at)
          values ($1, $2, $3, $4) on conflict (key) do nothing returning ${columns}
        ),
        outcome as (
          insert into sandbox.outcomes (key, kind, occurred_at)
          select key, 'dispatched', $5 from fact where $5::timestamptz is not null
        )`,
      values: [key, orderNumber, this.#newReference(), this.#now(), planned?.occurredAt ?? null],
      messages: planned?.messages ?? [],
    });
  }

  /** Outcome of a key. One never accepted is closed: undefined, now and from now on. */
  async settle(key: string): Promise<Acceptance | undefined> {
    // A concurrent submission under the same key holds its row until it commits: this waits for it.
    await this.#pool.query("insert into sandbox.submissions (key) values ($1) on conflict (key) do nothing", [
      key,
    ]);
    return this.#acceptedAs(key);
  }

  /** The acceptance under a key, an order number or a GRO reference; undefined if none. */
  async find(name: string): Promise<Acceptance | undefined> {
    const [found] = await this.findAll([name]);
    return found;
  }

  /** The same for several names, in their order. */
  async findAll(names: readonly string[]): Promise<readonly (Acceptance | undefined)[]> {
    const { rows } = await this.#pool.query<Acceptance>(
      `select ${columns} from sandbox.submissions
       where accepted_at is not null and (key = any($1) or order_number = any($1) or gro_order_reference = any($1))
       order by accepted_at desc`,
      [names],
    );
    return names.map((name) =>
      rows.find((row) => [row.key, row.orderNumber, row.groOrderReference].includes(name)),
    );
  }

  /** The GRO's latest step; undefined if none. */
  async latest(key: string): Promise<Outcome | undefined> {
    const { rows } = await this.#pool.query<Outcome>(
      `select kind, occurred_at as "occurredAt" from sandbox.outcomes
       where key = $1 and occurred_at <= $2 order by occurred_at desc, id desc limit 1`,
      [key, this.#now()],
    );
    const question = this.#questions.all.find((asked) => asked.key === key)?.text;
    return rows[0]?.kind === "queried" ? { ...rows[0], question } : rows[0];
  }

  /** Sends `copies` notices now; with 0, only status requests reveal the outcome. @returns the notices' ids */
  async notify(key: string, kind: NoticeKind, copies: number, question?: string): Promise<string[]> {
    const planned = this.#planned(key, kind, 0, copies);
    const { occurredAt } = planned;
    const messages = question
      ? planned.messages.map((message) => ({ ...message, personal: { question } }))
      : planned.messages;
    if (question) this.#questions.add({ key, text: question });
    await this.#deliveries.tell({
      name: "sandbox-notify",
      facts: `
        fact as (insert into sandbox.outcomes (key, kind, occurred_at) values ($1, $2, $3) returning key)`,
      values: [key, kind, occurredAt],
      messages,
    });
    return messages.map(({ messageId }) => messageId);
  }

  /** When an outcome occurs, and the notices that tell of it, each under an id of its own. */
  #planned(key: string, kind: NoticeKind, delayMs: number, copies: number) {
    const occurredAt = new Date(this.#now().getTime() + delayMs).toISOString();
    const messages = Array.from({ length: copies }, (): Message => {
      const noticeId = this.#newId();
      const body = JSON.stringify({ noticeId, key, kind, occurredAt });
      return { target: "gro", messageId: noticeId, body, delayMs };
    });
    return { occurredAt, messages };
  }

  async #acceptedAs(key: string): Promise<Acceptance | undefined> {
    const { rows } = await this.#pool.query<Acceptance>(
      `select ${columns} from sandbox.submissions where key = $1 and accepted_at is not null`,
      [key],
    );
    return rows[0];
  }

  #newReference(): string {
    return `GRO-${String(Math.floor(this.#random() * 1e8)).padStart(8, "0")}`;
  }
}

/** The application without its deadline: after a restore we send another. */
const contentOf = ({ notAfter: _, ...application }: Submission): string => JSON.stringify(application);
