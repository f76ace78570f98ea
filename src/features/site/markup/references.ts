import type { RenderContext } from "./context.ts";
import { escapeHtml } from "./escape.ts";

/** Something of this server that a text names. Names are as the text has them: nothing is known of what they stand for. */
export type Reference =
  | { readonly kind: "account"; readonly name: string }
  | { readonly kind: "issue"; readonly owner: string; readonly repository: string; readonly index: number }
  | { readonly kind: "commit"; readonly owner: string; readonly repository: string; readonly oid: string };

/**
 * Says which references become links for the reader of a text, in their order. It is asked once for all of a text,
 * and is the only place where a reader's rights come in: a reference that it refuses stays plain text.
 */
export type ReferenceResolver = (references: readonly Reference[]) => Promise<readonly boolean[]>;

/**
 * Links what a pattern alone tells and nothing about which anything must be looked up: an issue's address repeats what the text says.
 * Accounts and commits would tell of their existence, so they are left to a resolver that knows the reader.
 */
export const byPattern: ReferenceResolver = async (references) => references.map(({ kind }) => kind === "issue");

/** A reference and the words that the text has for it. */
export interface FoundReference {
  readonly reference: Reference;
  readonly text: string;
}

/** More of them are left as text. */
export const maxReferences = 1_000;

const name = "[A-Za-z0-9_.-]{1,100}";
const account = String.raw`@(?<account>[A-Za-z0-9](?:[A-Za-z0-9_.-]{0,98}[A-Za-z0-9_])?)(?![\w/@])`;
const issue = String.raw`(?:(?<owner>${name})\/(?<repository>${name}))?[#!](?<index>[1-9]\d{0,14})(?!\w)`;
const commit = String.raw`(?:(?<commitOwner>${name})\/(?<commitRepository>${name})@)?(?<oid>[0-9a-f]{7,64})(?![\w-])`;
const pattern = new RegExp(String.raw`(?<![\w/@#&.!-])(?:${account}|${issue}|${commit})`, "g");

/** A part of a text: words, or a reference. */
export type TextPart = string | FoundReference;

/** Finds the references of a text that stands in a context. */
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
    // @compat a document's `#1` may be anything: only comments and wiki pages speak of issues that briefly.
    if (context.repository === undefined || context.kind === "document") return undefined;
    return { kind: "issue", owner: context.repository.owner, repository: context.repository.name, index: Number(index) };
  }
  if (oid === undefined || !isObjectId(oid)) return undefined;
  const owner = groups.commitOwner ?? context.repository?.owner;
  const repository = groups.commitRepository ?? context.repository?.name;
  return owner === undefined || repository === undefined || isDots(owner) || isDots(repository) ? undefined : { kind: "commit", owner, repository, oid };
}

/** Parts of a path that climbs, not names. */
const isDots = (text: string): boolean => /^\.+$/.test(text);

/** Abbreviations that are numbers or words are not meant as commits. */
const isObjectId = (text: string): boolean => text.length === 64 || text.length === 40 || (text.length < 40 && /\d/.test(text) && /[a-f]/.test(text));

/** Digits of an object id that are shown. */
const shownDigits = 10;

/** The link of a reference. */
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
