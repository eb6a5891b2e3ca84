import { Router } from "express";
import type { Meter } from "./meter.ts";

/** `/metrics`, for the operator's port alone. */
export function metricsPage(meter: Pick<Meter, "text" | "contentType">): Router {
  const router = Router();
  router.get("/metrics", async (_request, response) => {
    const text = await meter.text();
    response.set({ "Content-Type": meter.contentType, "Cache-Control": "no-store" }).send(text);
  });
  return router;
}
