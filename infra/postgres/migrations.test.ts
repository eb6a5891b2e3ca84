import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

// While a deploy is under way, processes of the build before go on with the newest schema. So a migration adds (expands); what
// older code still uses goes in a later release (contracts), and says by `-- Older code:` why nothing that runs misses it.

const folder = join(import.meta.dirname, "migrations");
/** Made before there was anything to deploy over. */
const newestOfTheFirstRelease = "0016";

/** What older code would trip over: something it reads or writes is gone, is called otherwise, or takes less than before. */
const breaking: readonly (readonly [string, RegExp])[] = [
  ["drops what may be in use", /\bdrop\s+(table|column|view|function|schema|type|constraint|default)\b/i],
  ["renames", /\brename\b/i],
  ["changes a type", /\balter\s+column\s+\w+\s+(set\s+data\s+)?type\b/i],
  ["demands a value", /\bset\s+not\s+null\b/i],
  ["demands a value", /\badd\s+column\b(?![^;,]*\bdefault\b)[^;,]*\bnot\s+null\b/i],
  ["takes less than before", /\balter\s+table\b[^;]*\badd\s+(constraint|check|unique|primary|foreign)\b/i],
  ["takes less than before", /\bcreate\s+unique\s+index\b/i],
  ["deletes rows", /\b(truncate|delete\s+from)\b/i],
];

/** What a migration does on the way up, without its comments. */
const wayUp = (sql: string): string => (sql.split(/^-- Down Migration/im)[0] ?? "").replaceAll(/--.*$/gm, "");

/** Why older code could not go on with it; empty where it can, or where the file says why. */
function hurts(sql: string): string[] {
  if (/^-- Older code: \S.{20,}/m.test(sql)) return [];
  const made = [...wayUp(sql).matchAll(/\bcreate\s+table\s+(\w+)/gi)].map(([, table]) => table);
  const statements = wayUp(sql)
    .split(";")
    // What is new in this migration, older code knows nothing of.
    .filter((statement) => !made.some((table) => new RegExp(`\\bon\\s+${table}\\b`, "i").test(statement)));
  return statements.flatMap((statement) =>
    breaking.filter(([, pattern]) => pattern.test(statement)).map(([why]) => why),
  );
}

const migrations = readdirSync(folder).filter((file) => file.slice(0, 4) > newestOfTheFirstRelease);

describe("migrations", () => {
  it.each(migrations)("%s leaves the build before it all that it uses, or says why it may not", (file) => {
    expect(hurts(readFileSync(join(folder, file), "utf8"))).toEqual([]);
  });

  it("are known by what would hurt older code (control)", () => {
    const up = (sql: string) => hurts(`-- Up Migration\n${sql}\n-- Down Migration\ndrop table new_things;`);
    expect(up("alter table duties drop column tries;")).toEqual(["drops what may be in use"]);
    expect(up("alter table duties rename column subject_id to about_id;")).toEqual(["renames"]);
    expect(up("alter table duties alter column tries type bigint;")).toEqual(["changes a type"]);
    expect(up("alter table duties add column rules integer not null;")).toEqual(["demands a value"]);
    expect(up("alter table duties alter column kind set not null;")).toEqual(["demands a value"]);
    expect(up("alter table duties add constraint few check (tries < 5);")).toEqual([
      "takes less than before",
    ]);
    expect(up("create unique index one on duties (name);")).toEqual(["takes less than before"]);
    expect(up("delete from duties;")).toEqual(["deletes rows"]);
    expect(up("alter table duties add column rules integer not null default 1;")).toEqual([]);
    expect(up("create table things (id uuid primary key); create unique index a on things (id);")).toEqual(
      [],
    );
    expect(up("-- Older code: has written to the column since 0016 no longer.\ndrop table a;")).toEqual([]);
  });
});
