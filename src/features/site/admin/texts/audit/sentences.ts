import type { Credential } from "../../../../../access/actor.ts";
import type { Mode } from "../../../../../access/repository.ts";
import type { AccessEventType } from "../../../../../events/access-events.ts";

/** What a sentence of the audit log is about: names as the page marks them up, facts as words. */
export interface Audited<T> {
  /** What was changed. */
  readonly it: T;
  /** Whose access it is. */
  readonly whom: T;
  /** A detail of the entry in words; empty where it has none. */
  readonly fact: (name: string) => string;
  /** The same of one that says what somebody may do. */
  readonly right: (name: string) => string;
}

export type AuditSentence = <T>(audited: Audited<T>) => readonly (T | string)[];

/** A sentence for every change of access: one that is new does not compile without. */
export type AuditSentences = { readonly [Type in AccessEventType]: AuditSentence };

/** What the log can be narrowed to: all actions of one subject. */
export type AuditSubjects = { readonly [Type in AccessEventType as Type extends `${infer Subject}.${string}` ? Subject : never]: string };

/** How whoever did it proved who he is. */
export type AuditCarriers = Readonly<Record<Exclude<Credential["kind"], "system"> | "cli" | "system", string>>;

/** What somebody may do in a repository. */
export type AuditRights = Readonly<Record<Mode, string>>;
