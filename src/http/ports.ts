import type { Actor, UserActor } from "../access/actor.ts";
import type { AccountSubject, Found, Identified, OrganizationSubject, ReadAhead, RepositoryPath, RepositorySubject, TeamSubject } from "../access/subjects.ts";
import type { PageReader } from "./page-reader.ts";

/**
 * The functions of the features that the HTTP layer needs to get from a request to its handler. The composition root provides them.
 * All throw ForgeErrors for missing resources. Account states that forbid a call (prohibited login, password change required) throw
 * `forbidden`.
 */
export interface Identities {
  /**
   * The owner of an access token; undefined for an unknown token.
   * @param options `repository`: the repository in the path of the request, which can be read with the token
   */
  byToken(token: string, options: { readonly isBasic: boolean; readonly repository?: RepositoryPath | undefined }): Promise<Identified | undefined>;
  /** Undefined for a wrong login or password; both take the same time. */
  byPassword(credentials: {
    readonly login: string;
    readonly password: string;
    readonly otp: string | undefined;
    readonly remoteAddress: string;
  }): Promise<UserActor | undefined>;
  /** The user of a browser session; undefined for an unknown or expired session. */
  bySession(secret: string): Promise<UserActor | undefined>;
  /** The user that an administrator acts as; undefined for an unknown name. */
  bySudo(name: string, administrator: UserActor): Promise<UserActor | undefined>;
}

/** Drafts of unsent forms. */
export interface Drafts {
  /** Deletes the draft of a form after it has been submitted. */
  taken(actor: UserActor, path: string): Promise<void>;
}

export interface ErrorPageInput {
  readonly status: number;
  readonly message: string;
  readonly requestId: string;
  readonly reader: PageReader;
  /** Texts of the refused form. */
  readonly typed?: readonly string[] | undefined;
  /** Leads back to the requested page after signing in. */
  readonly signInAddress: string;
}

/** Rendering of error pages. */
export interface ErrorPages {
  /** An error page with the reason; all input is escaped. */
  refusal(input: ErrorPageInput): { readonly headers: Readonly<Record<string, string>>; readonly body: string };
}

export interface Subjects {
  account(name: string, actor: Actor): Promise<Found<AccountSubject>>;
  organization(name: string, actor: Actor): Promise<Found<OrganizationSubject>>;
  /** Ids never change, so this does not throw Moved. */
  team(id: number, actor: UserActor): Promise<TeamSubject>;
  /** @param readAhead the repository as this actor sees it, if it was read with their credentials */
  repository(owner: string, name: string, actor: Actor, readAhead?: ReadAhead): Promise<Found<RepositorySubject>>;
}
