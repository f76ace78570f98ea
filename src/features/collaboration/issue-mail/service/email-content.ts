import type { Actor } from "../../../../access/actor.ts";
import { atLeast } from "../../../../access/repository.ts";
import type { RepositorySubject } from "../../../../access/subjects.ts";
import { isForgeError } from "../../../../core/errors.ts";
import type { Db } from "../../../../db/db.ts";
import type { GitStores } from "../../../../git/stores.ts";
import { findRepositoryById } from "../../../repositories/repos/service/find.ts";
import { getComment } from "../../issues/conversation/service/comments.ts";
import type { IssueRow } from "../../issues/model.ts";
import { requireIssue } from "../../issues/service/find.ts";
import { findPull } from "../../pulls/service/find.ts";
import { type HeadPush, listPushedCommits } from "../../pulls/service/pushed-commits.ts";
import { readSubmittedReview } from "../../reviews/service/submitted.ts";
import type { IssueNews } from "../model.ts";
import type { IssueEmailTexts } from "../texts/texts.ts";

export interface EmailContentDeps {
  readonly db: Db;
  readonly git: GitStores;
}

/** A part of the email's text with its format. */
export interface Words {
  readonly as: "markdown" | "plain" | "literal";
  readonly text: string;
}

/** Content of an email for one reader. */
export interface EmailContent {
  readonly repository: RepositorySubject;
  readonly issue: IssueRow;
  readonly words: readonly Words[];
}

/** Maximum number of listed commits of a push. */
const maxCommits = 20;
const shortOid = 10;
const maxSubject = 200;

/** Loads the issue for a reader, with the comment, review or commits of the news; undefined if deleted or hidden from them. */
export async function loadEmailContent(deps: EmailContentDeps, reader: Actor, news: IssueNews, texts: IssueEmailTexts): Promise<EmailContent | undefined> {
  try {
    const repository = await findRepositoryById(deps, news.repoId, reader);
    const issue = await requireIssue(deps, repository, news.number);
    if (issue.id !== news.issueId) return undefined;
    const words = await wordsOf(deps, { repository, issue, news, texts });
    return words && { repository, issue, words };
  } catch (error) {
    if (isForgeError(error, "not_found")) return undefined;
    throw error;
  }
}

interface EmailSource {
  readonly repository: RepositorySubject;
  readonly issue: IssueRow;
  readonly news: IssueNews;
  readonly texts: IssueEmailTexts;
}

const markdown = (text: string): readonly Words[] => [{ as: "markdown", text }];

async function wordsOf(deps: EmailContentDeps, source: EmailSource): Promise<readonly Words[] | undefined> {
  const { repository, issue, news, texts } = source;
  const readsCode = atLeast(repository.right.unit("repo.code"), "read");
  if (news.reviewId !== null) return wordsOfReview(deps, issue.id, { reviewId: news.reviewId, readsCode }, texts);
  if (news.commentId !== null) {
    const comment = await getComment(deps, repository, String(news.commentId));
    return comment && markdown(comment.content);
  }
  switch (news.happening) {
    case "created":
    case "requested":
    case "assigned":
    case "mentioned":
      return markdown(issue.content);
    case "pushed":
      return news.push === null || !readsCode ? [] : wordsOfPush(deps, source, news.push);
    default:
      return [];
  }
}

/** @param readsCode false leaves out the lines of the files that comments are about */
async function wordsOfReview(
  deps: EmailContentDeps,
  issueId: number,
  { reviewId, readsCode }: { readonly reviewId: number; readonly readsCode: boolean },
  texts: IssueEmailTexts,
): Promise<readonly Words[] | undefined> {
  const review = await readSubmittedReview(deps, issueId, reviewId);
  if (review === undefined) return undefined;
  const comments = review.comments.flatMap(({ path, line, hunk, content }): readonly Words[] => [
    { as: "plain", text: texts.atLine(path, line) },
    ...(readsCode ? [{ as: "literal", text: hunk } as const] : []),
    ...markdown(content),
  ]);
  return [...markdown(review.content), ...comments];
}

async function wordsOfPush(deps: EmailContentDeps, { repository, news, texts }: EmailSource, push: HeadPush): Promise<readonly Words[]> {
  const pull = await findPull(deps, repository, news.number);
  const commits = await listPushedCommits(deps, repository, pull, push, maxCommits + 1);
  const lines = commits.slice(0, maxCommits).map(({ oid, message }) => `${oid.slice(0, shortOid)} ${message.split("\n", 1)[0]?.slice(0, maxSubject) ?? ""}`);
  return [{ as: "literal", text: [...lines, ...(commits.length > maxCommits ? [texts.moreCommits] : [])].join("\n") }];
}
