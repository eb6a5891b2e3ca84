import { between } from "../../../services/operations/seed/seeded-random.ts";
import type { Product } from "./product.ts";
import type { Incident } from "./troubles.ts";
import { type Life, type Machine, newMachine, type VirtualTime } from "./virtual-time.ts";

/** A service manager kills a process that takes longer to stop. */
const stopsWithinMs = 25_000;

type MachineParts = {
  readonly time: VirtualTime;
  readonly random: () => number;
  readonly tell: (words: () => string) => void;
  readonly start: (machine: Machine) => Product;
  readonly onDeath: (life: Life) => void;
  readonly onPause: (life: Life, forMs: number) => void;
  /** It was asked to stop at a moment, and has. */
  readonly onStop: (product: Product, askedAtMs: number) => void;
};

/** The machines that run the product, and what befalls them. */
export class Machines {
  readonly all = ["one", "two"].map(newMachine);
  readonly #parts: MachineParts;
  readonly #products = new Map<Machine, Product>();

  constructor(parts: MachineParts) {
    this.#parts = parts;
  }

  /** Undefined while it takes no requests. */
  productOf(machine: Machine): Product | undefined {
    return machine.isUp ? this.#products.get(machine) : undefined;
  }

  start(machine: Machine): void {
    const { time, tell, start } = this.#parts;
    tell(() => `${machine.name} starts`);
    machine.isUp = true;
    time.on(machine, machine.life, () => void this.#products.set(machine, start(machine)));
  }

  kill(machine: Machine): void {
    this.#parts.onDeath({ machine, life: machine.life });
    this.#end(machine, 20_000);
  }

  pause(machine: Machine, forMs: number, isSuspended: boolean): void {
    const { time, tell, onPause } = this.#parts;
    tell(() => `${machine.name} ${isSuspended ? "is suspended" : "stands still"} for ${forMs / 1000} s`);
    onPause({ machine, life: machine.life }, forMs);
    time.pause(machine, time.nowMs + forMs, isSuspended);
  }

  befalls(incident: Incident): void {
    const { machine, what } = incident;
    if (what === "restarts") this.#restart(machine);
    else if (what === "is set") this.#set(machine, incident.aheadMs);
    else this.pause(machine, incident.forMs, what === "is suspended");
  }

  /** Their pauses are over, and their clocks are right. */
  calm(): void {
    for (const machine of this.all) {
      this.#parts.time.resume(machine, machine.pausedUntilMs);
      machine.aheadMs = 0;
    }
  }

  #set(machine: Machine, aheadMs: number): void {
    this.#parts.tell(() => `${machine.name}: its clock is ${aheadMs / 1000} s ahead`);
    machine.aheadMs = aheadMs;
  }

  #restart(machine: Machine): void {
    const { time, tell, onStop } = this.#parts;
    const product = this.productOf(machine);
    if (!product) return;
    tell(() => `${machine.name} is asked to stop`);
    machine.isUp = false;
    const { life } = machine;
    const isLiving = () => machine.life === life;
    const askedAtMs = time.nowMs;
    const killLate = time.after(stopsWithinMs, () => isLiving() && this.kill(machine));
    const stop = async () => {
      await product.stop();
      killLate();
      if (!isLiving()) return;
      tell(() => `${machine.name} has stopped`);
      onStop(product, askedAtMs);
      this.#end(machine, 5_000);
    };
    time.on(machine, life, () => void stop());
  }

  #end(machine: Machine, mostMs: number): void {
    const { time, random } = this.#parts;
    machine.life += 1;
    machine.isUp = false;
    machine.pausedUntilMs = 0;
    machine.waiting = [];
    machine.suspendedFromMs = undefined;
    time.after(between(random, 500, mostMs), () => this.start(machine));
  }
}
