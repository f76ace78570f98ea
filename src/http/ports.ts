import type { Actor, UserActor } from "../access/actor.ts";
import type { AccountSubject, Found, OrganizationSubject, RepositorySubject, TeamSubject } from "../access/subjects.ts";
import type { PageReader } from "./page-reader.ts";

/**
 * What the kit needs of the features to get from a request to its handler. The composition root brings them together.
 * All throw ForgeErrors for what cannot be found; account states that forbid a call (prohibited, password to be changed) throw `forbidden`.
 */
export interface Identities {
  /** The owner of an access token; undefined when there is no such token. */
  byToken(token: string, options: { readonly isBasic: boolean }): Promise<UserActor | undefined>;
  /** Undefined for a wrong login or password, alike in answer and time. */
  byPassword(credentials: {
    readonly login: string;
    readonly password: string;
    readonly otp: string | undefined;
    readonly remoteAddress: string;
  }): Promise<UserActor | undefined>;
  /** Who a browser's session belongs to; undefined when it has ended, or there never was one. */
  bySession(secret: string): Promise<UserActor | undefined>;
  /** Somebody whom an administrator acts as; undefined when there is nobody of that name. */
  bySudo(name: string, administrator: UserActor): Promise<UserActor | undefined>;
}

/** What people have typed into forms and not sent. */
export interface Drafts {
  /** The form at this path was taken: what was kept of it goes. */
  taken(actor: UserActor, path: string): Promise<void>;
}

export interface ErrorPageInput {
  readonly status: number;
  readonly message: string;
  readonly requestId: string;
  readonly reader: PageReader;
  /** Leads back to what was asked for. */
  readonly signInAddress: string;
}

/** How errors look to people. */
export interface ErrorPages {
  /** A page that tells why; nothing in it is trusted. */
  refusal(facts: ErrorPageInput): { readonly headers: Readonly<Record<string, string>>; readonly body: string };
}

export interface Subjects {
  account(name: string, actor: Actor): Promise<Found<AccountSubject>>;
  organization(name: string, actor: Actor): Promise<Found<OrganizationSubject>>;
  /** Numbers never change, so nothing moves. */
  team(id: number, actor: UserActor): Promise<TeamSubject>;
  repository(owner: string, name: string, actor: Actor): Promise<Found<RepositorySubject>>;
}
