import { describeBullMqOn } from "./bullmq-fixture.ts";

describeBullMqOn("the Redis at REDIS_TEST_URL", () => process.env.REDIS_TEST_URL ?? "");
