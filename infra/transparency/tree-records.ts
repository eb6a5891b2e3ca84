import type { Position } from "../event-store/event-store.ts";
import type { Client, Pool } from "../postgres/pool.ts";
import { type Bytes, hashLength, join } from "./formats/bytes.ts";
import { hashesAt, hashIn, type TilePlace, tileWidth } from "./formats/tiles.ts";
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
  const grown = size + leaves.length;
  if (hashesAt(1, grown) === hashesAt(1, size)) await addToTail(client, size, leaves);
  else await fillTiles(client, size, leaves);
  await client.query({
    name: "transparency-grow",
    text: "update transparency_tree set size = $1, position = $2, event_id = $3",
    values: [grown, reached.position, reached.eventId],
  });
}

const addToTail = (client: Client, first: number, leaves: readonly Bytes[]) =>
  client.query({
    name: "transparency-add",
    text: "insert into transparency_tail (first, hashes) values ($1, $2)",
    values: [first, join(...leaves)],
  });

async function fillTiles(client: Client, size: number, leaves: readonly Bytes[]): Promise<void> {
  const { rows } = await client.query<{ hashes: Buffer }>(
    "with tail as (delete from transparency_tail returning first, hashes) select hashes from tail order by first",
  );
  const row = [...hashesIn(...rows.map(({ hashes }) => hashes)), ...leaves];
  const full = Math.floor(row.length / tileWidth);
  const rest = row.slice(full * tileWidth);
  if (rest.length > 0) await addToTail(client, size + leaves.length - rest.length, rest);
  const tiles = cut(row.slice(0, full * tileWidth));
  await writeTiles(client, { level: 0, number: hashesAt(1, size) }, tiles);
  await fillAbove(client, 1, size, tiles);
}

/** Adds the roots of full tiles to the level above, and so on up. */
async function fillAbove(
  client: Client,
  level: number,
  size: number,
  below: readonly (readonly Bytes[])[],
): Promise<void> {
  const roots = below.filter(({ length }) => length === tileWidth).map(rootOver);
  if (roots.length === 0) return;
  const place = { level, number: Math.floor(hashesAt(level, size) / tileWidth) };
  const { rows } = await client.query<{ hashes: Buffer }>(
    "select hashes from transparency_tiles where level = $1 and number = $2",
    [place.level, place.number],
  );
  const tiles = cut([...hashesIn(...rows.map(({ hashes }) => hashes)), ...roots]);
  await writeTiles(client, place, tiles);
  await fillAbove(client, level + 1, size, tiles);
}

async function writeTiles(
  client: Client,
  { level, number }: TilePlace,
  tiles: readonly (readonly Bytes[])[],
): Promise<void> {
  await client.query(
    `insert into transparency_tiles (level, number, hashes)
     select $1, tile.number, tile.hashes from unnest($2::bigint[], $3::bytea[]) as tile (number, hashes)
     on conflict (level, number) do update set hashes = excluded.hashes`,
    [level, tiles.map((_, at) => number + at), tiles.map((hashes) => Buffer.from(join(...hashes)))],
  );
}

function cut(row: readonly Bytes[]): Bytes[][] {
  return Array.from({ length: Math.ceil(row.length / tileWidth) }, (_, at) =>
    row.slice(at * tileWidth, (at + 1) * tileWidth),
  );
}

function hashesIn(...rows: readonly Buffer[]): Bytes[] {
  const all = join(...rows);
  return Array.from({ length: all.length / hashLength }, (_, at) => hashIn(all, at));
}

/** Reads tiles as wide as they are now: at least as wide as any tree seen before makes them. */
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
