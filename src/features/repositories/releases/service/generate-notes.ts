import type { RepositorySubject } from "../../../../access/subjects.ts";
import { messageTitle } from "../../../../core/commit-message.ts";
import { invalid, notFound } from "../../../../core/errors.ts";
import type { Urls } from "../../../../core/urls.ts";
import { findEntry, readBlob, readCommit } from "../../../../git/objects/objects.ts";
import { walkBetween, walkCommits } from "../../../../git/objects/walk.ts";
import type { GitStore } from "../../../../git/stores.ts";
import type { Commit, Oid } from "../../../../git/types.ts";
import { canReadIssue } from "../../../collaboration/issues/rights.ts";
import { createYamlReader, TemplateProblem } from "../../../collaboration/issues/templates/yaml.ts";
import type { WorkerPool } from "../../../site/markup/worker-pool.ts";
import { codeStore } from "../../branches/service/deps.ts";
import { shortName, tagPrefix } from "../../refs/model.ts";
import { pageTags } from "../../refs/service/read.ts";
import { resolveRev } from "../../refs/service/resolve.ts";
import { defaultLabels, type NotesRules, readRules, sortIntoCategories } from "../notes/categories.ts";
import { listEarlierAuthors, listMergedBy, type MergedPull } from "../store/notes.ts";
import type { ReleaseDeps } from "./tag.ts";

export interface NotesDeps extends ReleaseDeps {
  readonly urls: Urls;
  readonly workers: Pick<WorkerPool, "run">;
}

/** The words of generated notes, in the language of their author. */
export interface NotesTexts {
  readonly changes: string;
  readonly categories: Readonly<Record<keyof typeof defaultLabels, string>>;
  readonly others: string;
  readonly newContributors: string;
  readonly fullChangelog: string;
  readonly moreChanges: (count: number) => string;
  readonly pullLine: (title: string, author: string, address: string) => string;
  readonly newContributor: (name: string, address: string) => string;
}

export interface NotesInput {
  readonly tagName: string;
  /** The target of a new tag; empty for the default branch. */
  readonly target: string;
  /** Empty: the newest tag that the release contains. */
  readonly previousTag: string;
}

/** Further commits and pull requests are left out. */
const maxCommits = 5_000;
const maxPulls = 500;
const maxListedCommits = 50;

/**
 * Composes the notes of a release in Markdown from the pull requests that were merged since the previous tag, by their labels, with new contributors
 * and a link to all changes. Without pull requests, the notes list commits. At most one process.
 * @throws ForgeError `invalid` without a tag name, `not_found` for an unknown target or previous tag
 */
export async function generateNotes(deps: NotesDeps, repository: RepositorySubject, input: NotesInput, texts: NotesTexts): Promise<string> {
  if (input.tagName === "") throw invalid("[TagName]: Required", { reason: "required" });
  const store = codeStore(deps, repository);
  const head =
    (await resolveRev(deps, store, input.tagName, ["tag"])) ?? (await resolveRev(deps, store, input.target === "" ? repository.defaultBranch : input.target));
  if (head === undefined) throw notFound(`target "${input.target}" not found`, { reason: "target_not_found" });
  const previous = await findPrevious(deps, repository, store, input, head.commitOid);
  const commits = await commitsSince(store, head.commitOid, previous?.oid);
  const pulls = canReadIssue(repository, { isPull: true })
    ? await listMergedBy(
        deps.db,
        repository.id,
        commits.map(({ oid }) => oid),
        maxPulls,
      )
    : [];
  const rules = (await readOwnRules(deps, store, head.commitOid)) ?? usualRules(texts, pulls);
  const address: Address = (...parts) => deps.urls.web(repository.fullName, ...parts);
  const compared = previous === undefined ? address("commits", "tag", input.tagName) : address("compare", `${previous.name}...${input.tagName}`);
  const parts = [
    pulls.length === 0 ? commitList(commits, texts, address) : pullSections(pulls, rules, texts, address),
    await contributors(deps, repository, pulls, texts, address),
    `**${texts.fullChangelog}**: ${compared}`,
  ];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

interface Previous {
  readonly name: string;
  readonly oid: Oid;
}

const newestTags = { page: 1, limit: 50, offset: 0 };

async function findPrevious(
  deps: NotesDeps,
  { codeStoreId }: RepositorySubject,
  store: GitStore,
  { tagName, previousTag }: NotesInput,
  headOid: Oid,
): Promise<Previous | undefined> {
  if (previousTag !== "") {
    const found = await resolveRev(deps, store, previousTag, ["tag"]);
    if (found === undefined) throw notFound(`tag "${previousTag}" not found`, { reason: "target_not_found", field: "previous_tag" });
    return { name: previousTag, oid: found.commitOid };
  }
  const { items } = await pageTags(deps.db, codeStoreId, newestTags);
  const tags = new Map<Oid, string>();
  for (const { name, oid, peeledOid } of items) {
    const commitOid = peeledOid === "" ? oid : peeledOid;
    if (name !== tagPrefix + tagName && !tags.has(commitOid)) tags.set(commitOid, shortName(name));
  }
  // The nearest tag in the history of the release, so that a fix of an old version is not compared with a newer one.
  const near = (await walkCommits(store, headOid, { skip: 0, limit: maxCommits, maxReads: maxCommits })) ?? [];
  const found = near.find(({ oid }) => tags.has(oid));
  return found && { name: tags.get(found.oid) ?? "", oid: found.oid };
}

const commitsSince = async (store: GitStore, headOid: Oid, previousOid: Oid | undefined): Promise<readonly Commit[]> =>
  previousOid === undefined
    ? ((await walkCommits(store, headOid, { skip: 0, limit: maxCommits, maxReads: maxCommits })) ?? [])
    : walkBetween(store, headOid, previousOid, maxCommits);

/** Files with rules for the notes, as on GitHub. */
const ruleFiles = [".gitea/release.yml", ".gitea/release.yaml", ".github/release.yml", ".github/release.yaml"];
const maxRuleBytes = 64 * 1024;

async function readOwnRules(deps: NotesDeps, store: GitStore, commitOid: Oid): Promise<NotesRules | undefined> {
  const treeOid = (await readCommit(store, commitOid))?.treeOid;
  if (treeOid === undefined) return undefined;
  for (const path of ruleFiles) {
    const entry = await findEntry(store, treeOid, path);
    const data = entry?.mode.startsWith("100") ? (await readBlob(store, entry.oid, maxRuleBytes))?.data : undefined;
    if (data === undefined) continue;
    try {
      return readRules(await createYamlReader(deps.workers)(data.toString("utf8")));
    } catch (error) {
      if (error instanceof TemplateProblem) return undefined;
      throw error;
    }
  }
  return undefined;
}

/** Categories by common names of labels, if a pull request has one. */
function usualRules(texts: NotesTexts, pulls: readonly MergedPull[]): NotesRules {
  const categories = Object.entries(defaultLabels).map(([name, labels]) => ({ title: texts.categories[name as keyof typeof defaultLabels], labels }));
  const rules = { categories, excludedLabels: [], excludedAuthors: [] };
  return sortIntoCategories(pulls, rules).some(({ title }) => title !== "") ? rules : { ...rules, categories: [] };
}

/** The address of a page of the repository. */
type Address = (...parts: readonly (string | number)[]) => string;

function pullSections(pulls: readonly MergedPull[], rules: NotesRules, texts: NotesTexts, address: Address): string {
  const sections = sortIntoCategories(pulls, rules);
  const isDivided = sections.some(({ title }) => title !== "");
  const lines = sections.map(({ title, pulls: own }) => {
    const list = own.map((pull) => `- ${texts.pullLine(escaped(pull.title), mention(pull), address("pulls", pull.number))}`).join("\n");
    return isDivided ? `### ${title === "" ? texts.others : title}\n${list}` : list;
  });
  return `## ${texts.changes}\n${isDivided ? "\n" : ""}${lines.join("\n\n")}`;
}

function commitList(commits: readonly Commit[], texts: NotesTexts, address: Address): string {
  const shown = commits.filter(({ parentOids }) => parentOids.length < 2).slice(0, maxListedCommits);
  if (shown.length === 0) return "";
  const lines = shown.map(({ oid, message }) => `- ${escaped(messageTitle(message))} ([${oid.slice(0, 10)}](${address("commit", oid)}))`);
  const rest = commits.length - shown.length;
  return [`## ${texts.changes}`, ...lines, ...(rest > 0 ? [`- ${texts.moreChanges(rest)}`] : [])].join("\n");
}

async function contributors(
  deps: NotesDeps,
  repository: RepositorySubject,
  pulls: readonly MergedPull[],
  texts: NotesTexts,
  address: Address,
): Promise<string> {
  const [first] = pulls;
  const firsts = new Map<number, MergedPull>();
  for (const pull of pulls) if (pull.authorId !== null && !firsts.has(pull.authorId)) firsts.set(pull.authorId, pull);
  if (first === undefined || firsts.size === 0) return "";
  const earlier = await listEarlierAuthors(deps.db, repository.id, [...firsts.keys()], first.mergedMs);
  const lines = [...firsts].filter(([id]) => !earlier.has(id)).map(([, pull]) => `- ${texts.newContributor(mention(pull), address("pulls", pull.number))}`);
  return lines.length === 0 ? "" : [`## ${texts.newContributors}`, ...lines].join("\n");
}

const mention = ({ authorName }: MergedPull): string => (authorName === null ? "ghost" : `@${authorName}`);

/** Titles are plain text. */
const escaped = (title: string): string => title.replace(/[\\`*_[\]<>|]/g, "\\$&").replace(/^([-+#]|\d+\.)/, "\\$1");
