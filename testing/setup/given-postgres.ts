import type { TestProject } from "vitest/node";
import { makeTemplate } from "../postgres/test-server.ts";

/**
 * Vitest's global set-up for the Postgres at POSTGRES_TEST_URL, whose user may create databases. Leaves one behind: the
 * template.
 */
export default async function setup(project: TestProject): Promise<void> {
  const connectionString = process.env.POSTGRES_TEST_URL ?? "";
  await makeTemplate(connectionString);
  project.provide("testServer", connectionString);
}
