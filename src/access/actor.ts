import { allScopes, type ScopeSet } from "./scopes.ts";

/** Who calls, with the facts that policies judge by. Loaded once per request. */
export type Actor = AnonymousActor | UserActor | DeployKeyActor;

export interface AnonymousActor {
  readonly kind: "anonymous";
}

export interface UserActor {
  readonly kind: "user";
  readonly id: number;
  readonly name: string;
  readonly fullName: string;
  readonly email: string;
  readonly hideEmail: boolean;
  readonly isAdmin: boolean;
  /** A restricted user sees only what was given explicitly: public repositories are not readable for being public. */
  readonly isRestricted: boolean;
  readonly credential: Credential;
  /** How he wants pages, for who came with a browser; empty where he has not chosen. */
  readonly display?: { readonly language: string; readonly theme: string; readonly diffStyle: string };
  /** The address that the request came from; absent where nothing came over a network. */
  readonly address?: string;
  /** The administrator who acts as this user (`Sudo`). */
  readonly impersonator?: { readonly id: number; readonly name: string };
}

/** A key that acts for repositories and is nobody's. Nothing but these repositories exists for it, and of them the code alone. */
export interface DeployKeyActor {
  readonly kind: "deploy-key";
  /** The row of `public_keys`. */
  readonly keyId: number;
  /** By repository. */
  readonly grants: ReadonlyMap<number, DeployKeyGrant>;
  /** The address that the request came from. */
  readonly address?: string;
}

export interface DeployKeyGrant {
  /** The row of `deploy_keys`. */
  readonly deployKeyId: number;
  readonly title: string;
  readonly mode: "read" | "write";
}

export interface Credential {
  readonly kind: "password" | "token" | "key" | "session" | "oauth2" | "system";
  /** What the credential may do at most; a password may do all. */
  readonly scopes: ScopeSet;
  /** The row of `access_tokens`, for a token. */
  readonly tokenId?: number;
  /** A password of an account with a second factor: a code came with it. */
  readonly hasSecondFactor?: true;
  /** When a token ends; undefined for what has no end of its own. */
  readonly expiresMs?: number;
  /** Set for a token that acts on these repositories only: all others do not exist for it. */
  readonly limit?: RepositoryLimit;
  /** A browser's session, and when it was signed in to. */
  readonly session?: { readonly id: number; readonly startedMs: number };
  /** What the caller has granted an application, in the words in which it asked: they also say what it may know of him. */
  readonly grantedScopes?: readonly string[];
  /** True when it came in a Basic header, password or token alike (creating tokens needs that). */
  readonly isBasic: boolean;
}

/** The row and its repositories say the same: lists ask the one, a look-up the other. */
export interface RepositoryLimit {
  readonly tokenId: number;
  readonly repositoryIds: ReadonlySet<number>;
}

export const anonymous: AnonymousActor = { kind: "anonymous" };

/** Whoever runs the server's own commands: sees and may do everything, and is nobody's account. */
export const operator: UserActor = {
  kind: "user",
  id: 0,
  name: "",
  fullName: "",
  email: "",
  hideEmail: true,
  isAdmin: true,
  isRestricted: false,
  credential: { kind: "system", scopes: allScopes, isBasic: false },
};

export const isUser = (actor: Actor): actor is UserActor => actor.kind === "user";
export const isSiteAdmin = (actor: Actor): boolean => actor.kind === "user" && actor.isAdmin;
export const isSelf = (actor: Actor, accountId: number): boolean => actor.kind === "user" && actor.id === accountId;
/** A token of scope `public-only` sees nothing private, not even its owner's. */
export const seesPrivate = (actor: Actor): boolean => actor.kind === "user" && !actor.credential.scopes.publicOnly;
/** What bounds the actor to named repositories; undefined where nothing does. */
export const limitOf = (actor: Actor): RepositoryLimit | undefined => (actor.kind === "user" ? actor.credential.limit : undefined);
