import { lengths } from "../../../core/lengths.ts";
import type { MergeStyle } from "../../../db/tables/pulls.ts";
import type { Signature } from "../../../git/types.ts";

/** Facts for the message of a merge. */
export interface MergeMessageInput {
  readonly number: number;
  readonly title: string;
  readonly description: string;
  readonly posterName: string;
  readonly base: { readonly ownerName: string; readonly name: string; readonly branch: string };
  /** Undefined: the repository is deleted. */
  readonly head: { readonly ownerName: string; readonly name: string; readonly branch: string } | undefined;
  readonly page: string;
  /** `#3, #4`: the issues that the merge closes. */
  readonly closingIssues: string;
}

/** Default title of a merge commit. */
export function defaultTitle(style: MergeStyle, { number, title, base, head }: MergeMessageInput): string {
  if (style === "squash") return `${title} (#${number})`;
  const isFork = head !== undefined && (head.ownerName !== base.ownerName || head.name !== base.name);
  const from = head === undefined ? "a deleted branch" : isFork ? `${head.ownerName}/${head.name}:${head.branch}` : head.branch;
  return `Merge pull request '${title}' (#${number}) from ${from} into ${base.branch}`;
}

/** Path of a repository's message template for a merge style, on its default branch. */
export const templatePath = (style: MergeStyle): string => `.gitea/default_merge_message/${style.toUpperCase()}_TEMPLATE.md`;

/** Replaces the variables of a template (`${PullRequestTitle}`); leaves unknown ones unchanged. */
export function fillTemplate(template: string, input: MergeMessageInput): string {
  const values: Readonly<Record<string, string>> = {
    BaseRepoOwnerName: input.base.ownerName,
    BaseRepoName: input.base.name,
    BaseBranch: input.base.branch,
    HeadRepoOwnerName: input.head?.ownerName ?? "",
    HeadRepoName: input.head?.name ?? "",
    HeadBranch: input.head?.branch ?? "",
    PullRequestTitle: input.title,
    PullRequestDescription: input.description,
    PullRequestPosterName: input.posterName,
    PullRequestIndex: String(input.number),
    PullRequestReference: `#${input.number}`,
    ReviewedOn: `Reviewed-on: ${input.page}`,
    ClosingIssues: input.closingIssues,
  };
  return template.replace(/\$\{(\w+)\}|\$(\w+)/g, (whole, braced: string | undefined, plain: string | undefined) => values[braced ?? plain ?? ""] ?? whole);
}

/** Joins title and body of a message. */
export function joinMessage(title: string, text: string): string {
  const [first = "", ...more] = title.slice(0, lengths.title).split("\n");
  const body = [more.join("\n").trim(), text.trim()].filter((part) => part !== "").join("\n\n");
  return body === "" ? `${first}\n` : `${first}\n\n${body}\n`;
}

/** Title and body of a message, for separate fields. */
export interface SplitMessage {
  readonly title: string;
  readonly message: string;
}

export type DefaultMessages = ReadonlyMap<MergeStyle, SplitMessage>;

export function splitMessage(text: string): SplitMessage {
  const [title = "", ...rest] = text.split("\n");
  return { title, message: rest.join("\n").trim() };
}

/**
 * The message of a form that was filled with the defaults of one style: empty if the user left them unchanged, so that the default of the
 * chosen style applies.
 */
export function typedMessage(typed: SplitMessage, filled: SplitMessage | undefined): SplitMessage {
  const message = typed.message.replaceAll("\r\n", "\n");
  const isUnchanged = filled !== undefined && typed.title === filled.title && message.trim() === filled.message;
  return isUnchanged ? { title: "", message: "" } : { title: typed.title, message };
}

/** Trailers for all authors of squashed commits except the author of the resulting commit. */
export function coAuthors(authors: readonly Signature[], author: Signature): string {
  const lines = authors
    .filter(({ email }) => email.toLowerCase() !== author.email.toLowerCase())
    .map(({ name, email }) => `Co-authored-by: ${name} <${email}>`);
  return [...new Set(lines)].join("\n");
}
