import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

// During a deploy, processes of the previous build continue on the newest schema. So a migration adds (expands); what
// older code still uses is removed in a later release (contracts), with an `-- Older code:` line that says why it is
// safe.

const folder = join(import.meta.dirname, "migrations");
/** Migrations up to here predate the first deploy. */
const newestOfTheFirstRelease = "0016";

/** Changes that break older code: something it reads or writes is removed, renamed or restricted. */
const breaking: readonly (readonly [string, RegExp])[] = [
  ["drops something in use", /\bdrop\s+(table|column|view|function|schema|type|constraint|default)\b/i],
  ["renames", /\brename\b/i],
  ["changes a type", /\balter\s+column\s+\w+\s+(set\s+data\s+)?type\b/i],
  ["demands a value", /\bset\s+not\s+null\b/i],
  ["demands a value", /\badd\s+column\b(?![^;,]*\bdefault\b)[^;,]*\bnot\s+null\b/i],
  ["takes less than before", /\balter\s+table\b[^;]*\badd\s+(constraint|check|unique|primary|foreign)\b/i],
  ["takes less than before", /\bcreate\s+unique\s+index\b/i],
  ["deletes rows", /\b(truncate|delete\s+from)\b/i],
];

/** The up migration without comments. */
const wayUp = (sql: string): string => (sql.split(/^-- Down Migration/im)[0] ?? "").replaceAll(/--.*$/gm, "");

/** Why older code would fail on it; empty if it would not, or if the file explains why not. */
function hurts(sql: string): string[] {
  if (/^-- Older code: \S.{20,}/m.test(sql)) return [];
  const made = [...wayUp(sql).matchAll(/\bcreate\s+table\s+(\w+)/gi)].map(([, table]) => table);
  const statements = wayUp(sql)
    .split(";")
    // Older code does not use what this migration adds.
    .filter((statement) => !made.some((table) => new RegExp(`\\bon\\s+${table}\\b`, "i").test(statement)));
  return statements.flatMap((statement) =>
    breaking.filter(([, pattern]) => pattern.test(statement)).map(([why]) => why),
  );
}

const migrations = readdirSync(folder).filter((file) => file.slice(0, 4) > newestOfTheFirstRelease);

describe("migrations", () => {
  it.each(migrations)("%s keeps everything the previous build uses, or says why not", (file) => {
    expect(hurts(readFileSync(join(folder, file), "utf8"))).toEqual([]);
  });

  it("that break older code are recognised (control)", () => {
    const up = (sql: string) => hurts(`-- Up Migration\n${sql}\n-- Down Migration\ndrop table new_things;`);
    expect(up("alter table work drop column tries;")).toEqual(["drops something in use"]);
    expect(up("alter table work rename column subject_id to about_id;")).toEqual(["renames"]);
    expect(up("alter table work alter column tries type bigint;")).toEqual(["changes a type"]);
    expect(up("alter table work add column rules integer not null;")).toEqual(["demands a value"]);
    expect(up("alter table work alter column kind set not null;")).toEqual(["demands a value"]);
    expect(up("alter table work add constraint few check (tries < 5);")).toEqual(["takes less than before"]);
    expect(up("create unique index one on work (name);")).toEqual(["takes less than before"]);
    expect(up("delete from work;")).toEqual(["deletes rows"]);
    expect(up("alter table work add column rules integer not null default 1;")).toEqual([]);
    expect(up("create table things (id uuid primary key); create unique index a on things (id);")).toEqual(
      [],
    );
    expect(up("-- Older code: has written to the column since 0016 no longer.\ndrop table a;")).toEqual([]);
  });
});
