import { findReferences } from "../../../site/markup/references.ts";
import type { RefAction } from "../conversation/comment-payload.ts";

/** A referenced issue with its action. */
export interface IssueReference {
  readonly owner: string;
  readonly repository: string;
  readonly number: number;
  readonly action: Exclude<RefAction, "neutered">;
}

export interface TeamReference {
  readonly organization: string;
  readonly team: string;
}

export interface TextReferences {
  /** Account names, each once, as spelled in the text. */
  readonly accounts: readonly string[];
  readonly teams: readonly TeamReference[];
  /** Each issue once; an action overrides none. */
  readonly issues: readonly IssueReference[];
}

/** Limits per kind, so that one text cannot notify everyone. */
const maxAccounts = 50;
const maxTeams = 5;
const maxIssues = 50;

const nothing: TextReferences = { accounts: [], teams: [], issues: [] };

const closing = /(?<![\w-])(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?)[ \t]*:?\s+$/i;
const reopening = /(?<![\w-])reopen(?:s|ed)?[ \t]*:?\s+$/i;
const team =
  /(?<![\w/@#&.!-])@(?<organization>[A-Za-z0-9](?:[A-Za-z0-9_.-]{0,98}[A-Za-z0-9_])?)\/(?<team>[A-Za-z0-9](?:[A-Za-z0-9_.-]{0,98}[A-Za-z0-9_])?)(?![\w/])/g;

/** Length of the text before a reference that is searched for a keyword with its spaces. */
const longestKeyword = 40;
/** Longest searched text, in characters. */
const maxTextLength = 200_000;

/**
 * Finds references in a repository's issues, comments and commit messages. This is the only parser for them.
 * `#12`, `!12` and `owner/repo#3`, `@user`, `@organization/team`; a keyword directly before an issue (`closes #12`, `Fixes: #12`) closes
 * it.
 */
export function readReferences(text: string, repository: { readonly owner: string; readonly name: string }): TextReferences {
  if (!/[@#!]/.test(text)) return nothing;
  const prose = stripCodeAndComments(text.slice(0, maxTextLength));
  const accounts = new Map<string, string>();
  const issues = new Map<string, IssueReference>();
  let before = "";
  for (const part of findReferences(prose, { kind: "comment", origin: "", repository, ref: "", folder: "" })) {
    if (typeof part === "string") {
      before = part.slice(-longestKeyword);
      continue;
    }
    const { reference } = part;
    if (reference.kind === "account" && accounts.size < maxAccounts && !accounts.has(reference.name.toLowerCase()))
      accounts.set(reference.name.toLowerCase(), reference.name);
    if (reference.kind === "issue") {
      const action = closing.test(before) ? "closes" : reopening.test(before) ? "reopens" : "none";
      const key = `${reference.owner}/${reference.repository}#${reference.index}`.toLowerCase();
      const known = issues.get(key);
      if (known === undefined ? issues.size < maxIssues : known.action === "none")
        issues.set(key, { owner: reference.owner, repository: reference.repository, number: reference.index, action });
    }
    before = "";
  }
  const teams = [...prose.matchAll(team)].slice(0, maxTeams).map(({ groups }) => ({ organization: groups?.organization ?? "", team: groups?.team ?? "" }));
  return { accounts: [...accounts.values()], teams, issues: [...issues.values()] };
}

/**
 * Removes fenced blocks, code spans and comments from Markdown, since references in them do not count. Runs in linear time for any input.
 */
const stripCodeAndComments = (text: string): string =>
  withoutFences(withoutComments(text))
    .split(/\n[ \t]*\n/)
    .map(withoutSpans)
    .join("\n\n");

function withoutComments(text: string): string {
  let kept = "";
  let from = 0;
  for (;;) {
    const start = text.indexOf("<!--", from);
    const end = start < 0 ? -1 : text.indexOf("-->", start + 4);
    if (end < 0) return kept + text.slice(from);
    kept += `${text.slice(from, start)} `;
    from = end + 3;
  }
}

function withoutFences(text: string): string {
  const kept: string[] = [];
  let fence: string | undefined;
  for (const line of text.split("\n")) {
    const [, mark] = /^ {0,3}(`{3,}|~{3,})/.exec(line) ?? [];
    if (fence === undefined) {
      // The info string of a backtick fence contains no backticks; otherwise the line is a code span.
      if (mark !== undefined && !(mark.startsWith("`") && line.includes("`", line.indexOf(mark) + mark.length))) fence = mark;
      kept.push(fence === undefined ? line : "");
    } else if (mark?.startsWith(fence) && line.trim() === mark) fence = undefined;
  }
  return kept.join("\n");
}

/** A run of backticks opens a span that ends at the next run of the same length. */
function withoutSpans(paragraph: string): string {
  const runs = [...paragraph.matchAll(/`+/g)].map(({ index, 0: { length } }) => ({ index, length }));
  if (runs.length < 2) return paragraph;
  const last = new Map<number, number>();
  for (const [at, run] of runs.entries()) last.set(run.length, at);
  let kept = "";
  let from = 0;
  for (let at = 0; at < runs.length; at += 1) {
    const opening = runs[at];
    if (opening === undefined || (last.get(opening.length) ?? at) <= at) continue;
    let end = at + 1;
    while (runs[end]?.length !== opening.length) end += 1;
    kept += `${paragraph.slice(from, opening.index)} `;
    from = (runs[end]?.index ?? 0) + opening.length;
    at = end;
  }
  return kept + paragraph.slice(from);
}
