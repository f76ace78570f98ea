import { type Actor, isUser } from "../../../../access/actor.ts";
import type { RepositorySubject } from "../../../../access/subjects.ts";
import { messageBody, messageTitle } from "../../../../core/commit-message.ts";
import { type ErrorCode, type ForgeError, invalid, isForgeError } from "../../../../core/errors.ts";
import { type FieldOfReason, problemOf } from "../../../../core/form-problem.ts";
import { repository } from "../../../../http/access.ts";
import { type RawReply, raw } from "../../../../http/answers.ts";
import { diffFileQuery } from "../../../../http/diff-query.ts";
import { seeOther } from "../../../../http/form-submit.ts";
import { pageReader } from "../../../../http/page-reader.ts";
import { query } from "../../../../http/query.ts";
import { defineRoute, type Route } from "../../../../http/route.ts";
import { comparePath, pullPath, withQuery } from "../../../../ui/addresses.ts";
import { Empty } from "../../../../ui/blocks.tsx";
import { showsSplit } from "../../../../ui/diff.tsx";
import type { Html } from "../../../../ui/html.ts";
import type { RenderedPage } from "../../../../ui/page.tsx";
import { renderRepositoryPage } from "../../../../ui/repository-page.tsx";
import { SlowPart, streamPage } from "../../../../ui/slow-part.tsx";
import { textsFor } from "../../../../ui/texts/texts.ts";
import { bool, inPlace, int, list, text } from "../../../../wire/schema.ts";
import type { TextDeps } from "../../../repositories/commits/service/changes-text.ts";
import { type ComparedEnds, headText, parseEnds } from "../../../repositories/commits/service/compare.ts";
import type { PieceDeps } from "../../../repositories/diffs/service/diff-windows.ts";
import { type DiffState, diffParameters, plainState, readDiffState, readGaps } from "../../../repositories/diffs/views/looking.ts";
import { repositoryHeader } from "../../../repositories/repos/header.ts";
import { getRepository } from "../../../repositories/repos/service/loaders.ts";
import { getSettings } from "../../../repositories/repos/service/settings.ts";
import { closingText } from "../../issues/development/service.ts";
import { asDraft } from "../../issues/draft.ts";
import { planChoices } from "../../issues/planning/service/side.ts";
import { canReadIssue, canWriteIssue } from "../../issues/rights.ts";
import { readTypedNames } from "../../issues/times/parse-duration.ts";
import { readTypedReviewers } from "../reviewing.ts";
import { findComparedEnds, findUnshownHead, findUpstream, readComparison, type ShownComparison, streamComparison } from "../service/comparison.ts";
import { createPull } from "../service/create.ts";
import type { PullDeps } from "../service/deps.ts";
import { findMatchingRefs, hasBase, listEndChoices, listOwnHeads } from "../service/end-choices.ts";
import { readPullTemplate } from "../service/template.ts";
import { compareTexts } from "../texts/texts.ts";
import { Candidates, type ComparedNames, CompareView, comparedPath, isOfFork, type Proposal, UnshownHead } from "../views/compare.tsx";
import { Chooser, Matches } from "../views/compare-picker.tsx";

type Deps = PullDeps & PieceDeps & TextDeps;

const page = { mount: "root", tag: "issue", isUnlisted: true, isPage: true, scope: "repository", answers: raw(["text/html"]) } as const;
const reads = { ...page, method: "GET", access: repository.reader("repo.code") } as const;
const acts = { ...page, method: "POST", access: repository.signedIn({ archived: "refused" }) } as const;
const ProposalForm = inPlace({
  title: text(),
  content: text(),
  draft: bool(),
  labels: list(int()),
  assignees: text(),
  milestone: int(),
  reviewers: text(),
  allow_edits: bool(),
});
/** Errors that the user can correct in the form. */
const correctable: readonly ErrorCode[] = ["invalid", "stale", "refused", "conflict", "forbidden", "not_found"];

/** Pages to compare branches and create pull requests. */
export const comparePages = (deps: Deps): Route[] => [
  defineRoute({
    ...reads,
    id: "chooseComparison",
    path: "/{owner}/{repo}/compare",
    summary: "Choose what to compare",
    query: {
      base: query.text("A branch, tag or commit"),
      head: query.text("The ref to compare it with"),
      dots: query.text("`2`: compare directly instead of from the merge base"),
      in: query.text("Another repository of the fork network, as `owner/name`, to compare in"),
    },
    handle: async (request) => {
      const { actor, repository, query } = request;
      const [, ownerName, name] = /^([^/]+)\/([^/]+)$/.exec(query.in ?? "") ?? [];
      if (ownerName !== undefined && name !== undefined && query.in !== repository.fullName) return seeOther(elsewhere(repository, { ownerName, name }, query));
      const base = query.base || repository.defaultBranch;
      // A fork proposes to its parent unless a base is chosen.
      const upstream = query.base ? undefined : await findUpstream(deps, actor, repository);
      if (upstream !== undefined) {
        const head = query.head || repository.defaultBranch;
        return seeOther(comparePath(upstream, `${upstream.defaultBranch}...${head.includes(":") ? head : `${repository.ownerName}:${head}`}`));
      }
      if (query.head) return seeOther(comparedPath({ repository, base, head: query.head, isDirect: query.dots === "2" }));
      return comparePage(deps, request, { basehead: `${base}...` });
    },
  }),
  defineRoute({
    ...reads,
    id: "comparePage",
    isExpensive: true,
    path: "/{owner}/{repo}/compare/{basehead+}",
    summary: "Compare two refs",
    query: diffFileQuery,
    handle: (request) => {
      const { params, query } = request;
      return comparePage(deps, request, { basehead: params.basehead, state: readDiffState(query), only: query.file, gaps: readGaps(query.gap) });
    },
  }),
  defineRoute({
    ...reads,
    isPage: false,
    id: "webCompareText",
    isExpensive: true,
    path: "/{owner}/{repo}/compare/{basehead+}.{diffType}",
    summary: "Get the changes between two branches, tags or commits as a diff or patch",
    answers: raw(["text/plain"]),
    handle: async (request) => ({
      status: 200,
      headers: { "content-type": "text/plain;charset=utf-8", "x-content-type-options": "nosniff" },
      body: await streamComparison(deps, request, request.params.basehead, request.params.diffType === "patch" ? "patch" : "diff"),
    }),
  }),
  defineRoute({
    ...reads,
    id: "newPullPage",
    isExpensive: true,
    path: "/{owner}/{repo}/pulls/new/{branch+}",
    summary: "Target of the hint after a push: compares a branch with the base, in the parent repository for a fork",
    handle: async ({ actor, repository, params }) => {
      const upstream = await findUpstream(deps, actor, repository);
      if (upstream === undefined) return seeOther(comparePath(repository, `${repository.defaultBranch}...${params.branch}`));
      return seeOther(comparePath(upstream, `${upstream.defaultBranch}...${repository.ownerName}:${params.branch}`));
    },
  }),
  defineRoute({
    ...acts,
    id: "proposePull",
    path: "/{owner}/{repo}/compare/{basehead+}",
    summary: "Create a pull request for a comparison",
    body: ProposalForm,
    handle: async (request) => {
      const { actor, repository, params, body, signal } = request;
      const typed = { ...body, title: body.title.trim(), content: body.content };
      const { title, content, labels: labelIds, milestone: milestoneId } = typed;
      const [base = "", head = ""] = params.basehead.split("...");
      try {
        if (title === "") throw invalid("[Title]: Required", { reason: "title_required" });
        const plan = { labelIds, milestoneId, assignees: readTypedNames(body.assignees), deadlineMs: null };
        const reviewers = readTypedReviewers(body.reviewers);
        const named = body.draft ? asDraft(title) : title;
        const opened = { base, head, title: named, content, plan, reviewers, allowsMaintainerEdit: isOfFork(head) ? body.allow_edits : null };
        const { number } = await createPull(deps, actor, repository, opened, signal);
        return seeOther(pullPath(repository, number));
      } catch (error) {
        if (!isForgeError(error) || !correctable.includes(error.code)) throw error;
        return comparePage(deps, request, {
          basehead: params.basehead,
          status: error.code === "conflict" ? 409 : 422,
          proposal: { ...typed, problem: problemOf(error, undefined, fieldOf(error)) },
        });
      }
    },
  }),
];

/** A reviewer that does not exist is not found; an assignee is invalid. */
const fieldOf = ({ code }: ForgeError): FieldOfReason => ({
  title_required: "title",
  team_not_found: "reviewers",
  user_not_found: code === "not_found" ? "reviewers" : "assignees",
});

/** The address of a comparison in another repository of the network, where names without an owner are those of its own branches. */
function elsewhere(
  from: RepositorySubject,
  to: { readonly ownerName: string; readonly name: string },
  query: Readonly<Record<"base" | "head" | "dots", string | undefined>>,
): string {
  const ownPrefix = `${to.ownerName}:`;
  const named = (ref: string): string => (ref.includes(":") ? ref : `${from.ownerName}:${ref}`);
  const head = query.head ? named(query.head) : "";
  return withQuery(comparePath(to), {
    base: query.base,
    head: head.startsWith(ownPrefix) ? head.slice(ownPrefix.length) : head,
    dots: query.dots,
  });
}

interface CompareRequest {
  readonly actor: Actor;
  readonly repository: RepositorySubject;
  readonly session: string | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly signal: AbortSignal;
}

interface Compared {
  readonly basehead: string;
  /** A single file, by its position. */
  readonly only?: number | undefined;
  readonly gaps?: ReadonlySet<number>;
  readonly state?: DiffState;
  readonly status?: number;
  /** Entered values; otherwise suggestions from the commits. */
  readonly proposal?: Proposal;
}

async function comparePage(deps: Deps, request: CompareRequest, wanted: Compared): Promise<RawReply> {
  const { actor, repository } = request;
  const { basehead, only, status = 200, proposal } = wanted;
  const ends = basehead === "" || basehead.endsWith("..") ? undefined : await findComparedEnds(deps, request, basehead).catch(unlessMissing);
  const names = { repository, ...namesIn(basehead, repository), ...(ends && { base: ends.base, head: ends.head }) };
  const swapAddress = ends && swapped(repository, ends);
  const view = await getRepository(deps, actor, repository.id);
  const choices = await listEndChoices(deps, request, view, ends?.repository);
  const chooser = <Chooser {...names} choices={choices} swapAddress={swapAddress} />;
  const reader = pageReader(request);
  const texts = textsFor(compareTexts, reader.languages);
  const unshown = ends === undefined && names.head.includes(":") ? await findUnshownHead(deps, request, names.head) : undefined;
  const missing = ends !== undefined || unshown !== undefined ? undefined : await missingEnd(deps, request, names);
  const title = ends === undefined ? texts.title : `${names.base}${names.isDirect ? ".." : "..."}${names.head}`;
  const props = {
    ...reader,
    repository: repositoryHeader(view),
    tab: "pulls",
    title,
    heading: texts.title,
    status: missing === undefined ? status : 404,
  } as const;
  const render = (part: Html): RenderedPage => renderRepositoryPage(props, chooser, part);
  if (unshown !== undefined) {
    const suggested = {
      ...blank,
      title: unshown.branch,
      content: await readPullTemplate(deps, repository),
      allow_edits: await allowsEditsByDefault(deps, repository, names.head),
    };
    return render(<UnshownHead {...names} formToken={reader.viewer?.formToken} takesPulls={takesPulls(repository)} proposal={proposal ?? suggested} />);
  }
  if (missing !== undefined) {
    const matches = await findMatchingRefs(deps, request, names[missing]);
    return render(
      <>
        <Empty icon="git-compare" title={texts.notThere(names[missing])} />
        <Matches {...names} missing={missing} matches={matches} />
      </>,
    );
  }
  if (ends === undefined || swapAddress === undefined) {
    const ownHeads = isUser(actor) ? await listOwnHeads(deps, actor, repository) : [];
    return render(<Candidates {...names} choices={choices} ownHeads={ownHeads} />);
  }
  const part = (): Promise<Html> => compared(deps, request, { ...wanted, ends, names, swapAddress, formToken: reader.viewer?.formToken });
  // Whether a single file exists is only known once the changes are loaded. A rejected form must not be answered with a late error.
  const waits = only !== undefined || proposal !== undefined;
  return streamPage(render(<SlowPart />), reader.languages, waits ? await part() : part);
}

/** The end of a comparison that does not exist; undefined if only the head has not been chosen. */
async function missingEnd(deps: Deps, request: CompareRequest, { base, head }: ComparedNames): Promise<"base" | "head" | undefined> {
  if (!(await hasBase(deps, request, base))) return "base";
  return head === "" ? undefined : "head";
}

interface ComparedPart extends Compared {
  readonly ends: ComparedEnds;
  readonly names: ComparedNames;
  readonly swapAddress: string;
  readonly formToken: string | undefined;
}

/** Page of a comparison. */
async function compared(deps: Deps, request: CompareRequest, part: ComparedPart): Promise<Html> {
  const { actor, repository } = request;
  const { ends, names, swapAddress, formToken, only, gaps = new Set(), state = plainState, proposal } = part;
  const found = await readComparison(deps, request, ends, { ...state, only, gaps });
  const plans = isUser(actor) && canWriteIssue(repository, { isPull: true });
  return (
    <CompareView
      {...names}
      found={found}
      isSame={ends.baseOid === ends.headOid}
      areBranches={ends.areBranches}
      swapAddress={swapAddress}
      state={state}
      address={(to, more = {}) => withQuery(comparedPath(names), { ...diffParameters(to), ...more })}
      isSplit={showsSplit(state.style, isUser(actor) ? actor.display : undefined)}
      gaps={gaps}
      formToken={formToken}
      takesPulls={takesPulls(repository)}
      opensForm={names.base === repository.defaultBranch}
      proposal={proposal ?? (isUser(actor) ? await suggest(deps, repository, ends, found) : blank)}
      planned={plans ? await planChoices(deps, repository) : undefined}
      now={deps.clock.now()}
    />
  );
}

const takesPulls = (repository: RepositorySubject): boolean => canReadIssue(repository, { isPull: true }) && !repository.isArchived;

/** The ends as named in the address. */
function namesIn(basehead: string, repository: RepositorySubject): Omit<ComparedNames, "repository"> {
  const { base, head, isDirect } = parseEnds(basehead, repository);
  return { base, head: headText(head), isDirect };
}

/** The reverse comparison, in the repository of the former head. */
function swapped(repository: RepositorySubject, { base, head, isDirect, repository: place }: ComparedEnds): string {
  if (place.id === repository.id) return comparedPath({ repository, base: head, head: base, isDirect });
  return comparedPath({ repository: place, base: head.slice(head.indexOf(":") + 1), head: `${repository.ownerName}:${base}`, isDirect });
}

function unlessMissing(error: unknown): undefined {
  if (isForgeError(error, "not_found")) return undefined;
  throw error;
}

const blank: Proposal = { title: "", content: "", labels: [], assignees: "", milestone: 0, reviewers: "", draft: false, allow_edits: false };

/** Suggests the message of a single commit, or the branch name for several, followed by the issues of the branch and the repository's template. */
async function suggest(deps: Deps, repository: RepositorySubject, { head }: ComparedEnds, { commits }: ShownComparison): Promise<Proposal> {
  const [commit, ...others] = commits;
  if (commit === undefined) return blank;
  const closing = head.includes(":") ? "" : await closingText(deps, repository, head);
  const template = [closing, await readPullTemplate(deps, repository)].filter((part) => part !== "").join("\n\n");
  const begun = { ...blank, allow_edits: await allowsEditsByDefault(deps, repository, head) };
  if (others.length > 0) return { ...begun, title: head.slice(head.indexOf(":") + 1), content: template };
  const title = messageTitle(commit.commit.message);
  const body = messageBody(commit.commit.message);
  return { ...begun, title, content: body === "" || template === "" ? body + template : `${body}\n\n${template}` };
}

const allowsEditsByDefault = async (deps: Deps, repository: RepositorySubject, head: string): Promise<boolean> =>
  isOfFork(head) && (await getSettings(deps, repository.id)).defaultAllowMaintainerEdit;
