import { escapeHtml } from "../../../core/escape-html.ts";
import type { RenderContext } from "./context.ts";

/** A reference to an object of this server, with the names from the text. The object may not exist. */
export type Reference =
  | { readonly kind: "account"; readonly name: string }
  | { readonly kind: "issue"; readonly owner: string; readonly repository: string; readonly index: number }
  | { readonly kind: "commit"; readonly owner: string; readonly repository: string; readonly oid: string };

/**
 * Decides which references become links for the reader, in order. Called once per text. This is the only place where a reader's
 * access matters; a rejected reference stays plain text.
 */
export type ReferenceResolver = (references: readonly Reference[]) => Promise<readonly boolean[]>;

/**
 * Links references that need no lookup: an issue's address only repeats the text. Links to accounts and commits would reveal that
 * they exist, so they need a resolver that knows the reader.
 */
export const byPattern: ReferenceResolver = async (references) => references.map(({ kind }) => kind === "issue");

/** A reference with its text. */
export interface FoundReference {
  readonly reference: Reference;
  readonly text: string;
}

/** Further references stay text. */
export const maxReferences = 1_000;

const name = "[A-Za-z0-9_.-]{1,100}";
const account = String.raw`@(?<account>[A-Za-z0-9](?:[A-Za-z0-9_.-]{0,98}[A-Za-z0-9_])?)(?![\w/@])`;
const issue = String.raw`(?:(?<owner>${name})\/(?<repository>${name}))?[#!](?<index>[1-9]\d{0,14})(?!\w)`;
const commit = String.raw`(?:(?<commitOwner>${name})\/(?<commitRepository>${name})@)?(?<oid>[0-9a-f]{7,64})(?![\w-])`;
const pattern = new RegExp(String.raw`(?<![\w/@#&.!-])(?:${account}|${issue}|${commit})`, "g");

/** A part of a text: words, or a reference. */
export type TextPart = string | FoundReference;

/** Finds the references of a text in its context. */
export function findReferences(text: string, context: RenderContext): TextPart[] {
  const parts: TextPart[] = [];
  let from = 0;
  for (const match of text.matchAll(pattern)) {
    const reference = referenceOf(match.groups ?? {}, context);
    if (reference === undefined) continue;
    if (match.index > from) parts.push(text.slice(from, match.index));
    parts.push({ reference, text: match[0] });
    from = match.index + match[0].length;
  }
  if (from < text.length) parts.push(text.slice(from));
  return parts;
}

function referenceOf(groups: Readonly<Record<string, string | undefined>>, context: RenderContext): Reference | undefined {
  const { account, index, oid } = groups;
  if (account !== undefined) return { kind: "account", name: account };
  if (index !== undefined) {
    const { owner, repository } = groups;
    if (owner !== undefined && repository !== undefined)
      return isDots(owner) || isDots(repository) ? undefined : { kind: "issue", owner, repository, index: Number(index) };
    // @compat `#1` is ambiguous in a document: only comments and wiki pages use the short form for issues (markup/references.test.ts)
    if (context.repository === undefined || context.kind === "document") return undefined;
    return { kind: "issue", owner: context.repository.owner, repository: context.repository.name, index: Number(index) };
  }
  if (oid === undefined || !isObjectId(oid)) return undefined;
  const owner = groups.commitOwner ?? context.repository?.owner;
  const repository = groups.commitRepository ?? context.repository?.name;
  return owner === undefined || repository === undefined || isDots(owner) || isDots(repository) ? undefined : { kind: "commit", owner, repository, oid };
}

/** `.` and `..` are path segments, not names. */
const isDots = (text: string): boolean => /^\.+$/.test(text);

/** Abbreviations that are plain numbers or words are not taken for commits. */
const isObjectId = (text: string): boolean => text.length === 64 || text.length === 40 || (text.length < 40 && /\d/.test(text) && /[a-f]/.test(text));

/** Number of digits shown of an object id. */
const shownDigits = 10;

export function linkReference({ reference, text }: FoundReference, origin: string): string {
  const attributes = (path: string) => `data-markdown-generated-content="" href="${escapeHtml(`${origin}/${path}`)}" rel="nofollow"`;
  switch (reference.kind) {
    case "account":
      return `<a ${attributes(reference.name)}>${escapeHtml(text)}</a>`;
    case "issue": {
      const folder = text.includes("!") ? "pulls" : "issues";
      return `<a class="ref-issue" ${attributes(`${reference.owner}/${reference.repository}/${folder}/${reference.index}`)}>${escapeHtml(text)}</a>`;
    }
    case "commit": {
      const shown = text.slice(0, text.length - reference.oid.length) + reference.oid.slice(0, shownDigits);
      return `<a ${attributes(`${reference.owner}/${reference.repository}/commit/${reference.oid}`)}><code>${escapeHtml(shown)}</code></a>`;
    }
  }
}
