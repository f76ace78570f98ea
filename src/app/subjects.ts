import { findAccount } from "../features/accounts/users/service/accounts.ts";
import { findOrganization } from "../features/organizations/orgs/service/find.ts";
import { findTeam } from "../features/organizations/teams/service/find.ts";
import { findRepository } from "../features/repositories/repos/service/find.ts";
import type { Subjects } from "../http/ports.ts";
import type { Context } from "./context.ts";

/** Finds the resources named in paths. */
export const createSubjects = (context: Context): Subjects => ({
  account: (name, actor) => findAccount(context, name, actor),
  organization: (name, actor) => findOrganization(context, name, actor),
  team: (id, actor) => findTeam(context, id, actor),
  repository: (owner, name, actor, readAhead) => findRepository(context, owner, name, actor, readAhead),
});
