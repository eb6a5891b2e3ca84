import { Router } from "express";

/**
 * Answers undefined when the part is ready, else why not, in words without secrets. A process goes on without one that only `degrades`: no other
 * would do better in its place, so it stays among those that are asked.
 */
export type ReadinessCheck = {
  readonly name: string;
  readonly check: () => Promise<string | undefined>;
  readonly degrades?: boolean;
  /** All gateways share this part: when it fails, no other gateway does better. */
  readonly shared?: boolean;
};

const patienceMs = 2000;

/**
 * `/healthz`: the process answers. `/readyz`: every part it needs is there, or which is not and why. `/readyz/traffic`, for proxies: this
 * process may be sent requests. Once it was ready, a part that all gateways share takes none of them out: each answers what it can, and
 * the rest with a 503 that says when to try again.
 */
export function health(checks: readonly ReadinessCheck[], stopping: () => boolean): Router {
  const router = Router();
  const look = joined(() => problemsOf(checks));
  const lookAtOwn = joined(() => problemsOf(checks.filter((check) => !check.shared)));
  let wasReady = false;
  router.get("/healthz", (_request, response) => {
    response.set("Cache-Control", "no-store").json({ status: "ok" });
  });
  router.get("/readyz", async (_request, response) => {
    const found = await look();
    const problems = found.filter(({ degrades }) => !degrades).map(presented);
    if (stopping()) problems.push({ name: "gateway", problem: "is stopping" });
    const ready = problems.length === 0;
    response
      .status(ready ? 200 : 503)
      .set("Cache-Control", "no-store")
      .json({
        status: ready ? "ready" : "not ready",
        problems,
        degraded: found.filter(({ degrades }) => degrades).map(presented),
      });
  });
  router.get("/readyz/traffic", async (_request, response) => {
    const found = await (wasReady ? lookAtOwn() : look());
    wasReady ||= found.every(({ degrades }) => degrades);
    const takes = wasReady && found.every(({ degrades }) => degrades) && !stopping();
    response
      .status(takes ? 200 : 503)
      .set("Cache-Control", "no-store")
      .json({ status: takes ? "ready" : "not ready" });
  });
  return router;
}

type Found = { name: string; problem: string; degrades: boolean };

const presented = ({ name, problem }: Found) => ({ name, problem });

/** What does not work at the moment. Each check has two seconds. */
export const problemsOf = async (checks: readonly ReadinessCheck[]): Promise<Found[]> =>
  (await Promise.all(checks.map(problemWith))).flat();

/** Requests that come while the checks run wait for the same result, so that a flood of them costs one query at a time. */
function joined(look: () => Promise<Found[]>): () => Promise<Found[]> {
  let underWay: Promise<Found[]> | undefined;
  return () => {
    underWay ??= look().finally(() => {
      underWay = undefined;
    });
    return underWay;
  };
}

async function problemWith({ name, check, degrades = false }: ReadinessCheck): Promise<Found[]> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve(`did not answer within ${patienceMs / 1000} s`), patienceMs);
  });
  try {
    const problem = await Promise.race([check(), late]);
    return problem === undefined ? [] : [{ name, problem, degrades }];
  } catch (error) {
    return [{ name, problem: `failed (${error instanceof Error ? error.name : "unknown"})`, degrades }];
  } finally {
    clearTimeout(timer);
  }
}
