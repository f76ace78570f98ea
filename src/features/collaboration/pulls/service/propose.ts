import type { UserActor } from "../../../../access/actor.ts";
import type { RepositorySubject } from "../../../../access/subjects.ts";
import { conflict, invalid, notFound } from "../../../../core/errors.ts";
import type { Db } from "../../../../db/db.ts";
import { isAncestor } from "../../../../git/history/log.ts";
import { readCommit } from "../../../../git/objects/objects.ts";
import { isValidBranchName } from "../../../../git/objects/ref-names.ts";
import type { Oid } from "../../../../git/types.ts";
import { codeStore } from "../../../repositories/branches/service/deps.ts";
import { branchPrefix } from "../../../repositories/refs/model.ts";
import { findRefs } from "../../../repositories/refs/service/read.ts";
import { canReadIssue } from "../../issues/rights.ts";
import { noPlan } from "../../issues/service/create.ts";
import { checkContent, checkTitle } from "../../issues/service/texts.ts";
import type { PullRow } from "../model.ts";
import { findOpenPull } from "../store/list.ts";
import { findPullRow } from "../store/rows.ts";
import { insertOpened, lookAt } from "./create.ts";
import type { PullDeps } from "./deps.ts";
import { synchronize } from "./follow.ts";
import { headRefOf } from "./heads.ts";
import { joinIssues } from "./targets.ts";

/** A push to `refs/for/`: a pull request without a branch. */
export interface Proposal {
  /** Ref name after `refs/for/`: the base, followed by a slash and the topic unless an option names the topic. */
  readonly name: string;
  /** Empty: not given; likewise for the following. */
  readonly topic: string;
  readonly title: string;
  readonly description: string;
  /** The commit is stored durably in the repository's store. */
  readonly headOid: Oid;
  /** Whether commits may be discarded. */
  readonly isForced: boolean;
}

/**
 * Creates a pull request from a commit pushed to `refs/for/`, or updates the head of the one with the same topic. Requires read access.
 * @returns the ref of the pull request
 * @throws ForgeError `not_found` for an unknown base, `invalid` without a topic, `conflict` if commits would be discarded
 */
export async function proposePull(deps: PullDeps, actor: UserActor, repository: RepositorySubject, proposal: Proposal): Promise<string> {
  if (!canReadIssue(repository, { isPull: true })) throw notFound("pull requests are disabled in this repository");
  const { base, topic } = await readName(deps, repository, proposal);
  const branch = topic.startsWith(`${actor.name}/`) ? topic : `${actor.name}/${topic}`;
  if (!isValidBranchName(branch)) throw invalid(`${branch} is not a valid topic name`);
  const ends = { repoId: repository.id, baseBranch: base, headRepoId: repository.id, headBranch: branch };
  const known = await findOpenPull(deps.db, ends, "agit");
  return known === undefined ? open(deps, actor, repository, { ...proposal, base, branch }) : advance(deps, actor, repository, known, proposal);
}

/** The longest prefix that is a branch is the base; the rest is the topic. */
async function readName(
  { db }: { readonly db: Db },
  repository: RepositorySubject,
  { name, topic }: Proposal,
): Promise<{ readonly base: string; readonly topic: string }> {
  const parts = name.split("/");
  const candidates = parts.map((_, index) => parts.slice(0, parts.length - index).join("/")).filter(isValidBranchName);
  const refs = await findRefs(
    db,
    repository.codeStoreId,
    candidates.map((candidate) => branchPrefix + candidate),
  );
  const base = candidates.find((candidate) => refs.has(branchPrefix + candidate));
  if (base === undefined) throw notFound(`there is no branch ${name} to propose this for`);
  const chosen = name === base ? topic : name.slice(base.length + 1);
  if (chosen === "") throw invalid("name a topic: push to refs/for/<branch>/<topic>, or with -o topic=<topic>");
  return { base, topic: chosen };
}

/** The branches can move during the computation. */
const maxAttempts = 10;

async function open(
  deps: PullDeps,
  actor: UserActor,
  repository: RepositorySubject,
  { base, branch, headOid, ...words }: Proposal & { readonly base: string; readonly branch: string },
): Promise<string> {
  const commit = await readCommit(codeStore(deps, repository), headOid);
  const [subject = "", ...body] = (commit?.message ?? "").split("\n");
  const title = words.title === "" ? subject : words.title;
  const content = words.description === "" ? body.join("\n").trim() : words.description;
  checkTitle(title);
  checkContent(content);
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const baseOid = (await findRefs(deps.db, repository.codeStoreId, [branchPrefix + base])).get(branchPrefix + base)?.oid;
    if (baseOid === undefined) throw notFound(`there is no branch ${base} to propose this for`);
    const tips = await lookAt(deps, repository, { baseOid, headOid, headStoreId: repository.codeStoreId });
    const opened = { title, content, plan: noPlan, reviewers: { users: [], teams: [] }, allowsMaintainerEdit: false, flow: "agit", tips } as const;
    const ends = { base: { repository, branch: base }, head: { repository, branch } };
    const made = await deps.db.tx((tx) => insertOpened(tx, deps, actor, { ...opened, ...ends }));
    if (made !== undefined) return headRefOf(made.number);
  }
  throw conflict("the branches change faster than a pull request can be opened: try again");
}

async function advance(deps: PullDeps, actor: UserActor, repository: RepositorySubject, known: PullRow, { headOid, isForced }: Proposal): Promise<string> {
  if (known.headOid === headOid) return headRefOf(known.number);
  if (!isForced && !(await isAncestor(codeStore(deps, repository), known.headOid, headOid))) {
    throw conflict("this would discard commits of the topic: push with -o force-push=true");
  }
  await deps.db.tx(async (tx) => {
    const present = await findPullRow(tx, known.issueId);
    const [pull] = present === undefined || present.isClosed ? [] : await joinIssues(tx, [present]);
    if (pull?.headOid !== known.headOid) throw conflict("the topic has changed meanwhile: fetch first");
    await synchronize(tx, actor.id, pull, headOid);
  });
  return headRefOf(known.number);
}
