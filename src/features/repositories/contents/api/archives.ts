import { createHash } from "node:crypto";
import type { Actor } from "../../../../access/actor.ts";
import { callerOf } from "../../../../access/caller.ts";
import type { RepositorySubject } from "../../../../access/subjects.ts";
import type { Clock } from "../../../../core/clock.ts";
import type { Enter, Lane } from "../../../../core/lanes.ts";
import type { Urls } from "../../../../core/urls.ts";
import { repository } from "../../../../http/access.ts";
import { type RawReply, raw } from "../../../../http/answers.ts";
import { fileHeaders, isUnchanged } from "../../../../http/file-answer.ts";
import { type QueryParameter, query } from "../../../../http/query.ts";
import { defineRoute, type Route } from "../../../../http/route.ts";
import { codeStore } from "../../branches/service/deps.ts";
import type { RefSnapshots } from "../../refs/service/snapshots.ts";
import { lastModifiedOf } from "../last-modified.ts";
import { type ArchiveDeps, type ArchiveFormat, findArchive, openArchive, readArchiveName, takeArchiveRefs } from "../service/archive.ts";
import { cleanPath } from "../service/tree-plan.ts";

export type ArchiveApiDeps = ArchiveDeps & { readonly bulkLane: Lane; readonly clock: Clock; readonly refSnapshots: RefSnapshots; readonly urls: Urls };

const common = { tag: "repository", access: repository.reader("repo.code"), scope: "repository", entersLane: true, answers: raw([]) } as const;
/** Commas are part of a path here, not separators. */
const paths: QueryParameter<readonly string[]> = {
  ...query.texts("only these files and directories; repeat it for several"),
  read: (given) => given.map(cleanPath).filter((path) => path !== ""),
};

const methods = ["GET", "HEAD"] as const;
type Method = (typeof methods)[number];

/** Downloads of a commit: its files as zip or tar.gz, or its history as a bundle. */
export function archiveRoutes(deps: ArchiveApiDeps): Route[] {
  return methods.flatMap((method) => [
    defineRoute({
      ...common,
      id: method === "GET" ? "repoGetArchive" : "repoHeadArchive",
      isUnlisted: method === "HEAD",
      method,
      path: "/repos/{owner}/{repo}/archive/{archive+}",
      summary: "Download an archive of a branch, tag or commit: name.zip, name.tar.gz or name.bundle",
      query: { path: paths },
      refusals: { 304: "notModified", 400: "error", 404: "notFound" },
      handle: (request) => answerArchive(deps, { ...request, ...readArchiveName(request.params.archive), mount: "api", method, paths: request.query.path }),
    }),
    defineRoute({
      ...common,
      id: method === "GET" ? "webGetArchive" : "webHeadArchive",
      isUnlisted: true,
      mount: "root",
      method,
      path: "/{owner}/{repo}/archive/{archive+}",
      summary: "Download an archive of a repository",
      query: { path: paths },
      handle: (request) => answerArchive(deps, { ...request, ...readArchiveName(request.params.archive), mount: "web", method, paths: request.query.path }),
    }),
    formatRoute(deps, method, "tarball", "tar.gz"),
    formatRoute(deps, method, "zipball", "zip"),
    formatRoute(deps, method, "bundle", "bundle"),
  ]);
}

/** Alternative URLs of the same archives, for clients of other forges. */
function formatRoute(deps: ArchiveApiDeps, method: Method, name: "tarball" | "zipball" | "bundle", format: ArchiveFormat): Route {
  return defineRoute({
    ...common,
    id: `${method === "GET" ? "repoGet" : "repoHead"}${name[0]?.toUpperCase()}${name.slice(1)}`,
    isUnlisted: true,
    method,
    path: `/repos/{owner}/{repo}/${name}/{ref+}`,
    summary: "Download an archive of a repository",
    query: { path: paths },
    handle: (request) => answerArchive(deps, { ...request, rev: request.params.ref, format, mount: "api", method, paths: request.query.path }),
  });
}

interface ArchiveCall {
  readonly actor: Actor;
  readonly remoteAddress: string;
  readonly repository: RepositorySubject;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly signal: AbortSignal;
  readonly rev: string;
  readonly format: ArchiveFormat;
  readonly paths: readonly string[];
  readonly mount: "api" | "web";
  readonly method: Method;
}

async function answerArchive(deps: ArchiveApiDeps, call: ArchiveCall): Promise<RawReply> {
  const { repository, paths, mount } = call;
  const archive = await findArchive(deps, repository, call);
  const { oid } = archive.commit;
  using refs = archive.format === "bundle" ? undefined : await takeArchiveRefs(deps, codeStore(deps, repository), archive.commit);
  // The archive also depends on the ref name (bundles contain it), the paths, and the refs that files can contain.
  const variant = createHash("sha256").update(JSON.stringify([archive.ref?.name, archive.format, paths, refs?.digest]));
  const etag = `${oid}-${variant.digest("hex").slice(0, 16)}`;
  // @compat the fixed address of an annotated tag names the tag object (contents/archive.test.ts)
  const fixedOid = archive.ref?.oid ?? oid;
  const fixed = `archive/${fixedOid}.${archive.format}`;
  const address =
    mount === "api" ? deps.urls.api("repos", repository.ownerName, repository.name, fixed) : deps.urls.web(repository.ownerName, repository.name, fixed);
  const validators = { etag, lastModifiedMs: lastModifiedOf(repository, deps.clock.now()) };
  const headers = {
    ...fileHeaders({
      ...validators,
      contentType: "application/octet-stream",
      disposition: "attachment",
      name: archive.fileName,
      cacheControl: "private, max-age=0, must-revalidate, no-transform",
    }),
    link: `<${address}?rev=${fixedOid}>; rel="immutable"`,
  };
  if (isUnchanged(call.headers, validators)) {
    const { "last-modified": date } = headers as Readonly<Record<string, string>>;
    return { status: 304, headers: { etag: `"${etag}"`, ...(date !== undefined && { "last-modified": date }), link: headers.link } };
  }
  if (call.method === "HEAD") return { status: 200, headers };
  const enter: Enter = (signal) => deps.bulkLane.enter(callerOf(call.actor, call.remoteAddress), signal);
  return { status: 200, headers, body: await openArchive(deps, repository, archive, { ...call, refs, enter }) };
}
