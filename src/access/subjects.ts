import type { RepositoryRight, Unit } from "./repository.ts";

/** A repository as a request addresses it: its facts and the caller's right on it. */
export interface RepositorySubject {
  readonly id: number;
  readonly ownerId: number;
  readonly ownerName: string;
  readonly ownerKind: "user" | "organization";
  readonly name: string;
  /** `owner/name`, as spelt by their owners. */
  readonly fullName: string;
  readonly isPrivate: boolean;
  readonly isArchived: boolean;
  readonly isMirror: boolean;
  readonly isEmpty: boolean;
  readonly defaultBranch: string;
  readonly codeStoreId: number;
  /** The repository that its network of forks began with. Of one network are those who have the same. */
  readonly networkId: number;
  /** Null before the wiki has its first page. */
  readonly wikiStoreId: number | null;
  readonly objectFormat: "sha1" | "sha256";
  /** Of its code: counts the moves of refs, up to the moment at which it was looked up. */
  readonly refsVersion: number;
  /** When a ref or a setting was last changed. */
  readonly updatedMs: number;
  readonly enabledUnits: ReadonlySet<Unit>;
  readonly right: RepositoryRight;
}

/** An organization as a request addresses it, with the caller's place in it. */
export interface OrganizationSubject {
  readonly id: number;
  readonly name: string;
  readonly visibility: "public" | "limited" | "private";
  readonly isMember: boolean;
  /** In the owners team, or a site administrator. */
  readonly isOwner: boolean;
}

/** A team as a request addresses it, known to members of its organization only. */
export interface TeamSubject {
  readonly id: number;
  readonly name: string;
  readonly mode: "none" | "admin" | "owner";
  readonly includesAllRepositories: boolean;
  readonly organization: OrganizationSubject;
  /** In the team himself. */
  readonly isMember: boolean;
}

/** A user or organization named in a path, visible to the caller. */
export interface AccountSubject {
  readonly id: number;
  readonly name: string;
  readonly kind: "user" | "organization";
  readonly visibility: "public" | "limited" | "private";
}

/** A look-up by a name that may have changed: what was found, or the name under which it is found now. */
export type Found<T> = { readonly subject: T } | { readonly movedTo: string; readonly isAccountRenamed: boolean };
