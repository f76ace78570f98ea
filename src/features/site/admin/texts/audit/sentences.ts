import type { Credential } from "../../../../../access/actor.ts";
import type { Mode } from "../../../../../access/repository.ts";
import type { AccessEventType } from "../../../../../events/access-events.ts";

/** Parameters of a sentence of the audit log: names with the markup of the page, details as text. */
export interface Audited<T> {
  /** The changed resource. */
  readonly it: T;
  /** The account whose access changed. */
  readonly whom: T;
  /** A detail of the entry as text; empty if the entry does not have it. */
  readonly fact: (name: string) => string;
  /** A detail that is a right, in the language of the page. */
  readonly right: (name: string) => string;
}

export type AuditSentence = <T>(audited: Audited<T>) => readonly (T | string)[];

/** A sentence for every kind of change. A new kind without a sentence does not compile. */
export type AuditSentences = { readonly [Type in AccessEventType]: AuditSentence };

/** Filters of the log: all actions of one subject. */
export type AuditSubjects = { readonly [Type in AccessEventType as Type extends `${infer Subject}.${string}` ? Subject : never]: string };

/** Kinds of credentials. */
export type AuditCarriers = Readonly<Record<Exclude<Credential["kind"], "system"> | "cli" | "system", string>>;

/** Rights in a repository. */
export type AuditRights = Readonly<Record<Mode, string>>;
