import { describeBullMqOn } from "./jobs-contract.ts";

describeBullMqOn("the Redis at REDIS_TEST_URL", () => process.env.REDIS_TEST_URL ?? "");
