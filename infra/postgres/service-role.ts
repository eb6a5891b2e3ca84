import pg from "pg";
import { OperatorError } from "../process/operator-error.ts";

type Queries = Pick<pg.Client, "query">;

const append = "select, insert";
const keep = "select, insert, update";
const list = "select, insert, update, delete";

/**
 * What the product does with each table, when its role does not own them. A table of a later release gets its row with
 * its migration; a test compares both.
 */
const tableRights: Readonly<Record<string, string>> = {
  migrations: "select",
  installation: "select, update",
  events: append,
  settings_texts: append,
  audit_runs: append,
  audit_digest: list,
  // A destroyed record stays as its tombstone.
  vault_records: keep,
  index_keys: keep,
  blind_index: "select, insert, delete",
  followers: list,
  follower_checkpoints: "select",
  parked_streams: list,
  read_model_uses: list,
  // Of the previous release.
  duties: list,
  workers: list,
  work: list,
  open_payments: list,
  lost_notice_search: keep,
  overdue_orders: list,
  ended_sessions: list,
  // The tree can be grown anew from the log, and then begins empty.
  transparency_tree: "select, update",
  transparency_tiles: `${keep}, truncate`,
  transparency_tail: "select, insert, delete, truncate",
  transparency_receipts: `${append}, truncate`,
  // A copied log has other positions.
  transparency_marks: `${keep}, truncate`,
  transparency_checkpoint: "select, update",
  transparency_cosignatures: list,
};

/**
 * Lets a role run the product on this database: it reads and appends events, and can neither change nor delete them.
 * Schemas that the product makes for itself (read models, queue, sandbox) become the role's own.
 * @param client connected as the owner of the tables, in a transaction
 * @throws OperatorError when there is no such role, it could change events all the same, or the owner is not its member
 */
export async function grantService(client: Queries, role: string): Promise<void> {
  await expectRestricted(client, role);
  const { rows } = await client.query<{ table: string; name: string }>(
    `select relname as table, quote_ident(relname) as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v')`,
  );
  const to = quoted(role);
  await client.query(`
    revoke create on schema public from public;
    revoke all on schema public from ${to};
    grant usage on schema public to ${to};
    revoke all on all tables in schema public from ${to}`);
  for (const { table, name } of rows) {
    const rights = Object.hasOwn(tableRights, table) ? tableRights[table] : undefined;
    if (rights !== undefined) await client.query(`grant ${rights} on ${name} to ${to}`);
  }
  await client.query(`
    do $$ begin execute format('grant connect, create on database %I to %I', current_database(), ${literal(role)}); end $$`);
  await handOverSchemas(client, role);
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;

type Standing = { readonly isSuperuser: boolean; readonly isOwner: boolean };

async function expectRestricted(client: Queries, role: string): Promise<void> {
  const { rows } = await client.query<Standing>(
    `select rolsuper as "isSuperuser", exists (
       select from pg_class where oid = to_regclass('public.events') and pg_has_role(r.oid, relowner, 'member')
     ) as "isOwner" from pg_roles as r where rolname = $1`,
    [role],
  );
  const [found] = rows;
  if (!found)
    throw new OperatorError(
      `There is no database role ${role}: create it (create role ${quoted(role)} login password '…'), and run this again.`,
    );
  if (found.isSuperuser || found.isOwner)
    throw new OperatorError(
      `The database role ${role} ${found.isSuperuser ? "is a superuser" : "owns the tables"}, so it can change events: name another.`,
    );
}

/** What an owner made while it ran the product itself. */
async function handOverSchemas(client: Queries, role: string): Promise<void> {
  const to = quoted(role);
  const { rows } = await client.query<{ alter: string }>(
    `with made as (
       select oid, nspname from pg_namespace
       where nspowner = current_user::regrole and nspname <> 'public' and nspname !~ '^(pg_|information_schema)'
     )
     select format('alter schema %I owner to ', nspname) as alter from made
     union all
     select format('alter %s %I.%I owner to ', case relkind when 'v' then 'view' when 'S' then 'sequence' else 'table' end,
       nspname, relname) from pg_class as c join made on made.oid = relnamespace
     where relkind in ('r', 'p', 'v', 'S') and not exists (
       select from pg_depend where objid = c.oid and classid = 'pg_class'::regclass and deptype in ('a', 'i')
         and refclassid = 'pg_class'::regclass)
     union all
     select format('alter routine %s owner to ', p.oid::regprocedure) from pg_proc as p join made on made.oid = pronamespace
     union all
     select format('alter type %I.%I owner to ', nspname, typname) from pg_type join made on made.oid = typnamespace
     where typtype in ('d', 'e')`,
  );
  for (const { alter } of rows) await client.query(alter + to).catch(refusedTo(role));
}

const refusedTo =
  (role: string) =>
  (error: unknown): never => {
    if (!(error instanceof pg.DatabaseError && error.code === "42501")) throw error;
    throw new OperatorError(
      `The owner may not hand its schemas over to ${role} (${error.message}): as a superuser, grant it the role (grant ${quoted(role)} to the owner), and run this again.`,
      { cause: error },
    );
  };

/** Roles that may run the product without owning its tables. */
export async function serviceRoles(client: Queries): Promise<readonly string[]> {
  const { rows } = await client.query<{ role: string }>(
    `select distinct rolname as role from pg_class, aclexplode(relacl) as granted join pg_roles on pg_roles.oid = grantee
     where pg_class.oid = to_regclass('public.events') and privilege_type = 'INSERT' and grantee <> relowner
     order by rolname`,
  );
  return rows.map(({ role }) => role);
}

/** The connected role, and whether it could change or delete an event; undefined before there is a log. */
export async function eventRights(
  client: Queries,
): Promise<{ readonly role: string; readonly canChange: boolean } | undefined> {
  const { rows } = await client.query<{ role: string; canChange: boolean }>(
    `select current_user as role, pg_has_role(relowner, 'usage')
       or has_table_privilege(oid, 'update, delete, truncate, trigger') as "canChange"
     from pg_class where oid = to_regclass('public.events')`,
  );
  return rows[0];
}
