// For tests. A machine that stalls for a minute ends no wait; a wait ends with what it waits for, so the bound costs nothing.

/** The most that a test waits for one thing. */
export const patienceMs = 120_000;

/** Of a wait for what comes by itself. */
export const soon = { timeout: patienceMs, interval: 50 };
