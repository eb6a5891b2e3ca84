import { OutcomeUnknown, StoreBusy } from "../../../infra/event-store/event-store.ts";
import { between, pick } from "../../../services/operations/seed/seeded-random.ts";
import { SubmissionUncertain } from "../../../services/providers/gro/automation.ts";
import { MailUnavailable } from "../../../services/providers/smtp/mailer.ts";
import { PaymentsUnavailable } from "../../../services/providers/stripe/payments.ts";
import type { Life, Machine, VirtualTime } from "./virtual-time.ts";

/** What a machine reaches over the network. The first four are our own storage. */
export type Remote = "log" | "vault" | "list" | "queue" | "payments" | "gro" | "mail";
const storage: ReadonlySet<Remote> = new Set(["log", "vault", "list", "queue"]);

/**
 * How one call ends. `late`: the caller gives up, and the call arrives afterwards. A machine dies or pauses before
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
type Weather = Readonly<Partial<Record<Fate, number>>>;

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

/** A fault that calls have for a while, on top of those drawn for each call. */
export type Trouble = {
  readonly of: "storage" | Remote;
  readonly fate: "refused" | "answer lost" | "slow";
  /** Of one machine alone; of all without it. */
  readonly machine?: Machine;
  /** Of calls of one name alone. */
  readonly call?: string;
  readonly fromMs: number;
  readonly untilMs: number;
};

/** A call, as its receiver sees it. */
export type Arrival = {
  readonly from: Life;
  readonly sentMs: number;
  /** Whether its caller will be answered, if it lives. */
  readonly isAnswered: boolean;
};

type NetworkParts = {
  readonly time: VirtualTime;
  readonly random: () => number;
  readonly weather: () => Weather;
  readonly troubles: readonly Trouble[];
  readonly tell: (words: () => string) => void;
  readonly kill: (machine: Machine) => void;
  /** Holds up a machine, whether as a process or as a whole. */
  readonly pause: (machine: Machine, forMs: number) => void;
  /** `forMs`: until the caller learns of it. */
  readonly onFault: (from: Life, name: string, fate: Fate, forMs?: number) => void;
};

/**
 * How much more often a fate strikes here: where something is promised to the world outside, and least where a machine
 * only asks whether there is work.
 */
function spite(remote: Remote, name: string): number {
  if (name === "submit") return 12;
  if (remote === "gro" || remote === "payments" || remote === "mail") return 6;
  if (name === "append" || name === "destroy" || name === "commit") return 3;
  return idle.has(name) ? 0.2 : 1;
}
const idle: ReadonlySet<string> = new Set(["lease", "readAll", "probe"]);

/** Calls that a story tells of, though nothing goes wrong. */
const told: ReadonlySet<string> = new Set([
  "append",
  "seal",
  "destroy",
  "enter",
  "remove",
  "letGo",
  "free",
  "commit",
]);

/** Long enough for leases, locks and deadlines to end. */
const pauseSeconds = [1, 3, 5, 7, 9, 12, 20, 60, 200, 700] as const;
const timeoutMs = 10_000;
/** A statement that waits for a lock is ended by then, whether or not its connection is still there. */
const lockTimeoutMs = 10_000;

/** Carries calls between machines and what they share, with the faults of a seed. */
export class Network {
  readonly #parts: NetworkParts;

  constructor(parts: NetworkParts) {
    this.#parts = parts;
  }

  /** Carries a call of a machine: `effect` is what it does where it arrives. */
  call<T>(from: Life, remote: Remote, name: string, effect: (arrival: Arrival) => Promise<T>): Promise<T> {
    // Its last breath: what was running when it died gets no further.
    if (from.machine.life !== from.life) return new Promise(() => undefined);
    const fate = this.#fateOf(from.machine, remote, name);
    if (fate !== "served" && fate !== "slow") this.#parts.onFault(from, name, fate);
    const isAnswered = fate !== "answer lost" && fate !== "late";
    const arrival = { from, sentMs: this.#parts.time.nowMs, isAnswered };
    return new Promise((resolve, reject) => {
      const call: Call<T> = { from, remote, name, fate, effect: () => effect(arrival), resolve, reject };
      if (fate === "dies before") {
        this.#tell(call, fate);
        this.#parts.kill(from.machine);
        return;
      }
      if (fate === "pauses before") {
        this.#tell(call, fate);
        this.#pause(from.machine);
      }
      this.#parts.time.on(from.machine, from.life, () => this.#send(call));
    });
  }

  isAway(from: Machine, remote: Remote, name: string): boolean {
    return this.#troubleOf(from, remote, name)?.fate === "refused";
  }

  #troubleOf(from: Machine, remote: Remote, name: string): Trouble | undefined {
    const { nowMs } = this.#parts.time;
    return this.#parts.troubles.find(
      ({ of, machine = from, call = name, fromMs, untilMs }) =>
        (of === remote || (of === "storage" && storage.has(remote))) &&
        machine === from &&
        call === name &&
        fromMs <= nowMs &&
        nowMs < untilMs,
    );
  }

  #send<T>(call: Call<T>): void {
    if (this.isAway(call.from.machine, call.remote, call.name))
      this.#fail(call, this.#between(1, 2_000), "refused");
    else if (call.fate === "refused") this.#fail(call, this.#between(1, 2), "refused");
    else if (call.fate === "late") this.#sendLate(call);
    else if (call.fate === "slow") this.#deliverSlowly(call);
    else this.#deliver(call, this.#between(1, 4) / 2);
  }

  #deliverSlowly<T>(call: Call<T>): void {
    const travelMs = this.#between(500, 8_000);
    this.#parts.onFault(call.from, call.name, "slow", 2 * travelMs);
    this.#deliver(call, travelMs);
  }

  #sendLate<T>(call: Call<T>): void {
    const told = () => this.#tell(call, "arrived late");
    const givenUpMs = call.remote === "list" ? this.#between(1, 2_000) : timeoutMs;
    const lateMs = this.#between(0, call.remote === "list" ? lockTimeoutMs : 120_000);
    this.#parts.time.after(givenUpMs + lateMs, () => void call.effect().then(told, told));
    this.#fail(call, givenUpMs, "answer lost");
  }

  #deliver<T>(call: Call<T>, travelMs: number): void {
    this.#parts.time.after(travelMs, () => {
      if (!storage.has(call.remote) || told.has(call.name)) this.#tell(call);
      call.effect().then(
        (value) => this.#answer(call, travelMs, () => call.resolve(value)),
        (error: unknown) => this.#answer(call, travelMs, () => call.reject(error)),
      );
    });
  }

  /** The call has arrived. */
  #answer<T>(call: Call<T>, travelMs: number, give: () => void): void {
    const { time, kill } = this.#parts;
    const { fate, from } = call;
    const { machine, life } = from;
    if (machine.life !== life) return;
    if (fate === "answer lost") {
      this.#fail(call, timeoutMs, fate);
      return;
    }
    if (fate !== "served") this.#tell(call, fate);
    if (fate === "dies after") {
      kill(machine);
      return;
    }
    if (fate === "pauses after") this.#pause(machine);
    time.after(travelMs, () => time.on(machine, life, give));
  }

  #fail<T>(call: Call<T>, ms: number, how: "refused" | "answer lost"): void {
    const { time, onFault } = this.#parts;
    const { from, remote, name, reject } = call;
    this.#tell(call, how);
    onFault(from, name, how, ms);
    time.after(ms, () => time.on(from.machine, from.life, () => reject(faultOf(remote, name, how))));
  }

  #tell<T>({ from, remote, name }: Call<T>, end?: string): void {
    this.#parts.tell(() => `${from.machine.name} → ${remote} ${name}${end === undefined ? "" : `: ${end}`}`);
  }

  #fateOf(from: Machine, remote: Remote, name: string): Fate {
    const { weather, random } = this.#parts;
    const trouble = this.#troubleOf(from, remote, name);
    if (trouble && trouble.fate !== "refused") return trouble.fate;
    const drawn = (random() * 1000) / spite(remote, name);
    let sum = 0;
    for (const [fate, share] of Object.entries(weather())) {
      sum += share;
      if (drawn >= sum || !isFate(fate)) continue;
      return fate === "late" && !arrivesLate(remote, name) ? "answer lost" : fate;
    }
    return "served";
  }

  #pause(machine: Machine): void {
    const { random, pause } = this.#parts;
    pause(machine, pick(random, pauseSeconds) * 1000);
  }

  #between(least: number, most: number): number {
    return between(this.#parts.random, least, most);
  }
}

type Call<T> = {
  readonly from: Life;
  readonly remote: Remote;
  readonly name: string;
  readonly fate: Fate;
  readonly effect: () => Promise<T>;
  readonly resolve: (value: T) => void;
  readonly reject: (error: unknown) => void;
};

/** A statement by itself goes on without its connection; a transaction ends with it. */
const arrivesLate = (remote: Remote, name: string): boolean =>
  remote === "list" ? !ofTransactions.has(name) : remote !== "vault" && remote !== "queue";
const ofTransactions: ReadonlySet<string> = new Set(["lease", "followersOf", "derive", "commit", "probe"]);

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
