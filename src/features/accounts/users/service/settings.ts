import type { UserActor } from "../../../../access/actor.ts";
import { changesBetween } from "../../../../core/changes.ts";
import type { Clock } from "../../../../core/clock.ts";
import type { Db, Reader } from "../../../../db/db.ts";
import { type Author, recordEvent } from "../../../../events/events.ts";
import type { SettingsChanges, UserSettingsView } from "../model.ts";
import { loadSettings, updateAccount } from "../store/accounts.ts";

export const getSettings = (deps: { readonly db: Reader }, actor: UserActor): Promise<UserSettingsView> => loadSettings(deps.db, actor.id);

/** Changes the caller's own settings; null and absent fields stay unchanged. */
export async function editSettings(
  deps: { readonly db: Db; readonly clock: Clock },
  actor: Author,
  changes: Partial<SettingsChanges>,
): Promise<UserSettingsView> {
  return deps.db.tx(async (tx) => {
    const present = await loadSettings(tx, actor.id);
    await updateAccount(tx, actor.id, {
      full_name: changes.fullName ?? present.fullName,
      website: changes.website ?? present.website,
      description: changes.description ?? present.description,
      location: changes.location ?? present.location,
      language: changes.language ?? present.language,
      theme: changes.theme ?? present.theme,
      diff_view_style: changes.diffViewStyle ?? present.diffViewStyle,
      hide_email: (changes.hideEmail ?? present.hideEmail) ? 1 : 0,
      email_notifications: changes.emailNotifications ?? present.emailNotifications,
      hide_activity: (changes.hideActivity ?? present.hideActivity) ? 1 : 0,
      new_repositories_private: (changes.newRepositoriesPrivate ?? present.newRepositoriesPrivate) ? 1 : 0,
      updated_ms: deps.clock.now(),
    });
    const edited = await loadSettings(tx, actor.id);
    const event = { accountId: actor.id, name: actor.name, kind: "user", changes: changesBetween(present, edited) } as const;
    await recordEvent(tx, "account.updated", event, { by: actor });
    return edited;
  });
}
