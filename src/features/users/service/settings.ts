import type { UserActor } from "../../../access/actor.ts";
import type { Clock } from "../../../core/clock.ts";
import type { Db, Reader } from "../../../db/db.ts";
import { recordEvent } from "../../../events/events.ts";
import type { UserSettingsOptions } from "../../../wire/user.ts";
import { loadSettings, updateAccount } from "../store.ts";
import type { UserSettingsView } from "../view.ts";

export const getSettings = (deps: { readonly db: Reader }, actor: UserActor): Promise<UserSettingsView> => loadSettings(deps.db, actor.id);

/** Changes the caller's own settings; what is null stays as it is. */
export async function editSettings(deps: { readonly db: Db; readonly clock: Clock }, actor: UserActor, option: UserSettingsOptions): Promise<UserSettingsView> {
  return deps.db.tx(async (tx) => {
    const present = await loadSettings(tx, actor.id);
    await updateAccount(tx, actor.id, {
      full_name: option.full_name ?? present.fullName,
      website: option.website ?? present.website,
      description: option.description ?? present.description,
      location: option.location ?? present.location,
      language: option.language ?? present.language,
      theme: option.theme ?? present.theme,
      diff_view_style: option.diff_view_style ?? present.diffViewStyle,
      hide_email: (option.hide_email ?? present.hideEmail) ? 1 : 0,
      hide_activity: (option.hide_activity ?? present.hideActivity) ? 1 : 0,
      updated_ms: deps.clock.now(),
    });
    await recordEvent(tx, "account.updated", { accountId: actor.id, name: actor.name, kind: "user" }, { actorId: actor.id });
    return loadSettings(tx, actor.id);
  });
}
