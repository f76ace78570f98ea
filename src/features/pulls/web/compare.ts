import { h } from "preact";
import { type Actor, isUser } from "../../../access/actor.ts";
import { atLeast } from "../../../access/repository.ts";
import type { RepositorySubject } from "../../../access/subjects.ts";
import { type ErrorCode, isForgeError, notFound } from "../../../core/errors.ts";
import { repository } from "../../../http/access.ts";
import { type RawReply, raw } from "../../../http/answers.ts";
import { seeOther } from "../../../http/form-submit.ts";
import { pageReader } from "../../../http/page-reader.ts";
import { query } from "../../../http/query.ts";
import { defineRoute, type Route } from "../../../http/route.ts";
import { comparePath, pullPath } from "../../../ui/addresses.ts";
import { showsSplit } from "../../../ui/diff.ts";
import { renderRepositoryPage } from "../../../ui/repository-page.ts";
import { textsFor } from "../../../ui/texts/texts.ts";
import { bool, inPlace, int, list, text } from "../../../wire/schema.ts";
import { colourPage } from "../../contents/service/colours.ts";
import { isDraftTitle } from "../../issues/draft.ts";
import { writesIssue } from "../../issues/rights.ts";
import { planChoices } from "../../issues/service/side.ts";
import { readTypedNames } from "../../issues/typed.ts";
import type { Markup } from "../../markup/service.ts";
import { repositoryHeader } from "../../repos/header.ts";
import { getRepository } from "../../repos/service/views.ts";
import { readTypedReviewers } from "../reviewing.ts";
import { readComparison, type ShownComparison } from "../service/comparison.ts";
import { createPull } from "../service/create.ts";
import type { PullDeps } from "../service/deps.ts";
import { readPullTemplate } from "../service/template.ts";
import { CompareView, type Proposal } from "../views/compare.ts";

type Deps = PullDeps & { readonly markup: Markup };

const page = { mount: "root", tag: "issue", isUnlisted: true, isPage: true, scope: "repository", answers: raw(["text/html"]) } as const;
const reads = { ...page, method: "GET", access: repository.reader("repo.pulls") } as const;
const acts = { ...page, method: "POST", access: repository.signedIn({ archived: "refused" }) } as const;
const ProposalForm = inPlace({
  title: text(),
  content: text(),
  draft: bool(),
  labels: list(int()),
  assignees: text(),
  milestone: int(),
  reviewers: text(),
});
/** What somebody can do something about in the form. */
const correctable: readonly ErrorCode[] = ["invalid", "stale", "refused", "conflict", "forbidden", "not_found"];

/** Branches beside each other, and the way to propose what one of them brings. */
export const comparePages = (deps: Deps): Route[] => [
  defineRoute({
    ...reads,
    id: "chooseComparison",
    path: "/{owner}/{repo}/compare",
    summary: "Choose what to compare",
    query: { base: query.text("A branch"), head: query.text("What it is compared with") },
    handle: (request) => {
      const { repository, query } = request;
      const base = query.base || repository.defaultBranch;
      if (query.head) return seeOther(comparePath(repository, `${base}...${query.head}`));
      return comparePage(deps, request, { basehead: `${base}...` });
    },
  }),
  defineRoute({
    ...reads,
    id: "comparePage",
    path: "/{owner}/{repo}/compare/{basehead+}",
    summary: "What a head has that a base lacks",
    query: { style: query.text("Both sides in one column, or beside each other", ["unified", "split"]) },
    handle: (request) => comparePage(deps, request, { basehead: request.params.basehead, style: request.query.style }),
  }),
  defineRoute({
    ...reads,
    id: "newPullPage",
    path: "/{owner}/{repo}/pulls/new/{branch+}",
    summary: "Where a push's hint leads: what a branch has that the base lacks, in the parent for a fork",
    handle: async ({ actor, repository, params }) => {
      const { parent } = await getRepository(deps, actor, repository.id);
      if (parent === undefined) return seeOther(comparePath(repository, `${repository.defaultBranch}...${params.branch}`));
      const base = { ownerName: parent.owner.name, name: parent.name };
      return seeOther(comparePath(base, `${parent.defaultBranch}...${repository.ownerName}:${params.branch}`));
    },
  }),
  defineRoute({
    ...acts,
    id: "proposePull",
    path: "/{owner}/{repo}/compare/{basehead+}",
    summary: "Open a pull request of what is compared",
    body: ProposalForm,
    handle: async (request) => {
      const { actor, repository, params, body, signal } = request;
      const typed = { ...body, title: body.title.trim(), content: body.content.replaceAll("\r\n", "\n") };
      const { title, content, labels: labelIds, milestone: milestoneId } = typed;
      const [base = "", head = ""] = params.basehead.split("...");
      try {
        const plan = { labelIds, milestoneId, assignees: readTypedNames(body.assignees), deadlineMs: null };
        const reviewers = readTypedReviewers(body.reviewers);
        const named = body.draft && title !== "" && !isDraftTitle(title) ? `WIP: ${title}` : title;
        const opened = { base, head, title: named, content, plan, reviewers, allowsMaintainerEdit: null };
        const { number } = await createPull(deps, actor, repository, opened, signal);
        return seeOther(pullPath(repository, number));
      } catch (error) {
        if (!isForgeError(error) || !correctable.includes(error.code)) throw error;
        const problem = title === "" ? textsFor(pageReader(request).languages).issues.needsTitle : error.message;
        return comparePage(deps, request, { basehead: params.basehead, status: error.code === "conflict" ? 409 : 422, proposal: { ...typed, problem } });
      }
    },
  }),
];

interface CompareRequest {
  readonly actor: Actor;
  readonly repository: RepositorySubject;
  readonly session: string | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly signal: AbortSignal;
}

interface Compared {
  readonly basehead: string;
  readonly style?: string | undefined;
  readonly status?: number;
  /** As it was typed; else as the commits suggest it. */
  readonly proposal?: Proposal;
}

async function comparePage(deps: Deps, request: CompareRequest, { basehead, style, status = 200, proposal }: Compared): Promise<RawReply> {
  const { actor, repository } = request;
  if (!atLeast(repository.right.unit("repo.code"), "read")) throw notFound();
  const found = basehead.endsWith("...") ? undefined : await readComparison(deps, request, basehead).catch(unlessMissing);
  const [typedBase = "", typedHead = ""] = basehead.includes("...") ? basehead.split("...") : [repository.defaultBranch, basehead];
  const view = await getRepository(deps, actor, repository.id);
  const reader = pageReader(request);
  const title = textsFor(reader.languages).compare.title;
  const facts = {
    repository,
    base: found?.base ?? typedBase,
    head: found?.head ?? typedHead,
    found: found && { ...found, files: await colourPage(deps.markup, found.files) },
    isSplit: showsSplit(style, isUser(actor) ? actor.display : undefined),
    formToken: reader.viewer?.formToken,
    proposal: proposal ?? (await suggest(deps, repository, found)),
    choices: isUser(actor) && writesIssue(repository, { isPull: true }) ? await planChoices(deps, repository) : undefined,
    now: deps.clock.now(),
  };
  const isMissing = found === undefined && typedHead !== "";
  return renderRepositoryPage(
    { ...reader, repository: repositoryHeader(view), tab: "pulls", title, heading: title, status: isMissing ? 404 : status },
    h(CompareView, facts),
  );
}

function unlessMissing(error: unknown): undefined {
  if (isForgeError(error, "not_found")) return undefined;
  throw error;
}

const blank: Proposal = { title: "", content: "", labels: [], assignees: "", milestone: 0, reviewers: "", draft: false };

/** One commit says what it is; several are called by their branch. What the repository has for a template comes after it. */
async function suggest(deps: Deps, repository: RepositorySubject, found: ShownComparison | undefined): Promise<Proposal> {
  const [commit, ...others] = found?.commits ?? [];
  if (found === undefined || commit === undefined) return blank;
  const template = await readPullTemplate(deps, repository);
  if (others.length > 0) return { ...blank, title: found.head.slice(found.head.indexOf(":") + 1), content: template };
  const [title = "", ...text] = commit.commit.message.split("\n");
  const said = text.join("\n").trim();
  return { ...blank, title, content: said === "" || template === "" ? said + template : `${said}\n\n${template}` };
}
