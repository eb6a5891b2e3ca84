import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import type { Recognisable } from "./people.ts";
import type { Site } from "./site.ts";

/** A person's data, leaked everywhere: each leak must be found, or a clean scan says nothing. */
export type Leak = { readonly where: string; readonly encoding: RegExp };

/** A row that was deleted again, and one that Postgres stores compressed. */
export async function leakInPostgres({ pool }: Site, { words }: Recognisable): Promise<Leak[]> {
  const [surname, email, street = ""] = [words[1], words[2], words[4]];
  const client = await pool.connect();
  try {
    await client.query("create table leaked (said text)");
    await client.query("set log_statement = 'all'");
    await client.query("insert into leaked values ($1)", [`${surname} ${email}`]);
    await client.query("delete from leaked");
    await client.query("insert into leaked values ($1)", [`${street} `.repeat(400)]);
    await client.query("set log_statement = 'none'");
  } finally {
    client.release();
  }
  return ["cluster/base/", "cluster/pg_wal/", "data/server.log", "dump/public.leaked.jsonl"].map((where) => ({
    where,
    encoding: /^plain$/,
  }));
}

/** What a careless line of code would leave in a log, a job, a trace. */
export function leakInFiles({ folders }: Site, { words, mail, file }: Recognisable, key: Buffer): Leak[] {
  const folder = join(folders.told, "leaked");
  mkdirSync(folder);
  const [forename = "", surname = "", email = "", street = "", town = ""] = [0, 1, 2, 4, 5].map(
    (at) => words[at],
  );
  const line = JSON.stringify({ msg: "cannot submit", for: surname });
  const escaped = line.replace(/[^ -~]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`);
  const leaks: readonly [string, string | Buffer, RegExp][] = [
    ["escaped.log", escaped, /^JSON-escaped$/],
    ["lower-case.log", line.toLowerCase(), /^plain$/],
    ["utf-16.txt", Buffer.from(`Dear ${forename}`, "utf16le"), /^UTF-16LE$/],
    ["job.json", JSON.stringify({ data: Buffer.from(`to: ${email}`).toString("base64") }), /^base64 at \d$/],
    [
      "trace.json",
      JSON.stringify({ "http.url": `/track?at=${encodeURIComponent(town)}` }),
      /^percent-encoded$/,
    ],
    ["dump.sql", `values ('\\x${Buffer.from(street).toString("hex")}')`, /^hex$/],
    ["log.gz", gzipSync(`${"x".repeat(500)}${line}`), /^plain, gzip$/],
    ["row.bin", Buffer.concat([Buffer.alloc(99, 7), deflateSync(line)]), /^plain, zlib$/],
    ["page.zst", zstdCompressSync(line), /^plain, zstd$/],
    ["heap.bin", key, /^raw$/],
    ["form.pdf", file, /^raw$/],
    ["as-it-came.eml", mail, /^base64 at \d$/],
    ["key.json", JSON.stringify({ key: key.toString("base64") }), /^base64 at 0$/],
  ];
  for (const [name, content] of leaks) writeFileSync(join(folder, name), content);
  appendFileSync(join(folders.told, "log.jsonl"), `\n${line}`);
  return [
    ...leaks.map(([name, , encoding]) => ({ where: `leaked/${name}`, encoding })),
    { where: "told/log.jsonl", encoding: /^plain$/ },
  ];
}
