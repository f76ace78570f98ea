import type { UserActor } from "./actor.ts";
import type { OrganizationSubject, RepositorySubject } from "./subjects.ts";

/** The owner of webhooks, secrets, variables and runners. Those of an account cover all of its repositories, those of the server all repositories. */
export type SettingsOwner =
  | { readonly scope: "repository"; readonly repoId: number /** `owner/name` */; readonly name: string }
  | { readonly scope: "owner"; readonly ownerId: number; readonly name: string }
  | { readonly scope: "server" };

type By<Subjects = object> = Subjects & { readonly actor: UserActor };
interface Owned {
  readonly actor: UserActor;
  readonly owner: SettingsOwner;
}

export const repositoryOwner = ({ id, fullName }: Pick<RepositorySubject, "id" | "fullName">): SettingsOwner => ({
  scope: "repository",
  repoId: id,
  name: fullName,
});

/** The kinds of owners, with the declarations shared by the API and the pages. */
export const settingsOwners = {
  repository: {
    tag: "repository",
    of: "a repository",
    scope: "repository",
    refusesPublicOnly: false,
    subjects: ({ actor, repository }: By<{ readonly repository: RepositorySubject }>): Owned => ({ actor, owner: repositoryOwner(repository) }),
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
