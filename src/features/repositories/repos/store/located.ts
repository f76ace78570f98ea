import { type RawBuilder, sql } from "kysely";
import type { RepositoryRightInput, Unit } from "../../../../access/repository.ts";
import type { RepositorySubject } from "../../../../access/subjects.ts";
import { foldName } from "../../../../core/names.ts";
import { anyOf } from "../../../../db/any-of.ts";
import { compiled, type Slots } from "../../../../db/compiled.ts";
import type { Reader } from "../../../../db/db.ts";
import type { AccessMode } from "../../../../db/tables/organizations.ts";
import { enabledUnits, parseSettings, type RepositorySettings } from "../settings.ts";

/** A repository found by path, with everything that is needed to evaluate an actor's permissions. */
export interface LocatedRepository extends Omit<RepositorySubject, "fullName" | "enabledUnits" | "right"> {
  readonly settings: RepositorySettings;
  readonly rightInput: RepositoryRightInput;
}

const locatedNames = [
  "id",
  "owner_id",
  "owner_name",
  "owner_kind",
  "owner_visibility",
  "name",
  "is_private",
  "is_archived",
  "is_mirror",
  "is_empty",
  "default_branch",
  "code_store_id",
  "network_id",
  "wiki_store_id",
  "settings",
  "object_format",
  "refs_version",
  "packs_version",
  "updated_ms",
  "collaborator_mode",
  "member_id",
  "grants",
] as const;

/**
 * Loads repositories with the rights of one actor. One statement for any number.
 * @param actorId 0 for an anonymous actor
 */
export const selectLocated = (db: Reader, actorId: RawBuilder<number>) => selectLocatedEver(db, actorId).where("r.deleted_ms", "is", null);

/** Includes deleted repositories that can be restored. */
export function selectLocatedEver(db: Reader, actorId: RawBuilder<number>) {
  return db.sql
    .selectFrom("repositories as r")
    .innerJoin("accounts as o", "o.id", "r.owner_id")
    .innerJoin("git_stores as s", "s.id", "r.code_store_id")
    .leftJoin("collaborators as c", (join) => join.onRef("c.repo_id", "=", "r.id").on("c.account_id", "=", actorId))
    .leftJoin("organization_members as m", (join) => join.onRef("m.org_id", "=", "r.owner_id").on("m.account_id", "=", actorId))
    .select([
      "r.id",
      "r.owner_id",
      "o.name as owner_name",
      "o.kind as owner_kind",
      "o.visibility as owner_visibility",
      "r.name",
      "r.is_private",
      "r.is_archived",
      "r.is_mirror",
      "r.is_empty",
      "r.default_branch",
      "r.code_store_id",
      "r.network_id",
      "r.wiki_store_id",
      "r.settings",
      "s.object_format",
      "s.refs_version",
      "s.packs_version",
      "r.updated_ms",
      "c.mode as collaborator_mode",
      "m.account_id as member_id",
      teamGrants(actorId).as("grants"),
    ]);
}

/** `mode unit=mode,...` of each team of the actor with the repository, as one string: one statement that works on both dialects. */
export const teamGrants = (actorId: RawBuilder<number>) => sql<string | null>`(
  select string_agg(t.mode || ' ' || coalesce((select string_agg(u.unit || '=' || u.mode, ',') from team_units u where u.team_id = t.id), ''), ';')
  from team_members tm join teams t on t.id = tm.team_id
  where tm.org_id = r.owner_id and tm.account_id = ${actorId} and (t.includes_all_repositories = 1 or t.mode = 'owner'
    or exists (select 1 from team_repositories tr where tr.team_id = t.id and tr.repo_id = r.id)))`;

export type LocatedRow = Awaited<ReturnType<ReturnType<typeof selectLocated>["executeTakeFirstOrThrow"]>>;

type RightRow = Pick<LocatedRow, "owner_id" | "owner_visibility" | "is_private" | "collaborator_mode" | "member_id" | "grants">;

/** The input for evaluating the right of one account on a repository. */
export function toRightInput(row: RightRow, repoId: number, settings: RepositorySettings): RepositoryRightInput {
  const { teamMode, teamUnits } = row.grants === null ? noGrants : parseGrants(row.grants);
  return {
    id: repoId,
    ownerId: row.owner_id,
    ownerVisibility: row.owner_visibility,
    isPrivate: row.is_private === 1,
    collaboratorMode: row.collaborator_mode ?? "none",
    teamMode,
    teamUnits,
    isOrgMember: row.member_id !== null,
    enabledUnits: enabledUnits(settings),
  };
}

export function toLocated(row: LocatedRow): LocatedRepository {
  const settings = parseSettings(row.settings);
  return {
    id: row.id,
    ownerId: row.owner_id,
    ownerName: row.owner_name,
    ownerKind: row.owner_kind === "organization" ? "organization" : "user",
    name: row.name,
    isPrivate: row.is_private === 1,
    isArchived: row.is_archived === 1,
    isMirror: row.is_mirror === 1,
    isEmpty: row.is_empty === 1,
    defaultBranch: row.default_branch,
    codeStoreId: row.code_store_id,
    networkId: row.network_id ?? row.id,
    wikiStoreId: row.wiki_store_id,
    objectFormat: row.object_format,
    refsVersion: row.refs_version,
    packsVersion: row.packs_version,
    updatedMs: row.updated_ms,
    settings,
    rightInput: toRightInput(row, row.id, settings),
  };
}

const modes: readonly AccessMode[] = ["none", "read", "write", "admin", "owner"];
const higher = (a: AccessMode, b: AccessMode): AccessMode => (modes.indexOf(a) >= modes.indexOf(b) ? a : b);

interface Grants {
  readonly teamMode: AccessMode;
  readonly teamUnits: ReadonlyMap<Unit, AccessMode>;
}

function parseGrants(text: string): Grants {
  let teamMode: AccessMode = "none";
  const teamUnits = new Map<Unit, AccessMode>();
  for (const team of text === "" ? [] : text.split(";")) {
    const [mode = "none", units = ""] = team.split(" ");
    teamMode = higher(teamMode, mode as AccessMode);
    for (const grant of units === "" ? [] : units.split(",")) {
      const [unit = "", granted = "none"] = grant.split("=");
      teamUnits.set(unit as Unit, higher(teamUnits.get(unit as Unit) ?? "none", granted as AccessMode));
    }
  }
  return { teamMode, teamUnits };
}

const noGrants = parseGrants("");

const locateByName = compiled((db, given: Slots<{ owner: string; name: string; actorId: number }>) =>
  selectLocated(db, given.actorId).where("o.name_folded", "=", given.owner).where("r.name_folded", "=", given.name),
);
const locateByIds = compiled((db, given: Slots<{ ids: readonly number[]; actorId: number }>) =>
  selectLocated(db, given.actorId).where((eb) => anyOf(db, eb.ref("r.id"), given.ids)),
);

const locateByNames = compiled((db, given: Slots<{ owners: readonly string[]; names: readonly string[]; actorId: number }>) =>
  selectLocated(db, given.actorId)
    .where((eb) => anyOf(db, eb.ref("o.name_folded"), given.owners))
    .where((eb) => anyOf(db, eb.ref("r.name_folded"), given.names)),
);

/** Repositories with one of some names of one of some owners: more than the pairs that the caller looks for. One statement. */
export async function locateRepositoriesByNames(
  db: Reader,
  names: readonly (readonly [owner: string, name: string])[],
  actorId: number,
): Promise<readonly LocatedRepository[]> {
  if (names.length === 0) return [];
  const [owners, repositories] = [names.map(([owner]) => foldName(owner)), names.map(([, name]) => foldName(name))];
  return (await locateByNames(db, { owners, names: repositories, actorId })).map(toLocated);
}

/** One row of `locateByName` as a JSON object, or null: a scalar for a statement that also reads other tables. */
export function locatedText(db: Reader, actorId: RawBuilder<number>, path: Slots<{ owner: string; name: string }>): RawBuilder<string | null> {
  const query = selectLocated(db, actorId).where("o.name_folded", "=", path.owner).where("r.name_folded", "=", path.name);
  return db.dialect === "postgres"
    ? sql`(select row_to_json(l)::text from (${query}) l)`
    : sql`(select json_object(${sql.join(locatedNames.flatMap((name) => [sql.lit(name), sql.ref(`l.${name}`)]))}) from (${query}) l)`;
}

/** @param text a value of {@link locatedText} */
export const parseLocated = (text: string | null): LocatedRepository | undefined => (text === null ? undefined : toLocated(JSON.parse(text)));

export async function locateRepository(db: Reader, owner: string, name: string, actorId: number): Promise<LocatedRepository | undefined> {
  const [row] = await locateByName(db, { owner: foldName(owner), name: foldName(name), actorId });
  return row && toLocated(row);
}

export async function locateRepositoriesById(db: Reader, ids: readonly number[], actorId: number): Promise<ReadonlyMap<number, LocatedRepository>> {
  if (ids.length === 0) return new Map();
  const rows = await locateByIds(db, { ids, actorId });
  return new Map(rows.map((row) => [row.id, toLocated(row)]));
}

export interface MovedRepository {
  /** The owner formerly had the name. */
  readonly isOwnerRenamed: boolean;
  readonly movedTo: string | undefined;
}

/** Finds redirects for a path without a repository. */
export async function findMoved(db: Reader, owner: string, name: string): Promise<MovedRepository> {
  const folded = foldName(owner);
  const account = await db.sql
    .selectFrom("accounts")
    .select(["id", "name"])
    .where("id", "in", (where) =>
      where
        .selectFrom("accounts as present")
        .select("present.id")
        .where("present.name_folded", "=", folded)
        .union(where.selectFrom("account_redirects as former").select("former.account_id as id").where("former.name_folded", "=", folded)),
    )
    .executeTakeFirst();
  if (account === undefined) return { isOwnerRenamed: false, movedTo: undefined };
  const present = await db.sql
    .selectFrom("repositories as r")
    .innerJoin("accounts as o", "o.id", "r.owner_id")
    .select(["o.name as owner", "r.name"])
    .where("r.deleted_ms", "is", null)
    .where("r.id", "in", (where) =>
      where
        .selectFrom("repositories as present")
        .select("present.id")
        .where("present.owner_id", "=", account.id)
        .where("present.name_folded", "=", foldName(name))
        .where("present.deleted_ms", "is", null)
        .union(
          where
            .selectFrom("repository_redirects as former")
            .select("former.repo_id as id")
            .where("former.owner_id", "=", account.id)
            .where("former.name_folded", "=", foldName(name)),
        ),
    )
    .executeTakeFirst();
  return { isOwnerRenamed: foldName(account.name) !== folded, movedTo: present && `${present.owner}/${present.name}` };
}
