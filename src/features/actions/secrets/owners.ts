import type { UserActor } from "../../../access/actor.ts";
import type { OrganizationSubject, RepositorySubject } from "../../../access/subjects.ts";
import type { ActionsOwner } from "./model.ts";

type By<Subjects = object> = Subjects & { readonly actor: UserActor };
interface Owned {
  readonly actor: UserActor;
  readonly owner: ActionsOwner;
}

/** The kinds of owners, with the declarations shared by the API and the pages. */
export const actionsOwners = {
  repository: {
    tag: "repository",
    of: "a repository",
    scope: "repository",
    refusesPublicOnly: false,
    subjects: ({ actor, repository }: By<{ readonly repository: RepositorySubject }>): Owned => ({
      actor,
      owner: { scope: "repository", repoId: repository.id, name: repository.fullName },
    }),
  },
  organization: {
    tag: "organization",
    of: "an organization",
    scope: "organization",
    refusesPublicOnly: false,
    subjects: ({ actor, organization }: By<{ readonly organization: OrganizationSubject }>): Owned => ({
      actor,
      owner: { scope: "owner", ownerId: organization.id, name: organization.name },
    }),
  },
  user: {
    tag: "user",
    of: "the caller",
    scope: "user",
    refusesPublicOnly: true,
    subjects: ({ actor }: By): Owned => ({ actor, owner: { scope: "owner", ownerId: actor.id, name: actor.name } }),
  },
  server: {
    tag: "admin",
    of: "the server",
    scope: "admin",
    refusesPublicOnly: false,
    subjects: ({ actor }: By): Owned => ({ actor, owner: { scope: "server" } }),
  },
} as const;
