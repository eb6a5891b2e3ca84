import type { Position } from "../event-store/event-store.ts";
import { byteaArray, int4Array } from "../event-store/postgres/binary-arrays.ts";
import type { Client, Pool } from "../postgres/pool.ts";
import { type Bytes, hashLength, join } from "./formats/bytes.ts";
import { hashesAt, type TilePlace, tileWidth, widthOf } from "./formats/tiles.ts";
import { extend, type TreeEdge } from "./tree-edge.ts";
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

/** How far the tree has grown, and its edge: enough to grow it without reading it again. */
export type TreeState = TreeReach & TreeEdge;

/**
 * Locks the tree until the end of the transaction.
 * @throws RangeError when its newest tiles are too short
 */
export async function lockTree(client: Client): Promise<TreeState> {
  await client.query("select from transparency_tree for update");
  const reach = await readReach(client);
  const places: TilePlace[] = [];
  for (let level = 0; level === 0 || hashesAt(level, reach.size) > 0; level++)
    places.push({ level, number: Math.floor(hashesAt(level, reach.size) / tileWidth) });
  const partial = await readTilesFrom(client)(places);
  if (places.some((place, level) => partial[level]?.length !== widthOf(place, reach.size) * hashLength))
    throw new RangeError(`The newest tiles are not those of a tree of ${reach.size} leaves.`);
  return { ...reach, partial };
}

/**
 * Adds leaves after those that are there, and resolves to the tree as it then is; undefined when it is not as given.
 * @param leaves their hashes, one after the other
 * @param reached of the last leaf
 */
export async function addLeaves(
  client: Client,
  from: TreeState,
  leaves: Bytes,
  reached: Omit<TreeReach, "size">,
): Promise<TreeState | undefined> {
  const { edge, tiles } = extend(from, leaves);
  const to = { ...edge, ...reached };
  const moved = [to.size, to.position, to.eventId, from.size, from.position, from.eventId];
  // One statement: in small batches it costs more than the hashes.
  const { rowCount } = await client.query(
    tiles.length === 0
      ? { ...addToTail, values: [...moved, from.size, leaves] }
      : {
          ...fillTiles,
          values: [
            ...moved,
            to.size - (to.size % tileWidth),
            to.partial[0],
            int4Array(tiles.map(({ level }) => level)),
            tiles.map(({ number }) => number),
            byteaArray(tiles.map(({ hashes }) => hashes)),
          ],
        },
  );
  return rowCount === 1 ? to : undefined;
}

const move = `update transparency_tree set size = $1, position = $2, event_id = $3
  where (size, position, event_id) = ($4, $5, $6) returning true`;

const addToTail = {
  name: "transparency-add",
  text: `with moved as (${move}),
         tail as (insert into transparency_tail (first, hashes) select $7, $8 from moved)
         select from moved`,
};

const fillTiles = {
  name: "transparency-fill",
  text: `with moved as (${move}),
         filled as (delete from transparency_tail using moved),
         tail as (insert into transparency_tail (first, hashes)
                  select $7, $8 from moved where octet_length($8::bytea) > 0),
         tiles as (insert into transparency_tiles (level, number, hashes)
                   select tile.* from moved, unnest($9::integer[], $10::bigint[], $11::bytea[]) as tile
                   on conflict (level, number) do update set hashes = excluded.hashes)
         select from moved`,
};

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
