import type { RepositorySubject } from "../../../../access/subjects.ts";
import { isForgeError } from "../../../../core/errors.ts";
import { readId } from "../../../../core/ids.ts";
import type { Explained } from "../../../../core/reasons.ts";
import { repository } from "../../../../http/access.ts";
import { raw } from "../../../../http/answers.ts";
import { diffQuery } from "../../../../http/diff-query.ts";
import { seeOther } from "../../../../http/form-submit.ts";
import { pageReader } from "../../../../http/page-reader.ts";
import { query } from "../../../../http/query.ts";
import { defineRoute, type Route } from "../../../../http/route.ts";
import { pullPath, withQuery } from "../../../../ui/addresses.ts";

import { inPlace, list, text } from "../../../../wire/schema.ts";
import { editSettings } from "../../../accounts/users/service/settings.ts";
import { anchorOf } from "../../../repositories/diffs/views/looking.ts";
import { findPull } from "../../pulls/service/find.ts";
import { applySuggestions } from "../service/apply-suggestions.ts";
import { removeReview, setResolved } from "../service/change.ts";
import { commentOnLines, replyTo } from "../service/line-comments.ts";
import { createReview } from "../service/submit.ts";
import { readOwnProgress } from "../service/threads.ts";
import { setViewed } from "../service/viewed.ts";
import { filesPath, readFilesState } from "../views/files-address.ts";
import { type Verdict, verdicts } from "../views/review-form.tsx";
import { explain, type FilesPageDeps, type FilesRequest, type FilesShown, filesPage, isRefusal, shownFiles, shownFilesQuery, statusOf } from "./files-page.tsx";

const page = { mount: "root", tag: "issue", isUnlisted: true, isPage: true, scope: "repository", answers: raw(["text/html"]) } as const;
const one = "/{owner}/{repo}/pulls/{index}/files";
const stateQuery = { ...diffQuery, range: query.text("Returns to the changes of these commits: `oid`, or `first..last`") } as const;
const acts = { ...page, method: "POST", access: repository.signedIn({ archived: "refused" }), query: stateQuery } as const;
const talking = { ...stateQuery, back: query.integer("The page of the pull request's conversation to return to; defaults to the files") } as const;
const LineForm = inPlace({
  head: text(),
  file: text(),
  path: text(),
  side: text(),
  line: text(),
  start_line: text(),
  content: text(),
  action: text(),
});

/** The changes of a pull request, with comments and reviews. */
export const reviewPages = (deps: FilesPageDeps): Route[] => {
  return [
    defineRoute({
      ...page,
      id: "pullFilesPage",
      isExpensive: true,
      method: "GET",
      access: repository.reader("repo.pulls"),
      path: one,
      summary: "The changes of a pull request",
      query: shownFilesQuery,
      handle: (request) => filesPage(deps, request, shownFiles({ ...request.query, range: undefined })),
    }),
    defineRoute({
      ...acts,
      id: "commentOnLines",
      path: `${one}/comments`,
      summary: "Comment on lines, immediately or with a review",
      body: LineForm,
      handle: async (request) => {
        const { actor, repository, params, body } = request;
        const state = readFilesState(request.query);
        const side = body.side === "old" ? "old" : "new";
        const line = readId(body.line);
        const startLine = body.start_line === "" ? line : readId(body.start_line);
        const content = body.content;
        const comment = {
          path: body.path,
          side,
          line,
          startLine,
          content,
          seenOid: body.head,
          isPending: body.action === "review",
          range: state.range,
        } as const;
        const index = readId(body.file);
        return orAgain(
          deps,
          request,
          async () =>
            `${filesPath(repository, Number(params.index), state)}#issuecomment-${await commentOnLines(deps, actor, repository, params.index, comment)}`,
          (problem) => ({ state, only: index, writing: { index, side, line, startLine, content, problem } }),
        );
      },
    }),
    defineRoute({
      ...acts,
      id: "answerOnLines",
      path: `${one}/comments/{id}`,
      summary: "Reply to, resolve or reopen a conversation on lines",
      query: talking,
      body: inPlace({ action: text(), content: text() }),
      handle: async (request) => {
        const { actor, repository, params, body } = request;
        const state = readFilesState(request.query);
        const commentId = readId(params.id);
        if (body.action !== "reply") {
          await setResolved(deps, actor, repository, params.id, body.action === "resolve");
          return seeOther(backTo(request, commentId));
        }
        const content = body.content;
        return orAgain(
          deps,
          request,
          async () => backTo(request, await replyTo(deps, actor, repository, { number: params.index, id: params.id }, content)),
          (problem) => ({ state, commentId, refusedReply: { commentId, content, problem } }),
        );
      },
    }),
    defineRoute({
      ...acts,
      id: "applySuggestions",
      path: `${one}/suggestions`,
      summary: "Commit suggested changes to the head in one commit",
      query: talking,
      body: inPlace({ ids: list(text()), title: text() }),
      handle: async (request) => {
        const { actor, repository, params, body } = request;
        const state = readFilesState(request.query);
        const fields = { commentIds: body.ids.map(readId), title: body.title };
        return orAgain(
          deps,
          request,
          async () => {
            await applySuggestions(deps, actor, repository, params.index, fields);
            return backTo(request, fields.commentIds[0]);
          },
          (problem) => ({ state, commentId: fields.commentIds[0], refusedSuggestions: { ...fields, problem } }),
        );
      },
    }),
    defineRoute({
      ...acts,
      id: "sendReview",
      path: `${one}/review`,
      summary: "Submit a review with its pending comments, or discard it",
      body: inPlace({ head: text(), verdict: text(), content: text(), action: text() }),
      handle: async (request) => {
        const { actor, repository, params, body } = request;
        const state = readFilesState(request.query);
        const number = Number(params.index);
        if (body.action === "discard") {
          const { pending } = await readOwnProgress(deps, actor, await findPull(deps, repository, params.index));
          if (pending !== undefined) await removeReview(deps, actor, repository, { number: params.index, id: String(pending.id) });
          return seeOther(filesPath(repository, number, state));
        }
        const content = body.content;
        const kind = isVerdict(body.verdict) ? body.verdict : "comment";
        const send = async (): Promise<string> => {
          const review = await sendReview(deps, request, { kind, content, seenOid: body.head });
          return `${filesPath(repository, number, state).replace(/\/files.*$/, "")}${review === null ? "" : `#issuecomment-${review}`}`;
        };
        return orAgain(deps, request, send, (problem) => ({ state, refusedReview: { verdict: kind, content, problem } }));
      },
    }),
    defineRoute({
      ...acts,
      id: "markViewed",
      path: `${one}/viewed`,
      summary: "Mark a file as viewed, or remove the mark",
      body: inPlace({ key: text(), viewed: text(), place: text() }),
      handle: async ({ actor, repository, params, body, query }) => {
        await setViewed(deps, actor, repository, params.index, { key: body.key, isViewed: body.viewed === "true" });
        return seeOther(`${filesPath(repository, Number(params.index), readFilesState(query))}#${anchorOf(readId(body.place))}`);
      },
    }),
    defineRoute({
      ...acts,
      access: repository.signedIn({ archived: "allowed" }),
      id: "chooseDiffStyle",
      path: `${one}/style`,
      summary: "Switch between unified and split view",
      body: inPlace({ style: text() }),
      handle: async ({ actor, repository, params, body, query }) => {
        await editSettings(deps, actor, { diffViewStyle: body.style === "split" ? "split" : "unified" });
        return seeOther(filesPath(repository, Number(params.index), readFilesState(query)));
      },
    }),
  ];
};
const isVerdict = (word: string): word is Verdict => (verdicts as readonly string[]).includes(word);

interface TalkRequest {
  readonly repository: RepositorySubject;
  readonly params: { readonly index: string };
  readonly query: Parameters<typeof readFilesState>[0] & { readonly back: number | undefined };
}

/** Redirects to the page and position of the reply. */
function backTo({ repository, params, query }: TalkRequest, commentId: number | undefined): string {
  const number = Number(params.index);
  const page =
    query.back === undefined
      ? filesPath(repository, number, readFilesState(query))
      : withQuery(pullPath(repository, number), { page: query.back > 1 ? query.back : undefined });
  return `${page}#issuecomment-${commentId}`;
}

type SignedInRequest = FilesRequest & { readonly actor: Parameters<typeof createReview>[1] };

/** Shows the form again with its input if the action is rejected. */
async function orAgain(deps: FilesPageDeps, request: SignedInRequest, work: () => Promise<string>, again: (problem: Explained | string) => FilesShown) {
  try {
    return seeOther(await work());
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const shown = again(explain(pageReader(request).languages, error));
    return filesPage(deps, request, { ...shown, status: statusOf(error) }).catch((missing: unknown) => {
      // The commented file or commits are no longer among the changes. The text becomes that of the review.
      if (!isForgeError(missing, "not_found")) throw missing;
      const { writing } = shown;
      const kept = writing?.content && writing.problem ? { refusedReview: { verdict: "comment", content: writing.content, problem: writing.problem } } : {};
      const { range: _gone, ...state } = shown.state;
      return filesPage(deps, request, { ...shown, ...kept, state, only: undefined, status: statusOf(error) });
    });
  }
}

interface SentReview {
  readonly kind: Verdict;
  readonly content: string;
  readonly seenOid: string;
}

/** @returns the timeline entry of the review */
async function sendReview(deps: FilesPageDeps, { actor, repository, params }: SignedInRequest, { kind, content, seenOid }: SentReview): Promise<number | null> {
  const { anchorId } = await createReview(deps, actor, repository, params.index, {
    kind,
    event: kind,
    content,
    commitOid: seenOid,
    comments: [],
    countsSaved: true,
  });
  return anchorId;
}
