import { type Actor, isUser } from "../../../../access/actor.ts";
import { atLeast } from "../../../../access/repository.ts";
import type { RepositorySubject } from "../../../../access/subjects.ts";
import { invalid, isForgeError } from "../../../../core/errors.ts";
import type { FormProblem } from "../../../../core/form-problem.ts";
import { readId } from "../../../../core/ids.ts";
import type { Explained } from "../../../../core/reasons.ts";
import type { Oid } from "../../../../git/types.ts";
import { repository } from "../../../../http/access.ts";
import type { RawReply } from "../../../../http/answers.ts";
import { savedAt, seeOther, submit } from "../../../../http/form-submit.ts";
import { pageReader } from "../../../../http/page-reader.ts";
import { readingPage } from "../../../../http/page-route.ts";
import { query } from "../../../../http/query.ts";
import { defineRoute, type Route } from "../../../../http/route.ts";
import { branchesPath, withQuery } from "../../../../ui/addresses.ts";
import { renderRepositoryPage } from "../../../../ui/repository-page.tsx";
import { sharedTexts } from "../../../../ui/texts/shared.ts";
import { textsFor } from "../../../../ui/texts/texts.ts";

import { inPlace, text } from "../../../../wire/schema.ts";
import { repositoryHeader } from "../../repos/header.ts";
import { getRepository } from "../../repos/service/loaders.ts";
import type { BranchView } from "../model.ts";
import { deleteBranch, renameBranch } from "../service/change-branch.ts";
import { createBranch } from "../service/create-branch.ts";
import { forgetBranch, listDeletedBranches, restoreBranch } from "../service/deleted.ts";
import { type GroupDeps, listBranchGroup, readBranchOverview } from "../service/groups.ts";
import { getBranch, listBranches } from "../service/read.ts";
import { type BranchesProps, BranchesView, type BranchForms, type BranchList, type BranchSection, branchLists } from "../views/branches.tsx";
import { changesRefs, changing, type RefsRequest, refusals } from "./changing.ts";

export interface BranchPageDeps extends GroupDeps {
  /** Computes how far tips diverge from a base. Provided by the composition root, because commits are a later feature. */
  readonly compareTips: (repository: RepositorySubject, baseOid: Oid, headOids: readonly Oid[]) => Promise<BranchesProps["divergences"]>;
  /** The pull request of each branch that the reader can see. Provided by the composition root, because pull requests are a later feature. */
  readonly pullsOfBranches: (actor: Actor, repository: RepositorySubject, branches: readonly string[]) => Promise<BranchesProps["pulls"]>;
}

const page = readingPage("repo.code");

/** The web pages of branches. */
export const branchPages = (deps: BranchPageDeps): Route[] => [
  defineRoute({
    ...page,
    id: "branchesPage",
    isExpensive: true,
    path: "/{owner}/{repo}/branches",
    summary: "Branches by group, most recent commits first",
    query: {
      deleted: query.text("The name of the branch that was just deleted"),
      q: query.text("A part of the name"),
      view: query.text("A group of branches; the first ones of each group without it", ["yours", "active", "stale", "all"]),
    },
    handle: (request) => show(deps, request, { deleted: request.query.deleted, part: request.query.q?.trim(), list: readList(request.query.view) }),
  }),
  defineRoute({
    ...changing,
    id: "createBranchOnPage",
    path: "/{owner}/{repo}/branches/create",
    summary: "Make a branch",
    body: inPlace({ name: text(), from: text() }),
    handle: (request) => {
      const { actor, repository } = request;
      const [name, from] = [request.body.name.trim(), request.body.from.trim()];
      return submit(
        async () => {
          if (name === "") throw invalid("[Name]: Required", { reason: "required" });
          await createBranch(deps, actor, repository, { name, fromRev: from, fromBranch: "" });
          return savedAt(branchesPath(repository));
        },
        (problem) => show(deps, request, { created: { name, from, problem: { ...problem, field: problem.field === "branch_name" ? "name" : problem.field } } }),
        { field: "name", fieldOf: { target_not_found: "from" }, also: refusals },
      );
    },
  }),
  defineRoute({
    ...changing,
    id: "renameBranchOnPage",
    path: "/{owner}/{repo}/branches/rename",
    summary: "Rename a branch",
    body: inPlace({ name: text(), new_name: text() }),
    handle: (request) => {
      const { actor, repository, body } = request;
      return submit(
        async () => {
          await renameBranch(deps, actor, repository, body.name, body.new_name.trim());
          return savedAt(branchesPath(repository));
        },
        (problem) => show(deps, request, { part: body.name, renamed: { name: body.name, newName: body.new_name, problem } }),
        { field: "new_name", also: refusals },
      );
    },
  }),
  defineRoute({
    ...changing,
    id: "deleteBranchOnPage",
    path: "/{owner}/{repo}/branches/delete",
    summary: "Delete a branch; it can be restored from the list of deleted branches",
    body: inPlace({ name: text() }),
    handle: (request) => {
      const { actor, repository, body } = request;
      return press(deps, request, async () => {
        await deleteBranch(deps, actor, repository, body.name);
        return seeOther(withQuery(branchesPath(repository), { deleted: body.name }));
      });
    },
  }),
  defineRoute({
    ...changing,
    id: "restoreBranchOnPage",
    path: "/{owner}/{repo}/branches/restore",
    summary: "Restore a deleted branch",
    body: inPlace({ id: text(), name: text() }),
    handle: (request) => {
      const { actor, repository, body } = request;
      const [id, name] = [readId(body.id), body.name.trim()];
      return submit(
        async () => {
          await restoreBranch(deps, actor, repository, { id, name });
          return savedAt(branchesPath(repository), "restored");
        },
        (problem) => show(deps, request, { restored: { id, name, problem: { ...problem, field: "name" } } }),
        { also: refusals },
      );
    },
  }),
  defineRoute({
    ...changing,
    access: repository.admin({ archived: "refused" }),
    id: "forgetBranchOnPage",
    path: "/{owner}/{repo}/branches/forget",
    summary: "Discard a deleted branch for good",
    body: inPlace({ id: text() }),
    handle: (request) =>
      press(deps, request, async () => {
        await forgetBranch(deps, request.repository, readId(request.body.id));
        return savedAt(branchesPath(request.repository), "deleted");
      }),
  }),
];

/** Runs the action of a button; an error is shown above the list. */
const press = (deps: BranchPageDeps, request: RefsRequest, work: () => Promise<RawReply>): Promise<RawReply> =>
  submit(work, (refused) => show(deps, request, { refused }), { also: refusals });

interface Shown {
  readonly created?: { readonly name: string; readonly from: string; readonly problem: FormProblem };
  readonly refused?: Explained;
  /** The name of the branch that was just deleted. */
  readonly deleted?: string | undefined;
  readonly renamed?: NonNullable<BranchForms["renamed"]>;
  /** Shows only branches with this part in their name. */
  readonly part?: string | undefined;
  readonly list?: BranchList;
  /** The submitted values of a failed restore, and the error. */
  readonly restored?: NonNullable<BranchForms["restored"]>;
}

async function show(
  deps: BranchPageDeps,
  request: RefsRequest,
  { created, refused, deleted, restored, renamed, part = "", list: wanted = "overview" }: Shown,
): Promise<RawReply> {
  const { actor, repository, page } = request;
  const reader = pageReader(request);
  const list: BranchList = part === "" ? wanted : "all";
  const { usual, sections } = await readSections(deps, request, list, part);
  const items = [...new Map(sections.flatMap(({ branches }) => branches.map((branch) => [branch.name, branch]))).values()];
  const base = usual ?? items.find(({ name }) => name === repository.defaultBranch) ?? (repository.isEmpty ? undefined : await defaultBranch(deps, request));
  const tips = items.map(({ tip }) => tip.commit.oid);
  const isWriter = changesRefs(actor, repository);
  const kept = isWriter ? await listDeletedBranches(deps, repository) : [];
  const forms: BranchForms | undefined =
    reader.viewer === undefined || !isWriter
      ? undefined
      : {
          formToken: reader.viewer.formToken,
          created: created ?? { name: "", from: "", problem: undefined },
          refused,
          restored,
          renamed,
          deleted: kept,
          justDeleted: kept.find(({ name }) => name === deleted),
          canForget: atLeast(repository.right.mode, "admin"),
        };
  const view = await getRepository(deps, actor, repository.id);
  const title = textsFor(sharedTexts, reader.languages).repository.branches;
  const divergences = base === undefined ? new Map() : await deps.compareTips(repository, base.tip.commit.oid, tips);
  const pulls = await deps.pullsOfBranches(
    actor,
    repository,
    items.map(({ name }) => name),
  );
  const props = { repository, list, sections, part, pulls, divergences, page, now: deps.clock.now(), forms, hasOwn: isUser(actor) };
  return renderRepositoryPage({ ...reader, repository: repositoryHeader(view), tab: "code", title, heading: title }, <BranchesView {...props} />);
}

const readList = (name = ""): BranchList => branchLists.find((list) => list === name) ?? "overview";

interface ReadSections {
  /** The default branch, if it was read. */
  readonly usual?: BranchView | undefined;
  readonly sections: readonly BranchSection[];
}

async function readSections(deps: BranchPageDeps, { actor, repository, page }: RefsRequest, list: BranchList, part: string): Promise<ReadSections> {
  if (list !== "overview") {
    const { items, total } =
      list === "all" ? await listBranches(deps, actor, repository, page, part) : await listBranchGroup(deps, actor, repository, list, page);
    return { sections: [{ name: list, branches: items, total }] };
  }
  const { usual, groups } = await readBranchOverview(deps, actor, repository);
  const others = (["yours", "active", "stale"] as const).map((name) => ({ name, branches: groups[name].items, total: groups[name].total }));
  const shown = others.filter(({ total }) => total > 0);
  return { usual, sections: usual === undefined ? shown : [{ name: "default", branches: [usual], total: 1 }, ...shown] };
}

/** The default branch can be on another page of the list, or not exist at all. */
const defaultBranch = (deps: BranchPageDeps, { actor, repository }: RefsRequest) =>
  getBranch(deps, actor, repository, repository.defaultBranch).catch((error: unknown) => {
    if (isForgeError(error, "not_found")) return undefined;
    throw error;
  });
