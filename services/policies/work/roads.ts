import type { AnyTask } from "../subject.ts";

/** Tasks that run at a time on one road. */
const places = 8;
/** While so many wait, no subject is taken for this alone: what is taken should find a place. */
const crowdedFrom = 100;
/** While so many wait, no more are added. */
const fullFrom = 200;

/** A bounded number of places, given in the order of asking. */
export class Road {
  #taken = 0;
  readonly #waiting: (() => void)[] = [];

  get isCrowded(): boolean {
    return this.#waiting.length >= crowdedFrom;
  }

  get isFull(): boolean {
    return this.#waiting.length >= fullFrom;
  }

  /** @param work told whether it had to wait for its place */
  async run<T>(work: (hasWaited: boolean) => Promise<T>): Promise<T> {
    const mustWait = this.#taken === places;
    if (mustWait) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#taken += 1;
    try {
      return await work(mustWait);
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#taken -= 1;
    }
  }
}

type Kind = AnyTask["kind"];

const roadOf: Readonly<Record<Kind, "mail" | "gro" | "money" | "destruction" | "log">> = {
  mail: "mail",
  submit: "gro",
  askSubmission: "gro",
  fail: "gro",
  cancel: "money",
  refund: "money",
  purge: "destruction",
  destroyRecord: "destruction",
  requestSubmission: "log",
  endDrafts: "log",
  fulfil: "log",
  requestRefund: "log",
  divideReturn: "money",
  close: "log",
};
const kinds = Object.keys(roadOf) as Kind[];

/** What waits for one outside service never holds up what needs another. */
export function createRoads() {
  const roads = {
    mail: new Road(),
    gro: new Road(),
    money: new Road(),
    destruction: new Road(),
    log: new Road(),
  };
  return {
    of: (kind: Kind): Road => roads[roadOf[kind]],
    /** Kinds of tasks on roads where many wait. */
    crowded: (): readonly Kind[] => kinds.filter((kind) => roads[roadOf[kind]].isCrowded),
    log: roads.log,
    reading: new Road(),
  };
}

export type Roads = ReturnType<typeof createRoads>;
