import type { RepositorySubject } from "../../../../access/subjects.ts";
import { invalid, notFound } from "../../../../core/errors.ts";
import { foldName } from "../../../../core/names.ts";
import type { Reader } from "../../../../db/db.ts";
import { findUsersByNames } from "../../../accounts/users/service/by-names.ts";
import type { NamedList } from "../model.ts";
import { findTeamIds } from "../store.ts";

/** The fields that name the users and the teams of a list. */
export interface ListFields {
  readonly users: string;
  readonly teams: string;
}

/**
 * @param fields named by the errors
 * @throws ForgeError `invalid` for an unknown user, `not_found` for a team that the owning organization does not have
 */
export async function resolveList(
  db: Reader,
  { ownerId, ownerKind }: Pick<RepositorySubject, "ownerId" | "ownerKind">,
  { users, teams }: Partial<NamedList>,
  fields: ListFields,
): Promise<{ readonly userIds?: readonly number[]; readonly teamIds?: readonly number[] }> {
  const find = users === undefined || users.length === 0 ? undefined : await findUsersByNames({ db }, users);
  const userIds = users?.map((name) => {
    const user = find?.(name);
    if (user === undefined) throw invalid(`user does not exist [uid: 0, name: ${name}]`, { reason: "user_not_found", field: fields.users });
    return user.id;
  });
  // @compat a user has no teams; teams given for a user's repository are ignored (protections/api.test.ts)
  if (teams === undefined || ownerKind === "user") return { ...(userIds && { userIds }) };
  const ids = await findTeamIds(db, ownerId, teams.map(foldName));
  const teamIds = teams.map((name) => {
    const id = ids.get(foldName(name));
    if (id === undefined)
      throw notFound(`team does not exist [org_id ${ownerId}, team_id 0, name: ${name}]`, { reason: "team_not_found", field: fields.teams });
    return id;
  });
  return { ...(userIds && { userIds }), teamIds };
}
