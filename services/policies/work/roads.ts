import type { AnyTask } from "../subject.ts";

/** Tasks of one kind that run at a time in a process, and that may wait for it. */
const places = 8;
const mostWaiting = 200;
/** While so many wait, no subject is taken for this alone: what is taken should find a place. */
const crowdedFrom = 100;

/** No place, and too many wait for one already: it is looked at again later. */
export class RoadFull extends Error {
  override name = "RoadFull";
}

/** A bounded number of places, given in the order of asking. */
export class Road {
  readonly #mostWaiting: number;
  #taken = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(most = mostWaiting) {
    this.#mostWaiting = most;
  }

  get isCrowded(): boolean {
    return this.#waiting.length >= crowdedFrom;
  }

  /** @param work told whether it had to wait for its place @throws RoadFull */
  async run<T>(work: (hasWaited: boolean) => Promise<T>): Promise<T> {
    const mustWait = this.#taken === places;
    if (!mustWait) this.#taken += 1;
    else if (this.#waiting.length >= this.#mostWaiting) throw new RoadFull();
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
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
    /** Kinds of tasks for which many wait already. */
    crowded: (): readonly Kind[] => kinds.filter((kind) => roads[roadOf[kind]].isCrowded),
    reading: new Road(Number.POSITIVE_INFINITY),
  };
}

export type Roads = ReturnType<typeof createRoads>;
