import { OutcomeUnknown, StoreBusy } from "../../infra/event-store/event-store.ts";
import { between } from "../../services/operations/seed/seeded-random.ts";
import { SubmissionUncertain } from "../../services/providers/gro/automation.ts";
import { MailUnavailable } from "../../services/providers/smtp/mailer.ts";
import { PaymentsUnavailable } from "../../services/providers/stripe/payments.ts";
import type { Life, Machine, VirtualTime } from "./virtual-time.ts";

/** What a machine reaches over the network. The first four are our own storage. */
export type Remote = "log" | "vault" | "list" | "queue" | "payments" | "gro" | "mail";
const storage: ReadonlySet<Remote> = new Set(["log", "vault", "list", "queue"]);

/**
 * What becomes of one call. `late`: the caller gives up, and the call arrives afterwards. A machine dies or pauses before
 * it sends, or after the call has arrived and before it learns of the answer.
 */
export type Fate =
  | "served"
  | "slow"
  | "refused"
  | "answer lost"
  | "late"
  | "dies before"
  | "dies after"
  | "pauses before"
  | "pauses after";

/** How often each fate comes, in calls of a thousand; the rest is served. */
export type Weather = Readonly<Partial<Record<Fate, number>>>;

export const calm: Weather = {};

/** Weathers of increasing trouble; a seed has one of them until it calms down. */
export const weathers: readonly Weather[] = [
  { slow: 20 },
  { slow: 20, "dies before": 6, "dies after": 6 },
  { slow: 20, refused: 30, "answer lost": 20, late: 10 },
  { slow: 20, "pauses before": 6, "pauses after": 6 },
  {
    ...{ slow: 30, refused: 15, "answer lost": 15, late: 8 },
    ...{ "dies before": 4, "dies after": 4, "pauses before": 4, "pauses after": 4 },
  },
];

export type Outage = { readonly of: "storage" | Remote; readonly fromMs: number; readonly untilMs: number };

type NetworkParts = {
  readonly time: VirtualTime;
  readonly random: () => number;
  readonly weather: () => Weather;
  readonly outages: readonly Outage[];
  readonly tell: (words: () => string) => void;
  readonly kill: (machine: Machine) => void;
  readonly onFault: (remote: Remote, fate: Fate) => void;
};

/**
 * How much more often a fate strikes here: where something is promised to the world outside, and least where a machine
 * only asks whether there is work.
 */
function spite(remote: Remote, name: string): number {
  if (remote === "gro" || remote === "payments" || remote === "mail") return 6;
  if (name === "append" || name === "destroy" || name === "commit") return 3;
  return idle.has(name) ? 0.2 : 1;
}
const idle: ReadonlySet<string> = new Set(["claim", "lease", "readAll", "toLookAt", "latePurges", "claimDue", "probe"]);

/** Long enough for leases, locks and deadlines to end. */
const pauseSeconds = [1, 5, 20, 60, 200, 700] as const;
const timeoutMs = 10_000;

/** Carries calls between machines and what they share, with the faults of a seed. */
export class Network {
  readonly #parts: NetworkParts;

  constructor(parts: NetworkParts) {
    this.#parts = parts;
  }

  /** Carries a call of a machine: `effect` is what it does where it arrives. */
  call<T>({ machine, life }: Life, remote: Remote, name: string, effect: () => Promise<T>): Promise<T> {
    const { time, tell } = this.#parts;
    // Its last breath: what was running when it died gets no further.
    if (machine.life !== life) return new Promise(() => undefined);
    return new Promise((resolve, reject) => {
      const fate = this.#fateOf(remote, name);
      if (fate !== "served") this.#parts.onFault(remote, fate);
      const words = (end: string) => tell(() => `${machine.name} → ${remote} ${name}: ${end}`);
      const answer = (ms: number, give: () => void) => time.after(ms, () => time.on(machine, life, give));
      const fail = (ms: number, how: "refused" | "answer lost") => {
        words(how);
        this.#parts.onFault(remote, how);
        answer(ms, () => reject(faultOf(remote, name, how)));
      };
      const arrive = (then: (give: () => void) => void) => {
        effect().then(
          (value) => then(() => resolve(value)),
          (error: unknown) => then(() => reject(error)),
        );
      };
      const send = () => {
        if (this.#isAway(remote)) return fail(this.#between(1, 2_000), "refused");
        const travelMs = fate === "slow" ? this.#between(500, 8_000) : this.#between(1, 4) / 2;
        if (fate === "refused") return fail(travelMs, "refused");
        if (fate === "late") {
          time.after(timeoutMs + this.#between(0, 120_000), () => arrive(() => words("arrived late")));
          return fail(timeoutMs, "answer lost");
        }
        time.after(travelMs, () =>
          arrive((give) => {
            if (fate === "answer lost") return fail(timeoutMs, "answer lost");
            // It died on the way: the call has arrived all the same.
            if (machine.life !== life) return;
            if (fate !== "served") words(fate);
            if (fate === "dies after") return this.#parts.kill(machine);
            if (fate === "pauses after") this.#pause(machine);
            answer(travelMs, give);
          }),
        );
      };
      if (fate === "dies before") {
        words(fate);
        this.#parts.kill(machine);
        return;
      }
      if (fate !== "pauses before") return send();
      words(fate);
      this.#pause(machine);
      time.on(machine, life, send);
    });
  }

  #fateOf(remote: Remote, name: string): Fate {
    const { weather, random } = this.#parts;
    const drawn = (random() * 1000) / spite(remote, name);
    let sum = 0;
    for (const [fate, share] of Object.entries(weather())) {
      sum += share;
      if (drawn >= sum || !isFate(fate)) continue;
      // Of our storage only the log takes what arrives late: all else is cancelled with its connection.
      return fate === "late" && storage.has(remote) && remote !== "log" ? "answer lost" : fate;
    }
    return "served";
  }

  #isAway(remote: Remote): boolean {
    const { nowMs } = this.#parts.time;
    return this.#parts.outages.some(
      ({ of, fromMs, untilMs }) =>
        (of === remote || (of === "storage" && storage.has(remote))) && fromMs <= nowMs && nowMs < untilMs,
    );
  }

  #pause(machine: Machine): void {
    const { time, random } = this.#parts;
    const seconds = pauseSeconds[Math.floor(random() * pauseSeconds.length)] ?? 1;
    time.pause(machine, time.nowMs + seconds * 1000);
  }

  #between(least: number, most: number): number {
    return between(this.#parts.random, least, most);
  }
}

const fates: ReadonlySet<string> = new Set(Object.keys(Object.assign({}, ...weathers)));
const isFate = (word: string): word is Fate => fates.has(word);

function faultOf(remote: Remote, name: string, how: "refused" | "answer lost"): Error {
  const words = `${remote} ${name}: ${how}`;
  if (remote === "payments") return new PaymentsUnavailable(words);
  if (remote === "gro") return new SubmissionUncertain(how === "refused" ? "unreachable" : "timeout");
  if (remote === "mail") return new MailUnavailable("unreachable");
  if (remote === "log" && name === "append")
    return how === "refused" ? new StoreBusy(words) : new OutcomeUnknown(words);
  return Object.assign(new Error(words), { code: how === "refused" ? "ECONNREFUSED" : "ECONNRESET" });
}
