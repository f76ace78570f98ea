import type { RepositorySubject } from "../../../../access/subjects.ts";
import { isForgeError, notFound } from "../../../../core/errors.ts";
import type { Db } from "../../../../db/db.ts";
import type { RawReply } from "../../../../http/answers.ts";
import { seeOther } from "../../../../http/form-submit.ts";
import { pageReader } from "../../../../http/page-reader.ts";
import { issueWorkPage } from "../../../../http/page-route.ts";
import { defineRoute, type Route } from "../../../../http/route.ts";
import { issuePath, pullPath } from "../../../../ui/addresses.ts";
import { renderRepositoryPage } from "../../../../ui/repository-page.tsx";
import { textsFor } from "../../../../ui/texts/texts.ts";
import { inPlace, int, text } from "../../../../wire/schema.ts";
import { repositoryHeader } from "../../../repositories/repos/header.ts";
import { getRepository } from "../../../repositories/repos/service/loaders.ts";
import { getComment } from "../conversation/service/comments.ts";
import { getIssue } from "../service/find.ts";
import { issueTexts } from "../texts/texts.ts";
import { createFromTask } from "./service/create-from-task.ts";
import { ChangedTextView } from "./views.tsx";

interface TextAddress {
  readonly number: string;
  readonly commentId: string | undefined;
}

/** Task items become issues. */
export const taskPages = (deps: { readonly db: Db }): Route[] => [
  defineRoute({
    ...issueWorkPage,
    id: "createIssueFromTask",
    method: "POST",
    path: "/{owner}/{repo}/issues/{index}/tasks",
    summary: "Create an issue from a task item, which becomes a reference to it",
    body: inPlace({ task: int(), comment: text(), content_version: int() }),
    handle: async (request) => {
      const { actor, repository, params, body } = request;
      const address = { number: params.index, commentId: body.comment === "" ? undefined : body.comment };
      try {
        await createFromTask(deps, actor, repository, { ...address, position: body.task, contentVersion: body.content_version });
        return seeOther((await readText(deps, repository, address)).path);
      } catch (error) {
        if (!isForgeError(error, "conflict")) throw error;
        const shown = await readText(deps, repository, address);
        const reader = pageReader(request);
        const header = repositoryHeader(await getRepository(deps, actor, repository.id));
        const title = textsFor(issueTexts, reader.languages).taskChanged;
        return renderRepositoryPage(
          { ...reader, repository: header, tab: shown.isPull ? "pulls" : "issues", title, heading: title, status: 409 },
          <ChangedTextView {...shown} />,
        ) satisfies RawReply;
      }
    },
  }),
];

/** A text with the path that shows it. */
async function readText(deps: { readonly db: Db }, repository: RepositorySubject, { number, commentId }: TextAddress) {
  const issue = await getIssue(deps, repository, number);
  const comment = commentId === undefined ? undefined : await getComment(deps, repository, commentId);
  if (commentId !== undefined && comment?.issue.id !== issue.id) throw notFound();
  const path = (issue.isPull ? pullPath : issuePath)(repository, issue.number);
  return {
    isPull: issue.isPull,
    content: comment === undefined ? issue.content : comment.content,
    path: `${path}#${comment === undefined ? "issue" : `issuecomment-${comment.id}`}`,
  };
}
