import type { Position } from "../event-store/event-store.ts";
import type { Client, Pool } from "../postgres/pool.ts";
import { type Bytes, hashLength, join } from "./formats/bytes.ts";
import { hashesAt, type TilePlace, tileWidth } from "./formats/tiles.ts";
import { rootOver } from "./tree-hashes.ts";
import type { ReadTiles } from "./tree-proofs.ts";

/** How far the tree has grown. */
export type TreeReach = { readonly size: number; readonly position: Position; readonly eventId: string };

export async function readReach(client: Client | Pool): Promise<TreeReach> {
  const { rows } = await client.query<TreeReach>({
    name: "transparency-reach",
    text: `select size, position, event_id as "eventId" from transparency_tree`,
  });
  const [row] = rows;
  if (!row) throw new Error("The database has no row in its table `transparency_tree`.");
  return row;
}

/**
 * Adds leaves after those that are there.
 * @param reached of the last leaf
 */
export async function addLeaves(
  client: Client,
  size: number,
  leaves: readonly Bytes[],
  reached: Omit<TreeReach, "size">,
): Promise<void> {
  const grown = { size: size + leaves.length, ...reached };
  if (hashesAt(1, grown.size) === hashesAt(1, size)) await addToTail(client, size, leaves, grown);
  else await fillTiles(client, size, leaves, grown);
}

const moveReach = "update transparency_tree set size = $1, position = $2, event_id = $3";
const valuesOf = ({ size, position, eventId }: TreeReach) => [size, position, eventId];

// Few statements: in small batches they cost more than the hashes.

const addToTail = (client: Client, first: number, leaves: readonly Bytes[], grown: TreeReach) =>
  client.query({
    name: "transparency-add",
    text: `with grown as (${moveReach}) insert into transparency_tail (first, hashes) values ($4, $5)`,
    values: [...valuesOf(grown), first, join(...leaves)],
  });

async function fillTiles(
  client: Client,
  size: number,
  leaves: readonly Bytes[],
  grown: TreeReach,
): Promise<void> {
  const { rows } = await client.query<{ hashes: Buffer }>({
    name: "transparency-take-tail",
    text: `with tail as (delete from transparency_tail returning first, hashes)
           select hashes from tail order by first`,
  });
  const hashes = join(...rows.map((row) => row.hashes), ...leaves);
  const [before, after] = [hashesAt(1, size), hashesAt(1, grown.size)];
  const tiles = Array.from({ length: after - before }, (_, at) => tileIn(hashes, at));
  await client.query({
    name: "transparency-fill",
    text: `with grown as (${moveReach}),
           tail as (insert into transparency_tail (first, hashes)
                    select $4, $5 where octet_length($5::bytea) > 0)
           insert into transparency_tiles (level, number, hashes)
           select 0, tile.number, tile.hashes from unnest($6::bigint[], $7::bytea[]) as tile (number, hashes)`,
    values: [
      ...valuesOf(grown),
      after * tileWidth,
      hashes.subarray(tiles.length * tileBytes),
      tiles.map((_, at) => before + at),
      // Only a Buffer is written as bytes within an array.
      tiles.map((tile) => Buffer.from(tile)),
    ],
  });
  await addAbove(client, 1, before, tiles.map(rootOver));
}

/** Adds the roots of full tiles to the level above, from its nth hash on, and so on up. */
async function addAbove(client: Client, level: number, nth: number, roots: readonly Bytes[]): Promise<void> {
  if (roots.length === 0) return;
  const [number, width] = [Math.floor(nth / tileWidth), nth % tileWidth];
  const parts = [roots.slice(0, tileWidth - width)];
  for (let from = tileWidth - width; from < roots.length; from += tileWidth)
    parts.push(roots.slice(from, from + tileWidth));
  const { rows } = await client.query<{ hashes: Buffer }>({
    name: "transparency-add-above",
    text: `with grown as (
             insert into transparency_tiles as tile (level, number, hashes)
             select $1, part.number, part.hashes from unnest($2::bigint[], $3::bytea[]) as part (number, hashes)
             on conflict (level, number) do update set hashes = tile.hashes || excluded.hashes
             returning tile.number, tile.hashes
           )
           select hashes from grown where octet_length(hashes) = ${tileBytes} order by number`,
    values: [level, parts.map((_, at) => number + at), parts.map((part) => Buffer.from(join(...part)))],
  });
  await addAbove(
    client,
    level + 1,
    number,
    rows.map(({ hashes }) => rootOver(join(hashes))),
  );
}

const tileBytes = tileWidth * hashLength;

/** The nth full tile of these hashes. */
const tileIn = (hashes: Bytes, nth: number): Bytes => hashes.subarray(nth * tileBytes, (nth + 1) * tileBytes);

/** Reads tiles at their present width, which is never less than an earlier tree needs. */
export const readTilesFrom =
  (client: Client | Pool): ReadTiles =>
  async (places) => {
    // One statement: leaves move from the tail to a tile in one transaction.
    const { rows } = await client.query<TilePlace & { hashes: Buffer }>({
      name: "transparency-tiles",
      text: `select level, number, hashes from transparency_tiles
             join unnest($1::smallint[], $2::bigint[]) as wanted (level, number) using (level, number)
             union all select 0, min(first) / ${tileWidth}, string_agg(hashes, ''::bytea order by first)
             from transparency_tail having count(*) > 0`,
      values: [places.map(({ level }) => level), places.map(({ number }) => number)],
    });
    return places.map(({ level, number }) => {
      const found = rows.find((row) => row.level === level && row.number === number);
      return found ? join(found.hashes) : new Uint8Array();
    });
  };

/** Records where the leaves of these events are, by id. */
export async function recordReceipts(client: Client, indexes: ReadonlyMap<string, number>): Promise<void> {
  if (indexes.size === 0) return;
  await client.query(
    `insert into transparency_receipts (event_id, index)
     select * from unnest($1::uuid[], $2::bigint[])`,
    [[...indexes.keys()], [...indexes.values()]],
  );
}

/** Indexes of the leaves of these events, as far as they have any. */
export async function receiptIndexes(
  pool: Pool,
  eventIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const { rows } = await pool.query<{ id: string; index: number }>(
    "select event_id as id, index from transparency_receipts where event_id = any($1::uuid[])",
    [eventIds],
  );
  return new Map(rows.map(({ id, index }) => [id, index]));
}

/** The index of an event's leaf; undefined when it is not there yet, or events of its type have no receipt. */
export async function receiptIndex(pool: Pool, eventId: string): Promise<number | undefined> {
  const { rows } = await pool.query<{ index: number }>(
    "select index from transparency_receipts where event_id = $1",
    [eventId],
  );
  return rows[0]?.index;
}

/** How many leaves one part of the log has, when parts are read at once. */
export const markEvery = 16_384;

/** Records where parts of the log begin. */
export async function recordMarks(client: Client, marks: readonly TreeReach[]): Promise<void> {
  if (marks.length === 0) return;
  await client.query(
    `insert into transparency_marks (size, position, event_id)
     select * from unnest($1::bigint[], $2::text[], $3::text[])`,
    [
      marks.map(({ size }) => size),
      marks.map(({ position }) => position),
      marks.map(({ eventId }) => eventId),
    ],
  );
}

/** Marks after the first `size` leaves, in order. A tree that grew before there were marks has none at first. */
export async function readMarks(pool: Pool, size: number): Promise<TreeReach[]> {
  const { rows } = await pool.query<TreeReach>(
    `select size, position, event_id as "eventId" from transparency_marks where size > $1 order by size`,
    [size],
  );
  return rows;
}

/** Empties the tree, which is then rebuilt from the log. */
export async function forgetTree(client: Client): Promise<void> {
  await client.query(
    "truncate transparency_tiles, transparency_tail, transparency_receipts, transparency_marks",
  );
  await client.query("update transparency_tree set size = 0, position = '', event_id = ''");
}
