import { emptyPack, pushBody, zeroOid } from "../test/kit/raw-push.ts";
import type { Place } from "./blocking-places.ts";
import type { GitClient } from "./git-client.ts";
import { openWorstRepository, worst } from "./worst-repository.ts";

const refs = 20_000;

/**
 * Pushes the branches of a large repository to an empty one.
 * @param at owner and name
 * @returns requests to it, in the order in which they are sent
 */
export async function pushWorstRepository(git: GitClient, at: string, url: string): Promise<readonly Place[]> {
  const { path, commits } = await openWorstRepository(git);
  await git.run(["-C", path, "push", "-q", url, "refs/heads/*:refs/heads/*"]);
  const changes = await git.run(["-C", path, "rev-parse", worst.changes]);
  const root = `/${at}`;
  const api = `/api/v1/repos${root}`;
  const pushOf = (kind: string): Place => ({
    name: `push of 20,000 ${kind}`,
    path: `${root}.git/git-receive-pack`,
    body: pushBody({
      commands: Array.from({ length: refs }, (_, index) => `${zeroOid} ${commits[index % commits.length]} refs/${kind}/many/n${index}`),
      pack: emptyPack(),
    }),
    contentType: "application/x-git-receive-pack-request",
  });
  return [
    pushOf("heads"),
    pushOf("tags"),
    { name: "refs, API", path: `${api}/git/refs` },
    { name: "refs for fetches", path: `${root}.git/info/refs?service=git-upload-pack` },
    { name: "refs for pushes", path: `${root}.git/info/refs?service=git-receive-pack` },
    { name: "names of branches", path: `${root}/branches/list` },
    { name: "branches of 20,000, page", path: `${root}/branches` },
    { name: "large home page", path: root },
    { name: "large directory, page", path: `${root}/src/branch/main/${worst.directory}` },
    { name: "20,000 lines, page", path: `${root}/src/branch/main/${worst.linesFile}` },
    { name: "20,000 lines, blame", path: `${root}/blame/branch/main/${worst.linesFile}` },
    { name: "commit of 5,000 files, page", path: `${root}/commit/${changes}` },
    { name: "commit of 5,000 files, diff", path: `${root}/commit/${changes}.diff` },
    { name: "compare 10,000 commits, page", path: `${root}/compare/${worst.first}...main` },
    { name: "compare 10,000 commits, API", path: `${api}/compare/${worst.first}...main` },
    { name: "large archive", path: `${root}/archive/main.tar.gz` },
    { name: "large graph", path: `${root}/graph` },
    { name: "pull request of 5,000 files", path: `${api}/pulls`, body: { title: "Changes", head: worst.changes, base: "main" }, status: 201 },
    { name: "its files, page", path: `${root}/pulls/1/files` },
    { name: "its files, API", path: `${api}/pulls/1/files?limit=50&page=100` },
    { name: "its diff", path: `${root}/pulls/1.diff` },
    { name: "fork of 40,000 refs", path: `${api}/forks`, body: { name: "forked" }, status: 202 },
  ];
}
