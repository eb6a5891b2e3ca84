import type { z } from "zod";
import type { Json } from "../../../infra/json.ts";
import { type Client, inTransaction, type Pool } from "../../../infra/postgres/pool.ts";
import type { noticeMessage, submissionMessage } from "../../submission/automation-protocol.ts";
import type { Deliveries } from "../deliveries.ts";
import { Latest } from "../latest.ts";

export type Submission = z.infer<typeof submissionMessage>;
export type NoticeKind = z.infer<typeof noticeMessage>["kind"];
export type Acceptance = { key: string; orderNumber: string; groOrderReference: string; acceptedAt: Date };
export type Received = Acceptance & { submission: Submission };

const columns = `key, order_number as "orderNumber", gro_order_reference as "groOrderReference",
  accepted_at as "acceptedAt"`;

/**
 * What the GRO holds: keys, references and times outlive a restart; the applications themselves are personal data, kept
 * in memory only.
 */
export class Register {
  readonly #pool: Pool;
  readonly #deliveries: Deliveries;
  readonly #now: () => Date;
  readonly #newId: () => string;
  readonly #random: () => number;
  readonly #dispatchAfterMs: number | null;
  readonly #received = new Latest<Received>(200);

  constructor(parts: {
    pool: Pool;
    deliveries: Deliveries;
    now: () => Date;
    newId: () => string;
    random: () => number;
    /** When the certificate is despatched by itself; null for only when told. */
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

  /** Accepts once per key; the same key again gets the first answer, another application under it gets "conflict". */
  async accept(submission: Submission, noticeCopies: number): Promise<Acceptance | "conflict"> {
    const earlier = this.received.find(({ key }) => key === submission.key)?.submission;
    if (earlier && JSON.stringify(earlier) !== JSON.stringify(submission)) return "conflict";
    const acceptance = await inTransaction(this.#pool, (client) =>
      this.#insertOrRead(client, submission, noticeCopies),
    );
    if (!earlier) this.#received.add({ ...acceptance, submission });
    this.#deliveries.wake();
    return acceptance;
  }

  async #insertOrRead(client: Client, submission: Submission, noticeCopies: number): Promise<Acceptance> {
    const { rows } = await client.query<Acceptance>(
      `insert into sandbox.submissions (key, order_number, gro_order_reference, accepted_at)
       values ($1, $2, $3, $4) on conflict (key) do nothing returning ${columns}`,
      [submission.key, submission.orderNumber, this.#newReference(), this.#now()],
    );
    if (!rows[0])
      return first(
        await client.query<Acceptance>(`select ${columns} from sandbox.submissions where key = $1`, [
          submission.key,
        ]),
      );
    if (this.#dispatchAfterMs !== null) {
      await this.#addNotices(client, submission.key, "dispatched", this.#dispatchAfterMs, noticeCopies);
    }
    return rows[0];
  }

  /** What became of a key, undefined when it was never accepted. */
  async find(keyOrOrderNumber: string): Promise<Acceptance | undefined> {
    const { rows } = await this.#pool.query<Acceptance>(
      `select ${columns} from sandbox.submissions where key = $1 or order_number = $1
       order by accepted_at desc limit 1`,
      [keyOrOrderNumber],
    );
    return rows[0];
  }

  /** Calls back now. Answers the ids of the notices. */
  async notify(key: string, kind: NoticeKind, copies: number): Promise<string[]> {
    const ids = await inTransaction(this.#pool, (client) => this.#addNotices(client, key, kind, 0, copies));
    this.#deliveries.wake();
    return ids;
  }

  async #addNotices(
    client: Client,
    key: string,
    kind: NoticeKind,
    delayMs: number,
    copies: number,
  ): Promise<string[]> {
    const occurredAt = new Date(this.#now().getTime() + delayMs).toISOString();
    const ids: string[] = [];
    for (let copy = 0; copy < copies; copy += 1) {
      const noticeId = this.#newId();
      const notice: Record<string, Json> = { noticeId, key, kind, occurredAt };
      await this.#deliveries.add(client, {
        target: "gro",
        messageId: noticeId,
        body: JSON.stringify(notice),
        delayMs,
      });
      ids.push(noticeId);
    }
    return ids;
  }

  #newReference(): string {
    return `GRO-${String(Math.floor(this.#random() * 1e8)).padStart(8, "0")}`;
  }
}

function first<Row>({ rows }: { rows: readonly Row[] }): Row {
  const [row] = rows;
  if (row === undefined) throw new Error("A submission vanished while it was read.");
  return row;
}
