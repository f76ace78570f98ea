import type { UserActor } from "../../../../access/actor.ts";
import type { OrganizationSubject } from "../../../../access/subjects.ts";
import { forbidden } from "../../../../core/errors.ts";
import type { RepositoryView } from "../model.ts";
import type { NewRepository } from "../new-repository.ts";
import { type CreateDeps, createRepository } from "./create.ts";
import { mayMakeIn } from "./insert.ts";

/**
 * Creates a repository in an organization.
 * @throws ForgeError `forbidden` for callers without a team that permits it; otherwise as `createRepository`
 */
export async function createInOrganization(
  deps: CreateDeps,
  actor: UserActor,
  organization: OrganizationSubject,
  input: NewRepository,
): Promise<RepositoryView> {
  if (!(await mayMakeIn(deps.db, actor, organization))) {
    throw forbidden("User is not allowed to create repositories in this organization.", { reason: "cannot_create_in_organization" });
  }
  return createRepository(deps, actor, { id: organization.id, name: organization.name, kind: "organization" }, input);
}
