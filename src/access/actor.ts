import { allScopes, type ScopeSet } from "./scopes.ts";

/** The caller of a request, with everything that policies evaluate. Loaded once per request. */
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
  /** A restricted user sees only explicitly granted repositories, not public ones. */
  readonly isRestricted: boolean;
  readonly credential: Credential;
  /** Display settings of a user in a browser; empty values are not set. */
  readonly display?: { readonly avatar: string; readonly language: string; readonly theme: string; readonly diffStyle: string };
  /** Remote IP address; absent for work that did not come over a network. */
  readonly address?: string;
  /** The administrator who acts as this user (`Sudo`). */
  readonly impersonator?: { readonly id: number; readonly name: string };
}

/** A deploy key. It is not a user, and can access only the code of its repositories. */
export interface DeployKeyActor {
  readonly kind: "deploy-key";
  /** Id in `public_keys`. */
  readonly keyId: number;
  /** By repository id. */
  readonly grants: ReadonlyMap<number, DeployKeyGrant>;
  /** Remote IP address. */
  readonly address?: string;
}

export interface DeployKeyGrant {
  /** Id in `deploy_keys`. */
  readonly deployKeyId: number;
  readonly title: string;
  readonly mode: "read" | "write";
}

export interface Credential {
  readonly kind: "password" | "token" | "key" | "session" | "oauth2" | "system" | "job";
  /** Upper bound of the credential's permissions; a password has all scopes. */
  readonly scopes: ScopeSet;
  /** Id in `access_tokens`, for a token. */
  readonly tokenId?: number;
  /** A password together with a valid second-factor code. */
  readonly hasSecondFactor?: true;
  /** Expiry of a token; undefined if it does not expire. */
  readonly expiresMs?: number;
  /** Set for a token restricted to these repositories: to it, all others do not exist. */
  readonly limit?: RepositoryLimit;
  /** A browser session and its sign-in time. */
  readonly session?: { readonly id: number; readonly startedMs: number };
  /** Scopes granted to an OAuth2 application, as requested; they also control which profile claims it receives. */
  readonly grantedScopes?: readonly string[];
  /** The token of a running job. */
  readonly job?: JobGrant;
  /** True for HTTP Basic authentication, with a password or a token (creating tokens requires it). */
  readonly isBasic: boolean;
}

/** The rights of a job's token on the repository of its workflow, by unit. It reads public repositories too. */
export interface JobGrant {
  /** Id in `action_tasks`. */
  readonly taskId: number;
  readonly repoId: number;
  readonly units: ReadonlyMap<string, "read" | "write">;
}

/** Both members describe the same repositories: lists use the row in SQL, lookups use the set. */
export interface RepositoryLimit {
  readonly tokenId: number;
  readonly repositoryIds: ReadonlySet<number>;
}

export const anonymous: AnonymousActor = { kind: "anonymous" };

/** The operator, who runs the server's own commands: has all permissions, and no account. */
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
/** A token with the scope `public-only` sees no private data, not even its owner's. */
export const seesPrivate = (actor: Actor): boolean => actor.kind === "user" && !actor.credential.scopes.publicOnly;
/** The job whose token the actor uses. */
export const jobOf = (actor: Actor): JobGrant | undefined => (actor.kind === "user" ? actor.credential.job : undefined);
/** The repositories that the actor is restricted to; undefined if unrestricted. */
export const limitOf = (actor: Actor): RepositoryLimit | undefined => (actor.kind === "user" ? actor.credential.limit : undefined);
