import { type Actor, isUser, type UserActor } from "../../../../access/actor.ts";
import type { RepositorySubject } from "../../../../access/subjects.ts";
import type { Clock } from "../../../../core/clock.ts";
import type { Page, Paged } from "../../../../core/paging.ts";
import { branchPrefix, type RefView } from "../../refs/model.ts";
import { findRef, findRefs, pageBranchesByAge } from "../../refs/service/read.ts";
import type { BranchView } from "../model.ts";
import type { BranchDeps } from "./deps.ts";
import { toViews } from "./read.ts";

export interface GroupDeps extends BranchDeps {
  readonly clock: Clock;
  /** Full names of branches that a user has pushed recently, last push first. Provided by the composition root, because activities are a later feature. */
  readonly ownBranchesOf: (actor: UserActor, repository: RepositorySubject) => Promise<readonly string[]>;
}

/** Branches without the default branch. `yours`: pushed by the caller; `active` and `stale`: with a newer or older last commit than {@link staleMs}. */
export type BranchGroup = "yours" | "active" | "stale";

/** Age of the last commit of a stale branch. */
const staleMs = 90 * 86_400_000;

/** A page of a group, newest commits first. A constant number of statements. */
export async function listBranchGroup(
  deps: GroupDeps,
  actor: Actor,
  repository: RepositorySubject,
  group: BranchGroup,
  page: Page,
): Promise<Paged<BranchView>> {
  const { items, total } = await pageGroup(deps, actor, repository, group, page);
  return { items: await toViews(deps, actor, repository, items), total };
}

async function pageGroup(deps: GroupDeps, actor: Actor, repository: RepositorySubject, group: BranchGroup, page: Page): Promise<Paged<RefView>> {
  if (group === "yours") {
    const refs = isUser(actor) ? await findOwn(deps, actor, repository) : [];
    return { items: refs.slice(page.offset, page.offset + page.limit), total: refs.length };
  }
  const exceptBranch = repository.defaultBranch;
  const boundMs = deps.clock.now() - staleMs;
  const age = group === "active" ? { exceptBranch, sinceMs: boundMs } : { exceptBranch, beforeMs: boundMs };
  return pageBranchesByAge(deps.db, repository.codeStoreId, age, page);
}

async function findOwn(deps: GroupDeps, actor: UserActor, repository: RepositorySubject): Promise<readonly RefView[]> {
  const names = await deps.ownBranchesOf(actor, repository);
  const refs = await findRefs(deps.db, repository.codeStoreId, names);
  return names.flatMap((name) => (name === branchPrefix + repository.defaultBranch ? [] : (refs.get(name) ?? [])));
}

export interface BranchOverview {
  /** Undefined if it does not exist. */
  readonly usual: BranchView | undefined;
  /** The first branches of each group. */
  readonly groups: Readonly<Record<BranchGroup, Paged<BranchView>>>;
}

const firstOnes: Page = { page: 1, limit: 5, offset: 0 };

/** The default branch and the first branches of each group. A constant number of statements, and the tips in one batch. */
export async function readBranchOverview(deps: GroupDeps, actor: Actor, repository: RepositorySubject): Promise<BranchOverview> {
  const usual = await findRef(deps.db, repository.codeStoreId, branchPrefix + repository.defaultBranch);
  const pageOf = (group: BranchGroup) => pageGroup(deps, actor, repository, group, firstOnes);
  const pages = { yours: await pageOf("yours"), active: await pageOf("active"), stale: await pageOf("stale") };
  const refs = new Map([...(usual === undefined ? [] : [usual]), ...Object.values(pages).flatMap(({ items }) => items)].map((ref) => [ref.name, ref]));
  const views = await toViews(deps, actor, repository, [...refs.values()]);
  const byName = new Map(views.map((view) => [branchPrefix + view.name, view]));
  const shown = ({ items, total }: Paged<RefView>): Paged<BranchView> => ({ items: items.flatMap(({ name }) => byName.get(name) ?? []), total });
  return { usual: usual && byName.get(usual.name), groups: { yours: shown(pages.yours), active: shown(pages.active), stale: shown(pages.stale) } };
}
