import { fulfil, open, type Scene, submit } from "./order-course.ts";
import {
  cancelled,
  contradiction,
  disputed,
  expired,
  failedByUs,
  givenBackTwice,
  notFound,
  queried,
  refundFailed,
  refundToApprove,
  stuck,
  undeliverable,
} from "./order-troubles.ts";
import { between } from "./seeded-random.ts";

/** Plays one order's life so far and returns its id. `days` bounds its duration. */
type Story = { readonly days: number; readonly execute: (scene: Scene) => Promise<string> };

const story = (days: number, execute: Story["execute"]): Story => ({ days, execute });

/** The stories with their weights; `age` is the range in days since an order began. */
export const orderStories: readonly {
  readonly story: Story;
  readonly weight: number;
  readonly age: readonly [number, number];
}[] = [
  { story: story(20, (scene) => fulfil(scene, between(scene.random, 1, 14))), weight: 46, age: [20, 170] },
  { story: story(1, submit), weight: 15, age: [1, 14] },
  { story: story(1, submit), weight: 4, age: [25, 55] },
  { story: story(1, submit), weight: 1, age: [95, 130] },
  { story: story(4, queried), weight: 3, age: [5, 12] },
  { story: story(2, stuck), weight: 2, age: [2, 6] },
  { story: story(1, undeliverable), weight: 2, age: [1, 5] },
  { story: story(1, open), weight: 3, age: [0.05, 0.6] },
  { story: story(2, expired), weight: 6, age: [3, 170] },
  { story: story(1, cancelled), weight: 5, age: [2, 150] },
  { story: story(3, failedByUs), weight: 2, age: [5, 140] },
  { story: story(11, notFound), weight: 4, age: [12, 160] },
  { story: story(4, refundToApprove), weight: 2, age: [5, 9] },
  { story: story(5, refundFailed), weight: 1, age: [6, 20] },
  { story: story(9, disputed), weight: 1, age: [10, 40] },
  { story: story(9, givenBackTwice), weight: 1, age: [10, 40] },
  { story: story(6, contradiction), weight: 1, age: [7, 30] },
];
