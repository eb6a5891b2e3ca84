import { Router } from "express";

/**
 * Undefined when the part is ready, else the reason, without secrets. A failed part that only `degrades` leaves the
 * process in service, because no other process would do better.
 */
export type ReadinessCheck = {
  readonly name: string;
  readonly check: () => Promise<string | undefined>;
  readonly degrades?: boolean;
  /** All gateways share this part: when it fails, it fails for each of them. */
  readonly shared?: boolean;
};

const patienceMs = 2000;

/**
 * `/healthz`: the process answers. `/readyz`: every part is ready, or which is not and why. `/readyz/traffic`, for
 * proxies: this process may receive requests. Once ready, a failure of a part that all gateways share takes none of
 * them out of service: each answers what it can, and the rest with a 503 and Retry-After.
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

/** The failing parts. Each check has two seconds. */
export const problemsOf = async (checks: readonly ReadinessCheck[]): Promise<Found[]> =>
  (await Promise.all(checks.map(problemWith))).flat();

/** Requests during a check share its result: a flood costs one query at a time. */
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
