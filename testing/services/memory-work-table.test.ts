import { MemoryWorkTable } from "./memory-work-table.ts";
import { describeWorkTable } from "./work-table-contract.ts";

describeWorkTable("in memory", async () => {
  const rows = new MemoryWorkTable();
  return { table: rows.tableOf(), begin: async () => rows.begin() };
});
