import type { Pool } from "../../infra/postgres/pool.ts";
import { type SettingsTexts, textsIn } from "./kept-texts.ts";

/**
 * Texts in a table that only grows: the database itself refuses to change or remove a text, and to take one under
 * another's digest.
 */
export const createSettingsTexts = (pool: Pool): SettingsTexts =>
  textsIn({
    add: (digest, content) =>
      pool.query(
        "insert into settings_texts (digest, content) values ($1, $2) on conflict (digest) do nothing",
        [digest, content],
      ),
    find: async (digest) => {
      const { rows } = await pool.query<{ content: string }>(
        "select content from settings_texts where digest = $1",
        [digest],
      );
      return rows[0]?.content;
    },
  });
