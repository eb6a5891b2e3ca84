// For tests. Even a machine that stalls for a minute must not time out; waits normally end early, so the bound costs
// nothing.

/** Upper bound of any wait in a test. */
export const patienceMs = 120_000;

/** For polling something that happens by itself. */
export const soon = { timeout: patienceMs, interval: 50 };
