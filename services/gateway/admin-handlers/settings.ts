import type { SettingsCommand } from "../../../domain/settings/commands.ts";
import { clientCommandId } from "../../orders/command-ids.ts";
import type { Settings, SettingsBook } from "../../settings/settings.ts";
import { presentCannedAnswers, presentSettings } from "../admin-presenters/settings.ts";
import { peopleIn, presentSettingsHistory } from "../admin-presenters/settings-history.ts";
import { keyFor } from "../handlers/behalf.ts";
import type { Parts } from "../parts.ts";
import type { Answer, StaffCall } from "../route.ts";

/** As many changes as anybody looks through on a page. */
const mostChanges = 500;

type ChangeBody = { readonly expectedRevision: number };

/** The command that a body asks for. Texts are kept before they are named; a repeat of the request gets the same new id. */
export type CommandOf<Body> = (
  body: Body,
  book: SettingsBook,
  newId: string,
) => SettingsCommand | Promise<SettingsCommand>;

async function presented({ settings: book, directory, desk }: Parts, settings: Settings) {
  const nameOf = await directory.namesOf([...settings.grants.keys()]);
  return presentSettings({ settings, given: book.given, nameOf, at: desk.now().toISOString() });
}

/** GET /api/admin/settings */
export const showSettings = (parts: Parts) => async (): Promise<Answer> => ({
  body: await presented(parts, parts.settings.current()),
});

/** GET /api/admin/settings/canned-answers */
export const showCannedAnswers =
  ({ settings }: Parts) =>
  async (): Promise<Answer> => ({ body: presentCannedAnswers(settings.current()) });

/** GET /api/admin/settings/history */
export const showSettingsHistory =
  ({ settings, directory }: Parts) =>
  async (): Promise<Answer> => {
    const changes = await settings.history(mostChanges);
    return { body: presentSettingsHistory(changes, await directory.namesOf(peopleIn(changes))) };
  };

/** POST /api/admin/settings/…: one change; answers all settings as they are then. */
export const changeSetting =
  <Body extends ChangeBody>(parts: Parts, commandOf: CommandOf<Body>) =>
  async ({ body, by, correlationId, idempotencyKey }: StaffCall<Body>): Promise<Answer> => {
    const { settings, desk } = parts;
    const key = keyFor(`settings ${by.userId}`, idempotencyKey);
    const commandId = clientCommandId(desk.deriveId, desk.newId, key);
    const { position, settings: changed } = await settings.tell({
      command: await commandOf(body, settings, desk.deriveId("setting", commandId)),
      commandId,
      by: { actor: { kind: "staff", id: by.userId }, correlationId },
      expectedRevision: body.expectedRevision,
    });
    return { body: await presented(parts, changed), position };
  };
