import { londonDate } from "../domain/promise/london-time.ts";

/** The browser's clock, in one place; the domain and everything pure takes the moment as a parameter. */
export const now = (): Date => new Date();

/** The day it is in London, `2026-11-21`. */
export const todayInLondon = (): string => londonDate(now().toISOString());
