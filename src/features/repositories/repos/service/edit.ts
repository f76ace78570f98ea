import { seesPrivate, type UserActor } from "../../../../access/actor.ts";
import type { RepositorySubject } from "../../../../access/subjects.ts";
import type { Config } from "../../../../config/config.ts";
import { forbidden, invalid, notFound } from "../../../../core/errors.ts";
import { foldName } from "../../../../core/names.ts";
import { isWebUrl } from "../../../../core/urls.ts";
import type { Db, Tx } from "../../../../db/db.ts";
import { recordEvent } from "../../../../events/events.ts";
import { readMirrorInterval } from "../mirror-interval.ts";
import type { RepositoryView } from "../model.ts";
import { applySettings, type SettingsEdit } from "../settings-edit.ts";
import { setMirrorInterval } from "../store/mirrors.ts";
import { deleteRedirect, findEditable, insertRedirect, updateRepository } from "../store/rows.ts";
import { dropOutsiders } from "../store/stars-and-watches.ts";
import { checkRepositoryName, isNameTaken } from "./insert.ts";
import { getRepository } from "./loaders.ts";
import { setDefaultBranch } from "./move-refs.ts";
import { requireRepositoryAdmin } from "./require.ts";

export interface EditDeps {
  readonly db: Db;
  readonly config: Pick<Config, "mirror">;
}

/** Changes to a repository; null or omitted fields are unchanged. */
export interface RepositoryEdit {
  readonly name?: string | null | undefined;
  readonly description?: string | null | undefined;
  readonly website?: string | null | undefined;
  readonly isPrivate?: boolean | null | undefined;
  readonly isTemplate?: boolean | null | undefined;
  readonly isArchived?: boolean | null | undefined;
  /** An unknown branch is ignored. */
  readonly defaultBranch?: string | null | undefined;
  readonly settings?: SettingsEdit | undefined;
  readonly mirrorIntervalMs?: number | undefined;
}

export interface RepositoryInput extends Omit<RepositoryEdit, "mirrorIntervalMs"> {
  /** As given by the client. */
  readonly mirrorInterval?: string | null | undefined;
}

/**
 * Edits a repository. Its former name redirects to it until it is used again.
 * @throws ForgeError `invalid` for invalid values and for a name in use, `forbidden` for users who do not administer it
 */
export async function editRepository(deps: EditDeps, actor: UserActor, repository: RepositorySubject, input: RepositoryInput): Promise<RepositoryView> {
  requireRepositoryAdmin(repository);
  const { mirrorInterval, ...edit } = input;
  // @compat mirror options are ignored for other repositories (repos/api/edit.test.ts)
  const mirrorIntervalMs = mirrorInterval && repository.isMirror ? readMirrorInterval(mirrorInterval, deps.config, invalid) : undefined;
  if (edit.name === "") throw invalid("ChangeRepositoryName: name is invalid []: must be valid alpha or numeric or dash(-_) or dot characters");
  const name = edit.name ?? undefined;
  if (name !== undefined && foldName(name) !== foldName(repository.name)) checkRepositoryName(name);
  const website = edit.website ?? "";
  if (website !== "" && !isWebUrl(website)) throw invalid("[Website]: Url", { reason: "invalid_url" });
  if (edit.isPrivate === true && !seesPrivate(actor)) throw forbidden("token scope is limited to public repos");
  try {
    await deps.db.tx((tx) => editInTransaction(tx, actor, repository.id, { ...edit, name, mirrorIntervalMs }));
  } catch (error) {
    if (!isNameTaken(error)) throw error;
    throw invalid(`repository already exists [uname: ${repository.ownerName}, name: ${name}]`, { reason: "repository_exists" });
  }
  return getRepository(deps, actor, repository.id);
}

const flag = (value: boolean | null | undefined): number | undefined => (value === null || value === undefined ? undefined : value ? 1 : 0);

/** Applies an edit within a transaction. The caller has checked permissions and values. */
export async function editInTransaction(tx: Tx, actor: UserActor, id: number, edit: RepositoryEdit): Promise<void> {
  const present = await findEditable(tx, id);
  if (present === undefined) throw notFound();
  const name = edit.name ?? present.name;
  const isArchived = edit.isArchived ?? present.isArchived;
  await updateRepository(tx, id, {
    name,
    name_folded: foldName(name),
    description: edit.description ?? undefined,
    website: edit.website ?? undefined,
    is_private: flag(edit.isPrivate),
    is_template: flag(edit.isTemplate),
    is_archived: flag(isArchived),
    archived_ms: isArchived === present.isArchived ? undefined : isArchived ? tx.nowMs : 0,
    settings: edit.settings && JSON.stringify(applySettings(present.settings, edit.settings)),
    updated_ms: tx.nowMs,
  });
  if (foldName(name) !== foldName(present.name)) {
    await deleteRedirect(tx, present.ownerId, name);
    await insertRedirect(tx, present.ownerId, present.name, id);
  }
  if (edit.mirrorIntervalMs !== undefined) await setMirrorInterval(tx, id, edit.mirrorIntervalMs);
  if (edit.isPrivate === true && !present.isPrivate) await dropOutsiders(tx, { id, ownerId: present.ownerId });
  // @compat an unknown branch is ignored (repos/api/edit.test.ts)
  const isSet = edit.defaultBranch ? await setDefaultBranch(tx, id, edit.defaultBranch) : false;
  const event = { repoId: id, name, ownerId: present.ownerId, ownerName: present.ownerName };
  const context = { repoId: id, by: actor };
  if (name !== present.name) await recordEvent(tx, "repo.renamed", { ...event, formerName: present.name }, context);
  const isPrivate = edit.isPrivate ?? present.isPrivate;
  if (isPrivate !== present.isPrivate) await recordEvent(tx, "repo.visibility_changed", { ...event, isPrivate }, context);
  if (isArchived !== present.isArchived) await recordEvent(tx, isArchived ? "repo.archived" : "repo.unarchived", event, context);
  await recordEvent(tx, "repo.updated", { ...event, ...(isSet && { setsDefaultBranch: true }) }, { repoId: id, actorId: actor.id });
}
