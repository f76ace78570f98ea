import type { UserActor } from "./actor.ts";
import type { RepositoryRight, Unit } from "./repository.ts";

/** A repository addressed by a request: its data and the caller's right on it. */
export interface RepositorySubject {
  readonly id: number;
  readonly ownerId: number;
  readonly ownerName: string;
  readonly ownerKind: "user" | "organization";
  readonly name: string;
  /** `owner/name`, with the stored capitalization. */
  readonly fullName: string;
  readonly isPrivate: boolean;
  readonly isArchived: boolean;
  readonly isMirror: boolean;
  readonly isEmpty: boolean;
  readonly defaultBranch: string;
  readonly codeStoreId: number;
  /** The root repository of the fork network. Repositories of one network share it. */
  readonly networkId: number;
  /** Null until the wiki has a page. */
  readonly wikiStoreId: number | null;
  readonly objectFormat: "sha1" | "sha256";
  /** Version of the code's refs at lookup time; it counts ref updates. */
  readonly refsVersion: number;
  /** Version of the list of the code's packs at lookup time. */
  readonly packsVersion: number;
  /** Last change of a ref or a setting. */
  readonly updatedMs: number;
  readonly enabledUnits: ReadonlySet<Unit>;
  readonly right: RepositoryRight;
}

/** An organization addressed by a request, with the caller's role in it. */
export interface OrganizationSubject {
  readonly id: number;
  readonly name: string;
  readonly visibility: "public" | "limited" | "private";
  readonly isMember: boolean;
  /** In the owners team, or a site administrator. */
  readonly isOwner: boolean;
}

/** A team addressed by a request; visible only to members of its organization. */
export interface TeamSubject {
  readonly id: number;
  readonly name: string;
  readonly mode: "none" | "admin" | "owner";
  readonly includesAllRepositories: boolean;
  readonly organization: OrganizationSubject;
  /** Whether the caller is a member of the team. */
  readonly isMember: boolean;
}

/** A user or organization named in a path, visible to the caller. */
export interface AccountSubject {
  readonly id: number;
  readonly name: string;
  readonly kind: "user" | "organization";
  readonly visibility: "public" | "limited" | "private";
}

/** Result of a lookup by a name that may have changed: the subject, or its current name. */
export type Found<T> = { readonly subject: T } | { readonly movedTo: string; readonly isAccountRenamed: boolean };

/** The names of an owner and a repository, as in the path of a request. */
export type RepositoryPath = { readonly owner: string; readonly name: string };

/** The repository of a path as one account sees it, read in the statement of the account's credentials. */
export interface ReadAhead {
  /** For the feature of repositories only; null if there is no such repository. */
  readonly text: string | null;
}

/** The user of a request's credentials. */
export interface Identified {
  readonly actor: UserActor;
  readonly readAhead?: ReadAhead | undefined;
}
