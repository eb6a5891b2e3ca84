import useSWR from "swr";
import * as z from "zod/mini";
import { api } from "../paths.ts";
import { requestJson } from "./request.ts";

const mode = z.enum(["sandbox", "live"]);

/** What the browser must know of the installation. */
export const configSchema = z.object({
  modes: z.object({ payments: mode, identity: mode, submission: mode, mail: mode }),
  sandbox: z.boolean(),
  tradingName: z.string(),
  supportEmail: z.string(),
  publishableKey: z.string(),
  /** The sandbox's stand-in for the payment provider's script; null when the provider's own is used. */
  stripeScript: z.nullable(z.string()),
  termsVersion: z.number(),
  consentVersion: z.number(),
});

export type SiteConfig = z.infer<typeof configSchema>;

/** @throws ApiError when the server does not answer with its configuration */
export const getConfig = (): Promise<SiteConfig> => requestJson(configSchema, "GET", api.config);

/** Undefined while it loads, or when it could not be loaded. */
export const useConfig = () => useSWR(api.config, getConfig);

/** The name shown while the configuration is on its way; the default of the setting. */
export const usualTradingName = "Kith & Copy";

/** The trading name, at once. */
export const useTradingName = (): string => useConfig().data?.tradingName ?? usualTradingName;
