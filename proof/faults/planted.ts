import type { SourceChange } from "../change-sources.ts";
import type { FaultKind } from "../network/connection.ts";

/** A fault put into the product's processes, which must turn a proof red. */
export type SourceFault = {
  readonly name: string;
  /** The proof that must find it. */
  readonly proof: "races" | "webhooks" | "kills" | "network" | "deploy";
  readonly words: string;
  /** In the finding that it must lead to. */
  readonly finding: RegExp;
  readonly changes: readonly SourceChange[];
  /** Settings of Postgres that go with them, as `name=value`. */
  readonly postgres?: readonly string[];
  /** The faults of the network that reveal it, on requests of such links. */
  readonly network?: { readonly kind: FaultKind; readonly links: RegExp; readonly requests?: RegExp };
};

export const sourceFaults: readonly SourceFault[] = [
  {
    name: "no-repeats",
    proof: "races",
    words: "a command that was executed is executed again",
    finding: /copies: answered/,
    changes: [
      { file: "infra/commands/repeats.ts", from: "if (!done) return undefined;", to: "return undefined;" },
    ],
  },
  {
    name: "submits-again",
    proof: "races",
    words: "a submission that was requested is requested again",
    finding: /SubmissionRequested [2-9] times instead of 1/,
    changes: [
      {
        file: "infra/commands/repeats.ts",
        from: "if (!done) return undefined;",
        to: 'if (!done || commandId.startsWith("submit-")) return undefined;',
      },
      {
        file: "domain/order/submission/decide-submission.ts",
        from: 'if (order.promise !== null || order.phase !== "Paid" || order.variant === null) return [];',
        to: "if (order.variant === null) return [];",
      },
    ],
  },
  {
    name: "believes-the-webhook",
    proof: "webhooks",
    words: "a webhook is believed, and the provider's answer is not looked at",
    finding: /PaymentConfirmed 1 times instead of 0/,
    changes: [
      {
        file: "services/orders/payments/payment-webhook.ts",
        from: 'if (intent.status === "succeeded")',
        to: "if (intent.orderId !== undefined)",
      },
    ],
  },
  {
    name: "first-share-alone",
    proof: "webhooks",
    words: "of several orders that were paid for together only the first is confirmed",
    finding: /PaymentConfirmed 0 times instead of 1/,
    changes: [
      {
        file: "services/orders/payments/provider-reports.ts",
        from: "    shares.map((share) =>\n      deps.orders.execute({\n        orderId: share.orderId,",
        to: "    shares.slice(0, 1).map((share) =>\n      deps.orders.execute({\n        orderId: share.orderId,",
      },
    ],
  },
  {
    name: "confirms-again",
    proof: "webhooks",
    words: "each webhook about a payment confirms it again",
    finding: /PaymentConfirmed [2-9] times instead of 1/,
    changes: [
      {
        file: "services/orders/command-ids.ts",
        from: "(intentId: string) => `pay-",
        to: "(intentId: string) => Math.random() + `pay-",
      },
      {
        file: "domain/order/payment/decide-payment.ts",
        from: "if (order.payments.some((payment) => payment.intentId === intentId)) return [];\n    if (isUnpaid(order.phase) &&",
        to: "if (",
      },
    ],
  },
  {
    name: "unsigned-webhooks",
    proof: "webhooks",
    words: "the signature of a webhook is not verified",
    finding: /forged webhook .* was answered 200/,
    changes: [
      {
        file: "services/providers/stripe/stripe-payments.ts",
        from: "stripe.webhooks.constructEvent(",
        to: "((body: Buffer | string, ..._unread: unknown[]) => JSON.parse(String(body)))(",
      },
    ],
  },
  {
    name: "whole-from-each",
    proof: "webhooks",
    words: "a refund by hand is taken whole from each order of its payment",
    finding: /pence recorded instead of/,
    changes: [
      {
        file: "services/orders/payments/returns.ts",
        from: "...parts.map(({ orderId, amountPence }) => recordRefund(deps, orderId, { ...refund, amountPence }, by)),",
        to: "...shares.map(({ orderId }) => recordRefund(deps, orderId, refund, by)),",
      },
    ],
  },
  {
    name: "async-commit",
    proof: "kills",
    words: "an append does not wait for its commit to be written",
    finding: /was acknowledged at \d+ and is not in the log/,
    changes: [
      {
        file: "infra/event-store/postgres/append-connection.ts",
        from: "case name when 'synchronous_commit' then 'on'",
        to: "case name when 'synchronous_commit' then 'off'",
      },
    ],
    // What was committed reaches the operating system ten seconds later at most.
    postgres: ["synchronous_commit=off", "wal_writer_delay=10s", "wal_writer_flush_after=1GB"],
  },
  {
    name: "checkpoint-first",
    proof: "kills",
    words: "a follower's checkpoint is committed before the work of its batch",
    finding: /is not the fold of the log/,
    changes: [
      {
        file: "infra/following/subscription/shared-commit.ts",
        from: "return tellingOfEnd((onEnd) =>",
        to: `return inDerivedTransaction(pool, (client) => leases.moveCheckpoint(client, sharedKey(name), from, to, leaseMs))
          .then(() => new Promise((resolve) => setTimeout(resolve, 1_000)))
          .then(() => tellingOfEnd((onEnd) =>`,
      },
      {
        file: "infra/following/subscription/shared-commit.ts",
        from: "await leases.moveCheckpoint(client, sharedKey(name), from, to, leaseMs);\n    }),\n  );",
        to: "}),\n  ));",
      },
    ],
  },
  {
    name: "takes-from-the-living",
    proof: "deploy",
    words: "a worker takes what others own",
    finding: /^mail \S+ left /,
    changes: [
      {
        file: "services/policies/work/work-table.ts",
        from: 'const free = "owner is null and',
        to: 'const free = "owner is distinct from $1 and',
      },
      {
        file: "services/policies/work/work-table.ts",
        from: "(select min(due_at) from work where owner is null and",
        to: "(select min(due_at) from work where",
      },
      // A worker looks every two seconds: a quick mail would mostly be on record by then.
      {
        file: "services/policies/work/task-attempt.ts",
        from: "if (!this.#hasLeft) await mailer.send(mail);",
        to: "if (!this.#hasLeft) await mailer.send(mail).then(() => new Promise((resolve) => setTimeout(resolve, 500)));",
      },
    ],
  },
  {
    name: "orders-again",
    proof: "network",
    words: "an order that was opened is opened again under the same key",
    finding: /OrderCreated 1 times instead of 0/,
    changes: [
      {
        file: "services/orders/create-order.ts",
        from: "orderIdFor(deps, commandId, key)",
        to: "deps.newId()",
      },
    ],
    network: { kind: "reply dropped", links: /^customers to /, requests: /^POST \/api\/orders / },
  },
  {
    name: "no-deadline",
    proof: "network",
    words: "a gateway waits for its database as long as that takes",
    finding: /was not settled within/,
    changes: [
      {
        file: "services/gateway/route.ts",
        from: "if (!response.headersSent) reject(tookTooLong());",
        to: "",
      },
    ],
    network: { kind: "black hole", links: /^gateway-\d to Postgres$/, requests: /vault_records/ },
  },
];

export const faultsOf = (proof: SourceFault["proof"]): readonly SourceFault[] =>
  sourceFaults.filter((fault) => fault.proof === proof);
