import { type Actor, isUser } from "../../../access/actor.ts";
import { atLeast } from "../../../access/repository.ts";
import type { RepositorySubject } from "../../../access/subjects.ts";
import { type ForgeError, isForgeError } from "../../../core/errors.ts";
import type { Page } from "../../../core/paging.ts";
import type { Explained } from "../../../core/reasons.ts";
import { repository } from "../../../http/access.ts";
import { type RawReply, raw } from "../../../http/answers.ts";
import { pageReader } from "../../../http/page-reader.ts";
import { query } from "../../../http/query.ts";
import { defineRoute, type Route } from "../../../http/route.ts";
import { comparePath, issuePath, pullPath, repositoryPath } from "../../../ui/addresses.ts";
import type { Html } from "../../../ui/html.ts";
import { renderRepositoryPage } from "../../../ui/repository-page.tsx";
import { textsFor } from "../../../ui/texts/texts.ts";
import { bool, inPlace, text } from "../../../wire/schema.ts";
import { repositoryHeader } from "../../repositories/repos/header.ts";
import { articleCard } from "../../repositories/repos/present.ts";
import { getRepository } from "../../repositories/repos/service/loaders.ts";
import type { StatusView } from "../../repositories/statuses/model.ts";
import { getChecks, statesOfCommits } from "../../repositories/statuses/service.ts";
import type { RepositoryTextDeps } from "../../site/markup/repository-texts.ts";
import { beginComment, type CommentBeginning } from "../issues/conversation/service/comments.ts";
import { listTimeline } from "../issues/conversation/service/timeline.ts";
import { textActions } from "../issues/conversation/views/conversation.tsx";
import { loadSide } from "../issues/planning/service/side.ts";
import { changePath } from "../issues/planning/views/plan-forms.tsx";
import { countedReactions } from "../issues/reactions/service.ts";
import { shownReactions } from "../issues/reactions/views.tsx";
import { canCommentOn, canEditIssue, editsComment } from "../issues/rights.ts";
import { loadListPage } from "../issues/search/service/list-page.ts";
import { IssueListView } from "../issues/search/views/list.tsx";
import { filtersOf, redirectOf } from "../issues/search/views/list-address.ts";
import { requireIssue } from "../issues/service/find.ts";
import { readOrFollow } from "../issues/transfer/service.ts";
import { listReplies } from "../saved-replies/service.ts";
import { typedMessage } from "./merge-message.ts";
import type { OfferedStyle } from "./mergeability.ts";
import type { PullView } from "./model.ts";
import { choosesReviewers } from "./reviewing.ts";
import { countPullCommits, listPullCommits } from "./service/changes.ts";
import { answerPull } from "./service/comment-and-set-state.ts";
import type { PullDeps } from "./service/deps.ts";
import { setDraft, setMaintainerEdits } from "./service/draft.ts";
import { getPull } from "./service/find.ts";
import { deleteMergedHead } from "./service/merge/head-branch.ts";
import { mergePull } from "./service/merge/merge.ts";
import { getMergeability } from "./service/merge/mergeability.ts";
import { loadDefaultMessages } from "./service/merge/message.ts";
import { cancelAutoMerge, mergeWhenReady } from "./service/merge/schedule.ts";
import { loadPushes } from "./service/push-timeline.ts";
import { revertPull } from "./service/revert.ts";
import { type UpdateStyle, updateHead } from "./service/update.ts";
import { mergeTexts, pullTexts } from "./texts/texts.ts";
import { PullCommits } from "./views/changes.tsx";
import { PullConversation, type ShownChecks } from "./views/conversation.tsx";
import type { RefusedMerge } from "./views/merge-box.tsx";
import type { ReviewPorts } from "./views/review-sentences.ts";
import { renderAll } from "./web/rendered-texts.ts";

export interface PullPageDeps extends PullDeps, RepositoryTextDeps, ReviewPorts {
  /** Adds the states of the jobs behind checks of this server. Provided by the composition root, because workflows are a later feature. */
  readonly addProgress: <T extends { readonly statuses: readonly StatusView[] }>(repoId: number, checks: T) => Promise<T & Pick<ShownChecks, "progress">>;
}

const page = { mount: "root", tag: "issue", isUnlisted: true, isPage: true, scope: "repository", answers: raw(["text/html"]) } as const;
const reads = { ...page, method: "GET", access: repository.reader("repo.pulls") } as const;
const acts = { ...page, method: "POST", access: repository.signedIn({ archived: "refused" }) } as const;
const one = "/{owner}/{repo}/pulls/{index}";
/** `reply`: the saved reply that the text gets before it is sent. */
const CommentForm = inPlace({ content: text(), action: text(), reply: text() });
const MergeForm = inPlace({
  head_commit_id: text(),
  style: text<OfferedStyle>(),
  title: text(),
  message: text(),
  delete_branch: text(),
  action: text(),
  filled_title: text(),
  filled_message: text(),
  bypass: text(),
});

/** Maximum number of commit statuses on a page. */
const shownChecks: Page = { page: 1, limit: 50, offset: 0 };

/** Pull request pages. */
export const pullPages = (deps: PullPageDeps): Route[] => [
  defineRoute({
    ...reads,
    id: "pullsPage",
    path: "/{owner}/{repo}/pulls",
    summary: "Search the pull requests of a repository",
    query: {
      q: query.text("Words and qualifiers such as `is:open label:bug author:@me`"),
      label: query.text("Adds a label to the query, or removes it"),
      author: query.text("Replaces the author in the query"),
      assignee: query.text("Replaces the assignee in the query"),
      milestone: query.text("Replaces the milestone in the query"),
      changed: query.integer("Number of issues that a form has just changed"),
      undone: query.integer("Number of issues whose change is undone"),
    },
    handle: async (request) => {
      const { actor, repository } = request;
      const elsewhere = redirectOf(repositoryPath(repository), "pulls", filtersOf(request.query));
      if (elsewhere !== undefined) return seeOther(elsewhere);
      const { view, choices, list } = await loadListPage(deps, "pulls", request);
      const reader = pageReader(request);
      const { title } = textsFor(pullTexts, reader.languages);
      const props = {
        ...list,
        canCreate: isUser(actor) && !repository.isArchived && !repository.isEmpty,
        outcome: request.query,
        bulk: choices && reader.viewer && { choices, formToken: reader.viewer.formToken, chosen: [] },
      };
      return renderRepositoryPage(
        { ...reader, repository: repositoryHeader(view), tab: "pulls", title, heading: title, hidesHeading: true },
        <IssueListView {...props} />,
      );
    },
  }),
  defineRoute({
    ...reads,
    id: "pullPage",
    path: one,
    summary: "A pull request with its timeline",
    query: {
      quote: query.text("Begins the comment with a quote: id of a comment, or `issue`"),
    },
    handle: async (request) => {
      const read = await readOrFollow(deps, request, () => conversationPage(deps, request, request.params.index, undefined, request.query));
      if ("found" in read) return read.found;
      const { owner, repo, index } = read.movedTo;
      return seeOther(issuePath({ ownerName: owner, name: repo }, Number(index)));
    },
  }),
  defineRoute({
    ...reads,
    id: "pullCommitsPage",
    isExpensive: true,
    path: `${one}/commits`,
    summary: "The commits of a pull request",
    handle: async (request) => {
      const pull = await getPull(deps, request, request.params.index);
      const viewing = { ...request, detail: { stats: false, files: false, verification: true } };
      const { items, total } = await listPullCommits(deps, viewing, request.params.index, request.page);
      const props = {
        repository: request.repository,
        pull,
        commits: items,
        checks: await statesOfCommits(
          deps.db,
          request.repository.id,
          items.map(({ commit }) => commit.oid),
        ),
        total,
        commitsCount: { count: total, isLimit: false },
        page: request.page,
        now: deps.clock.now(),
      };
      return pullPage(deps, request, pull, <PullCommits {...props} />);
    },
  }),
  defineRoute({
    ...acts,
    id: "answerPull",
    path: `${one}/comments`,
    summary: "Comment on, close or reopen a pull request",
    body: CommentForm,
    handle: async (request) => {
      const { actor, repository, params, body } = request;
      if (body.reply !== "") return conversationPage(deps, request, params.index, undefined, { typed: body.content, reply: body.reply });
      const content = body.content.trim();
      const isClosed = body.action === "close" ? true : body.action === "reopen" ? false : undefined;
      const refuse = (problem: Explained | string, status: number) => conversationPage(deps, request, params.index, { status, answer: { content, problem } });
      if (content === "" && isClosed === undefined) return refuse({ message: "Required", reason: "comment_required" }, 422);
      try {
        const commentId = await answerPull(deps, actor, repository, params.index, { content, isClosed });
        return seeOther(`${pullPath(repository, Number(params.index))}${commentId === undefined ? "" : `#issuecomment-${commentId}`}`);
      } catch (error) {
        if (!isRefusal(error)) throw error;
        return refuse(error, statusOf(error));
      }
    },
  }),
  defineRoute({
    ...acts,
    id: "mergePull",
    path: `${one}/merge`,
    summary: "Merge a pull request, now or as soon as the rules of its base branch allow it",
    body: MergeForm,
    handle: async (request) => {
      const { actor, repository, params, body, signal } = request;
      const { style, title, message, action, head_commit_id: expectedHeadOid } = body;
      const deletesBranch = body.delete_branch === "true";
      const typed = typedMessage({ title, message }, { title: body.filled_title, message: body.filled_message.replaceAll("\r\n", "\n") });
      const input = { style, ...typed, addsCoAuthors: true, expectedHeadOid, deletesBranch, isForced: action === "force" };
      if (action === "force" && body.bypass !== "true") {
        const problem = textsFor(mergeTexts, pageReader(request).languages).bypassUnconfirmed;
        return conversationPage(deps, request, params.index, { status: 422, merge: { problem, style, title, message, deletesBranch } });
      }
      try {
        if (action === "schedule") await mergeWhenReady(deps, actor, repository, params.index, input, signal);
        else await mergePull(deps, actor, repository, params.index, input, signal);
        return seeOther(`${pullPath(repository, Number(params.index))}#merging`);
      } catch (error) {
        if (!isRefusal(error)) throw error;
        const problem = await explain(deps, request, params.index, expectedHeadOid, error);
        return conversationPage(deps, request, params.index, { status: statusOf(error), merge: { problem, style, title, message, deletesBranch } });
      }
    },
  }),
  defineRoute({
    ...acts,
    id: "updatePull",
    path: `${one}/update`,
    summary: "Update the head from its base, by merge or rebase",
    body: inPlace({ style: text() }),
    handle: async (request) => {
      const { actor, repository, params, body, signal } = request;
      const style: UpdateStyle = body.style === "rebase" ? "rebase" : "merge";
      const path = pullPath(repository, Number(params.index));
      try {
        await updateHead(deps, actor, repository, params.index, style, signal);
        return seeOther(`${path}#merging`);
      } catch (error) {
        // Redirects to the page that resolves conflicts; an up-to-date head needs nothing.
        if (isForgeError(error, "conflict")) return seeOther(error.reason === "merge_conflict" ? `${path}/conflicts` : `${path}#merging`);
        if (!isRefusal(error) && !isForgeError(error, "forbidden")) throw error;
        return conversationPage(deps, request, params.index, { status: statusOf(error), step: error });
      }
    },
  }),
  defineRoute({
    ...acts,
    access: repository.editor,
    id: "revertPull",
    path: `${one}/revert`,
    summary: "Revert a merged pull request on a new branch",
    body: inPlace({}),
    handle: async (request) => {
      const { actor, repository, params, signal } = request;
      try {
        const { base, branch } = await revertPull(deps, actor, repository, params.index, signal);
        return seeOther(comparePath(repository, `${base}...${branch}`));
      } catch (error) {
        if (!isRefusal(error)) throw error;
        return conversationPage(deps, request, params.index, { status: statusOf(error), step: error });
      }
    },
  }),
  defineRoute({
    ...acts,
    id: "deleteMergedBranch",
    path: `${one}/branch/delete`,
    summary: "Delete the branch of a merged pull request",
    body: inPlace({}),
    handle: (request) => step(deps, request, () => deleteMergedHead(deps, request.actor, request.repository, request.params.index)),
  }),
  defineRoute({
    ...acts,
    id: "setDraft",
    path: `${one}/draft`,
    summary: "Mark a pull request as ready or as a draft",
    body: inPlace({ draft: bool() }),
    handle: (request) => step(deps, request, () => setDraft(deps, request.actor, request.repository, request.params.index, request.body.draft)),
  }),
  defineRoute({
    ...acts,
    id: "setMaintainerEdits",
    path: `${one}/maintainer_edits`,
    summary: "Allow or forbid that maintainers push to the head branch of a fork",
    body: inPlace({ allowed: bool() }),
    handle: (request) => step(deps, request, () => setMaintainerEdits(deps, request.actor, request.repository, request.params.index, request.body.allowed)),
  }),
  defineRoute({
    ...acts,
    id: "cancelMerge",
    path: `${one}/merge/cancel`,
    summary: "Cancel the auto merge",
    body: inPlace({}),
    handle: async ({ actor, repository, params }) => {
      await cancelAutoMerge(deps, actor, repository, params.index);
      return seeOther(`${pullPath(repository, Number(params.index))}#merging`);
    },
  }),
];

const seeOther = (path: string): RawReply => ({ status: 303, headers: { location: path, "cache-control": "no-store" } });

/** Runs an action of the merge box and shows its failure there. */
async function step(deps: PullPageDeps, request: PageRequest & { readonly params: { readonly index: string } }, work: () => Promise<void>): Promise<RawReply> {
  const { repository, params } = request;
  try {
    await work();
    return seeOther(`${pullPath(repository, Number(params.index))}#merging`);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return conversationPage(deps, request, params.index, { status: statusOf(error), step: error });
  }
}

/** Errors shown on the same page; all others get an error page. */
const isRefusal = (error: unknown): error is ForgeError => (["invalid", "stale", "refused", "conflict"] as const).some((code) => isForgeError(error, code));
const statusOf = ({ code }: ForgeError): number => (code === "conflict" ? 409 : code === "forbidden" ? 403 : 422);

interface PageRequest {
  readonly actor: Actor;
  readonly repository: RepositorySubject;
  readonly session: string | undefined;
  readonly page: Page;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly signal: AbortSignal;
}

/** Why a merge was rejected; the user can act on a moved head. */
async function explain(deps: PullPageDeps, request: PageRequest, index: string, seenOid: string, error: ForgeError): Promise<Explained | string> {
  const { headOid } = await getPull(deps, request, index);
  return headOid === seenOid ? error : textsFor(mergeTexts, pageReader(request).languages).headMoved;
}

async function pullPage(deps: PullPageDeps, request: PageRequest, pull: PullView, content: Html, status = 200): Promise<RawReply> {
  const view = pull.baseRepository ?? (await getRepository(deps, request.actor, request.repository.id));
  const title = `${pull.issue.title} #${pull.number}`;
  const card = articleCard(view, deps.urls, pullPath(request.repository, pull.number), pull.issue.content);
  return renderRepositoryPage({ ...pageReader(request), repository: repositoryHeader(view), tab: "pulls", title, heading: null, status, card }, content);
}

/** Rejected input. */
interface Refused {
  readonly status: number;
  readonly answer?: { readonly content: string; readonly problem: Explained | string };
  readonly merge?: RefusedMerge;
  /** Why updating or reverting failed. */
  readonly step?: Explained | string;
}

async function conversationPage(deps: PullPageDeps, request: PageRequest, index: string, refused?: Refused, begin: CommentBeginning = {}): Promise<RawReply> {
  const { actor, repository } = request;
  const issue = await requireIssue(deps, repository, index);
  if (!issue.isPull) return seeOther(issuePath(repository, issue.number));
  const pull = await getPull(deps, request, index);
  const timeline = await listTimeline(deps, actor, repository, index, { sinceMs: undefined, beforeMs: undefined }, request.page);
  const formToken = pageReader(request).viewer?.formToken;
  const reviews = await deps.loadReviewTimeline({ actor, repository, formToken, page: request.page.page }, pull, [
    ...new Set(timeline.items.flatMap(({ kind, payload }) => (kind === "review" ? (payload.reviewId ?? []) : []))),
  ]);
  const texts = await renderAll(
    deps,
    actor,
    repository,
    [pull.issue.content, ...timeline.items.map(({ content, kind }) => (kind === "comment" ? content : ""))],
    reviews,
  );
  const commentIds = timeline.items.flatMap(({ kind, id }) => (kind === "comment" ? id : []));
  const canComment = isUser(actor) && !repository.isArchived && canCommentOn(repository, pull.issue);
  const reactionsOf = shownReactions(await countedReactions(deps, actor, pull.issue, commentIds), {
    action: canComment ? changePath(repository, pull.issue, "reactions") : undefined,
    formToken,
  });
  const pushes = await loadPushes(deps, repository, pull, timeline.items);
  const outlook = await getMergeability(deps, request, pull);
  const props = {
    repository,
    pull,
    html: texts.of(pull.issue.content),
    reactions: reactionsOf(undefined),
    side: await loadSide(deps, actor, repository, pull.issue),
    canChooseReviewers: isUser(actor) && !repository.isArchived && !pull.isClosed && choosesReviewers(actor, repository, pull.issue),
    commitsCount: await countPullCommits(deps, request, pull),
    entries: timeline.items.map((entry) => ({
      entry,
      push: pushes.get(entry.id),
      html: entry.kind === "comment" ? texts.of(entry.content) : undefined,
      isEditable: !repository.isArchived && editsComment(actor, repository, entry),
      reactions: entry.kind === "comment" ? reactionsOf(entry.id) : undefined,
      review: entry.kind === "review" ? texts.ofReview(reviews.get(entry.payload.reviewId ?? 0)) : undefined,
    })),
    page: request.page,
    total: (request.page.page - 1) * request.page.limit + timeline.items.length + (timeline.items.length === request.page.limit ? 1 : 0),
    formToken,
    canComment,
    isArchived: repository.isArchived,
    actions: textActions(repository, issue, { canComment, formToken }),
    begun: canComment ? await beginComment(deps, actor, repository, issue, begin) : undefined,
    replies: canComment ? await listReplies(deps, actor) : [],
    canEdit: !repository.isArchived && canEditIssue(actor, repository, pull.issue),
    standings: await deps.reviewing.standings(deps.db, repository, pull),
    outlook,
    messages: isUser(actor) && outlook.canMerge && !pull.isClosed ? await loadDefaultMessages(deps, actor, repository, pull, outlook.styles) : new Map(),
    checks: await deps.addProgress(repository.id, await getChecks(deps.db, repository.id, pull.headOid, shownChecks)),
    draftsCount: await deps.countDrafts(actor, pull),
    refusedAnswer: refused?.answer,
    refusedMerge: refused?.merge,
    refusedStep: refused?.step,
    canRevert: isUser(actor) && !repository.isArchived && !repository.isMirror && atLeast(repository.right.unit("repo.code"), "write"),
    now: deps.clock.now(),
  };
  return pullPage(deps, request, pull, <PullConversation {...props} />, refused?.status);
}
