import type { Config } from "../../infra/config/config.ts";
import { openOperatorPort } from "../../infra/config/operator-port.ts";
import type { Meter } from "../../infra/telemetry/metrics/meter.ts";
import { metricsPage } from "../../infra/telemetry/metrics/metrics-page.ts";
import { health, type ReadinessCheck } from "../gateway/health.ts";

/**
 * Serves liveness, readiness and metrics at HEALTH_PORT, if set.
 * @param meter undefined for a process without metrics
 * @param signal aborts once the process is stopping
 * @throws OperatorError when it cannot listen
 */
export async function answerOperator(
  config: Pick<Config, "HEALTH_PORT" | "HEALTH_HOST" | "METRICS_HOSTS">,
  readiness: readonly ReadinessCheck[],
  meter: Meter | undefined,
  signal: AbortSignal,
  closing: AsyncDisposableStack,
): Promise<void> {
  const figures = meter === undefined ? [] : [metricsPage(meter, config.METRICS_HOSTS)];
  await openOperatorPort(config, [health(readiness, () => signal.aborted), ...figures], closing);
}
