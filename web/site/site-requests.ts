import { type SiteConfig, showPrices, showSiteConfig } from "../../contract/site/site.ts";
import { send } from "../api/send.ts";

// Loaded on demand: a page that the server rendered brings configuration and prices along.

/** @throws ApiError */
export const fetchConfig = (): Promise<SiteConfig> => send(showSiteConfig);

/** @throws ApiError */
export const fetchPrices = (service: string) => send(showPrices, { params: { service } });
