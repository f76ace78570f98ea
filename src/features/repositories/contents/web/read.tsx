import { type Actor, isUser, type UserActor } from "../../../../access/actor.ts";
import { atLeast } from "../../../../access/repository.ts";
import type { RepositorySubject } from "../../../../access/subjects.ts";
import type { Clock } from "../../../../core/clock.ts";
import { notFound } from "../../../../core/errors.ts";
import type { Page } from "../../../../core/paging.ts";
import { encodePath, type Urls } from "../../../../core/urls.ts";
import type { Mistake } from "../../../../core/workflow-mistakes.ts";
import type { Oid } from "../../../../git/types.ts";
import { seeOther } from "../../../../http/form-submit.ts";
import { type PageRequest, pageReader } from "../../../../http/page-reader.ts";
import { readingPage } from "../../../../http/page-route.ts";
import { query } from "../../../../http/query.ts";
import { defineRoute, type Route } from "../../../../http/route.ts";
import { wantedFeed } from "../../../../http/wanted-feed.ts";
import { repositoryPath, withQuery } from "../../../../ui/addresses.ts";
import { renderRepositoryPage } from "../../../../ui/repository-page.tsx";
import { codeStore } from "../../branches/service/deps.ts";
import { commitCount } from "../../commits/service/counts.ts";
import type { RefMenus } from "../../refs/service/menus.ts";
import { repositoryHeader } from "../../repos/header.ts";
import { languageOf } from "../../repos/languages.ts";
import type { RepositoryView } from "../../repos/model.ts";
import { previewUrl } from "../../repos/present.ts";
import { getLanguages } from "../../repos/service/languages.ts";
import { getRepository } from "../../repos/service/loaders.ts";
import type { EntryView, Viewpoint } from "../model.ts";
import { readDirectory } from "../service/directory.ts";
import { showCommit } from "../service/latest-commit.ts";
import { completePath } from "../service/raw.ts";
import { type ReadDeps, readContentsAt } from "../service/read.ts";
import { type ShowDeps, showFile } from "../service/show.ts";
import { readSourceTree } from "../service/source-tree.ts";
import { findViewpoint, splitViewedPath } from "../service/viewpoint.ts";
import { DirectoryView } from "../views/directory.tsx";
import { type FileOwners, FileView } from "../views/file.tsx";
import { About, type CloneAddresses, CloneMenu, EmptyRepository, type LatestRelease } from "../views/home.tsx";
import { DirectoryActions, PathBar } from "../views/path-bar.tsx";
import { ForkBar, type ForkBarProps, type RecentPush, RecentPushes, SyncResult } from "../views/proposals.tsx";
import { type TreeLook, treeLookOf, WithTree } from "../views/source-tree.tsx";
import { orMissing } from "./missing.tsx";

export interface ContentsPageDeps extends ReadDeps, ShowDeps {
  readonly db: ReadDeps["db"];
  readonly clock: Clock;
  readonly urls: Urls;
  readonly refMenus: RefMenus;
  /** Whether repositories can also be cloned over SSH. */
  readonly hasSsh: boolean;
  /** The latest release visible to a reader. Provided by the composition root, because releases are a later feature. */
  /** The reader's branches that can be proposed. Provided by the composition root, because activities are a later feature. */
  readonly findRecentPushes: (actor: UserActor, repository: RepositorySubject) => Promise<readonly RecentPush[]>;
  /** How far a branch of a fork differs from its parent. Provided by the composition root, because forks are a later feature. */
  readonly readForkState: (
    actor: Actor,
    fork: RepositorySubject,
    parentId: number,
    branch: { readonly name: string; readonly oid: Oid },
  ) => Promise<ForkBarProps["state"] | undefined>;
  /** The mistakes in a workflow file. Provided by the composition root, because workflows are a later feature. */
  readonly findMistakes: (repository: RepositorySubject, file: Pick<EntryView, "path" | "oid">) => Promise<readonly Mistake[]>;
  /** The owners of a file by the CODEOWNERS file of a commit. Provided by the composition root, because reviews are a later feature. */
  readonly findFileOwners: (repository: RepositorySubject, commitOid: Oid, path: string) => Promise<FileOwners>;
  readonly findLatestRelease: (repository: RepositorySubject) => Promise<LatestRelease | undefined>;
}

const page = readingPage("repo.code");
const synced = query.text("The result of an update of a fork: the number of new commits, or the reason of its refusal");

/** The web pages of a repository's files. */
export const contentsPages = (deps: ContentsPageDeps): Route[] => [
  defineRoute({
    ...page,
    id: "repositoryPage",
    path: "/{owner}/{repo}",
    summary: "A repository's home page: its files and readme",
    query: { synced },
    handle: async (request) => {
      const { actor, repository, signal } = request;
      const feed = wantedFeed(request.headers);
      if (feed !== undefined) return seeOther(`${repositoryPath(repository)}.${feed}`);
      const view = await getRepository(deps, actor, repository.id);
      const card = {
        kind: "website",
        description: view.description,
        url: deps.urls.web(repository.fullName),
        imageUrl: previewUrl(view, deps.urls),
      } as const;
      const common = { ...pageReader(request), repository: repositoryHeader(view), tab: "code", title: "", heading: null, card } as const;
      if (repository.isEmpty) {
        const clone = cloneAddresses(deps, repository);
        return renderRepositoryPage(
          common,
          <EmptyRepository repository={repository} clone={clone} branch={repository.defaultBranch} canEdit={editsFiles(actor, repository)} />,
        );
      }
      const at = await findViewpoint(deps, repository, "");
      const treeLook = treeLookOf(request.headers);
      const files = await directoryOrFile(deps, { actor, repository, at, path: "", page: directoryPageOf(request), asSource: false, treeLook, signal });
      const about = (
        <About
          repository={{ ...view, ownerName: view.owner.name }}
          languages={await getLanguages(deps, repository.id)}
          latestRelease={view.releasesCount === 0 ? undefined : await deps.findLatestRelease(repository)}
          canRelease={isUser(actor) && !repository.isArchived && atLeast(repository.right.unit("repo.releases"), "write")}
          now={deps.clock.now()}
        />
      );
      return renderRepositoryPage(
        common,
        <div class="columns">
          <div>
            {await proposals(deps, request, view, at)}
            {files}
          </div>
          {about}
        </div>,
      );
    },
  }),
  defineRoute({
    ...page,
    id: "sourcePage",
    path: "/{owner}/{repo}/src/{filepath+}",
    summary: "A file or directory, by kind and name of the revision and path",
    query: {
      display: query.text("`source`: show the source instead of the rendered file"),
      raw: query.text("`true` or `1`: redirect to the raw file"),
      synced,
    },
    handle: async (request) => {
      const { actor, repository, params, signal } = request;
      const [, kind, below] = /^(branch|tag|commit)\/(.+)$/s.exec(params.filepath) ?? [];
      if (kind === undefined || below === undefined) {
        const complete = await completePath(deps, repository, params.filepath);
        return { status: 303, headers: { location: withQuery(`/${encodePath(`${repository.fullName}/src/${complete}`)}`, { raw: request.query.raw }) } };
      }
      if (/^(?:true|1)$/.test(request.query.raw ?? "")) return seeOther(`/${encodePath(`${repository.fullName}/raw/${params.filepath}`)}`);
      const viewed = await splitViewedPath(deps, repository, below, [kind as Viewpoint["kind"]]);
      if (viewed === undefined) throw notFound();
      const view = await getRepository(deps, actor, repository.id);
      const path = viewed.path.replace(/\/+$/, "");
      return orMissing(deps, { request, view, viewed: { at: viewed.at, path }, page: "src" }, async () => {
        const content = await directoryOrFile(deps, {
          actor,
          repository,
          at: viewed.at,
          path,
          page: directoryPageOf(request),
          asSource: request.query.display === "source",
          treeLook: treeLookOf(request.headers),
          signal,
        });
        const title = path === "" ? viewed.at.rev : path;
        const above = path === "" ? await proposals(deps, request, view, viewed.at) : null;
        return renderRepositoryPage({ ...pageReader(request), repository: repositoryHeader(view), tab: "code", title, heading: null }, above, content);
      });
    },
  }),
];

interface Place {
  readonly actor: Actor;
  readonly repository: RepositorySubject;
  readonly at: Viewpoint;
  readonly path: string;
  /** The page of a directory listing. */
  readonly page: Page;
  readonly asSource: boolean;
  readonly treeLook: TreeLook;
  readonly signal: AbortSignal;
}

/** More rows would make the page slow. */
const directoryPageLimit = 500;

const directoryPageOf = ({ page: { page } }: { readonly page: Page }): Page => ({ page, limit: directoryPageLimit, offset: (page - 1) * directoryPageLimit });

async function directoryOrFile(deps: ContentsPageDeps, place: Place) {
  const { actor, repository, at, path, page, signal } = place;
  const isRoot = path === "";
  const [directory, commitsCount] = await Promise.all([
    readDirectory(deps, repository, at, { path, page, signal }),
    isRoot ? commitCount(deps, codeStore(deps, repository), at.commit.oid, signal) : undefined,
  ]);
  const revs = await deps.refMenus.offer(repository);
  if (directory === undefined) {
    const { found } = await readContentsAt(deps, repository, at, { path, detail: { content: true, lfs: true, lastCommit: true }, signal });
    if (!("file" in found)) throw notFound();
    const file = (
      <FileView
        repository={repository}
        at={at}
        file={found.file}
        shown={await showFile(deps, place, found.file)}
        language={await languageOf(path)}
        owners={await deps.findFileOwners(repository, at.commit.oid, path)}
        mistakes={await deps.findMistakes(repository, found.file)}
        canEdit={proposesFiles(actor, repository)}
        latest={await showCommit(deps, actor, repository, found.file.lastCommit ?? at.commit)}
        now={deps.clock.now()}
      />
    );
    return (
      <WithTree repository={repository} at={at} path={path} tree={await readSourceTree(deps, repository, at, path)} look={place.treeLook}>
        <PathBar repository={repository} at={at} path={path} revs={revs} />
        {file}
      </WithTree>
    );
  }
  const { entries, total, readme, lastCommit } = directory;
  const bar = (
    <PathBar repository={repository} at={at} path={path} revs={revs} refs={isRoot ? await deps.refMenus.count(repository) : undefined}>
      <DirectoryActions repository={repository} at={at} path={path} canEdit={proposesFiles(actor, repository)} canUpload={editsFiles(actor, repository)} />
      {isRoot && <CloneMenu repository={repository} clone={cloneAddresses(deps, repository)} rev={at.rev} />}
    </PathBar>
  );
  const shown = readme && { path: readme.path, shown: await showFile(deps, place, readme) };
  const view = (
    <DirectoryView
      repository={repository}
      at={at}
      path={path}
      entries={entries}
      page={page}
      total={total}
      readme={shown}
      latest={await showCommit(deps, actor, repository, lastCommit)}
      commitsCount={commitsCount}
      now={deps.clock.now()}
    />
  );
  if (isRoot) return [bar, view];
  return (
    <WithTree repository={repository} at={at} path={path} tree={await readSourceTree(deps, repository, at, path)} look={place.treeLook}>
      {bar}
      {view}
    </WithTree>
  );
}

type ProposalRequest = PageRequest & Pick<Place, "actor" | "repository"> & { readonly query: { readonly synced?: string | undefined } };

/** Proposals that the reader can make from here: their recently pushed branches, and the state of a fork. */
async function proposals(deps: ContentsPageDeps, request: ProposalRequest, view: RepositoryView, at: Viewpoint) {
  const { actor, repository } = request;
  const pushes = isUser(actor) && !repository.isArchived ? await deps.findRecentPushes(actor, repository) : [];
  const branch = at.kind === "branch" && view.parent !== undefined ? { name: at.rev, oid: at.commit.oid } : undefined;
  const state = branch && view.parent && (await deps.readForkState(actor, repository, view.parent.id, branch));
  const formToken = editsFiles(actor, repository) ? pageReader(request).viewer?.formToken : undefined;
  return (
    <>
      <RecentPushes place={repository} pushes={pushes} now={deps.clock.now()} />
      {state !== undefined && (
        <SyncResult
          fork={repository}
          branch={at.rev}
          state={state}
          result={request.query.synced}
          parentUrl={`${deps.urls.web(state.parent.ownerName, state.parent.name)}.git`}
        />
      )}
      {state !== undefined && <ForkBar fork={repository} branch={at.rev} state={state} formToken={formToken} />}
    </>
  );
}

const editsFiles = (actor: Actor, repository: RepositorySubject): boolean =>
  proposesFiles(actor, repository) && atLeast(repository.right.unit("repo.code"), "write");

/** Users without write access propose changes from a fork. */
const proposesFiles = (actor: Actor, { isArchived, isMirror }: RepositorySubject): boolean => isUser(actor) && !isArchived && !isMirror;

const cloneAddresses = ({ urls, hasSsh }: ContentsPageDeps, { ownerName, name }: RepositorySubject): CloneAddresses => ({
  http: `${urls.web(ownerName, name)}.git`,
  ssh: hasSsh ? urls.ssh(ownerName, name) : undefined,
});
