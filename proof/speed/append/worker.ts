import { emmettConnections } from "../peers/emmett.ts";
import {
  type AppendDriver,
  batchedDriver,
  emmettDriver,
  singleInsertDriver,
  type Tip,
  type WorkOrder,
  type WorkReport,
  workOrder,
} from "./drivers.ts";

// Like an order's life: some events, then another order.
const streamLength = 5;
// More connections than this were slower for the single inserts (16: 15,600/s, 32: 20,300/s, 64: 17,800/s).
const singleConnections = 32;

/** Appends in a loop, waiting for each answer. */
async function call(
  driver: AppendDriver,
  name: string,
  isOver: () => boolean,
  onDone: (latencyMs: number) => void,
): Promise<void> {
  for (let n = 0; !isOver(); n++) {
    let tip: Tip = { revision: "none", hash: null };
    for (let length = 0; length < streamLength && !isOver(); length++) {
      const began = performance.now();
      tip = await driver.append(`order-${name}-${n}`, tip);
      onDone(performance.now() - began);
    }
  }
}

function driverFor({ way, connectionString, callers, emmett = "" }: WorkOrder) {
  switch (way) {
    case "batched":
      return batchedDriver(connectionString);
    case "single":
      return singleInsertDriver(connectionString, Math.min(callers, singleConnections));
    case "emmett":
      return emmettDriver(connectionString, Math.min(callers, emmettConnections), emmett);
  }
}

async function work(order: WorkOrder): Promise<WorkReport> {
  const { callers, warmUpMs, measureMs, name } = order;
  const driver = await driverFor(order);
  const from = performance.now() + warmUpMs;
  const to = from + measureMs;
  const latenciesMs: number[] = [];
  const onDone = (latencyMs: number) => {
    const now = performance.now();
    if (now >= from && now < to) latenciesMs.push(latencyMs);
  };
  const isOver = () => performance.now() >= to;
  await Promise.all(Array.from({ length: callers }, (_, n) => call(driver, `${name}-${n}`, isOver, onDone)));
  await driver.close();
  return { latenciesMs };
}

process.once("message", async (message) => {
  process.send?.(await work(workOrder.parse(message)), () => process.disconnect());
});
