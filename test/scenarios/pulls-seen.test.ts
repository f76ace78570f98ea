import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createBrowser } from "../kit/browser.ts";
import { sqlite } from "../kit/databases.ts";
import { startForge, type TestForge, type TestUser } from "../kit/forge.ts";
import { createGitUser, type GitUser } from "../kit/git-user.ts";
import { readPage } from "../kit/page.ts";

/** The shown changes of a pull request are those that a merge brings, and those of the real git, even in manipulated histories. */

interface Pull {
  readonly state: string;
  readonly merge_base: string;
  readonly merge_commit_sha: string;
  readonly head: { readonly sha: string };
}

const site = "/repos/alice/site";
let forge: TestForge;
let alice: TestUser;
let bob: TestUser;
let mallory: TestUser;
let work: GitUser;
let base: string;

beforeAll(async () => {
  work = await createGitUser();
  forge = await startForge({ dialect: sqlite });
  [alice, bob, mallory] = await Promise.all([forge.createUser("alice"), forge.createUser("bob"), forge.createUser("mallory")]);
  await alice.post("/user/repos", { name: "site" }).expect(201);
  await alice.put(`${site}/collaborators/bob`, { permission: "write" }).expect(204);
  await work.init("w");
  base = await work.commit("w", { "a.txt": "one\n", "run.sh": "#!/bin/sh\n", "same.txt": "same\n" }, "first");
  await push(`${base}:refs/heads/main`);
});
afterAll(async () => {
  await forge[Symbol.asyncDispose]();
  await work[Symbol.asyncDispose]();
});

const git = (...args: string[]): Promise<string> => work.git("w", ...args);
const push = (...refs: string[]): Promise<string> => git("push", "-q", `${alice.gitOrigin}/alice/site.git`, ...refs);
const startFrom = (from: string): Promise<string> => git("checkout", "-q", "-f", "--detach", from);
/** A commit on top of another one. */
const commit = async (from: string, name: string): Promise<string> => {
  await startFrom(from);
  return work.commit("w", { [`${name}.txt`]: `${name}\n` }, name);
};
const open = async (head: string, into = "main"): Promise<string> =>
  `${site}/pulls/${(await bob.post<{ number: number }>(`${site}/pulls`, { title: head, head, base: into }).expect(201)).number}`;
const read = (path: string): Promise<Pull> => alice.get<Pull>(path).expect(200);
const filesOf = async (path: string): Promise<string[]> =>
  (await alice.get<{ filename: string }[]>(`${path}/files`).expect(200)).map(({ filename }) => filename);
const merge = async (path: string, headOid: string): Promise<number> => (await alice.post(`${path}/merge`, { Do: "merge", head_commit_id: headOid })).status;

test("a head that is force-pushed while its pull request is closed is what a merge brings, and earlier approvals do not count", async () => {
  await alice.post(`${site}/branch_protections`, { rule_name: "reviewed", enable_push: true, required_approvals: 1, ignore_stale_approvals: true }).expect(201);
  await push(`${base}:refs/heads/reviewed`);
  const seen = await commit(base, "seen");
  await push(`${seen}:refs/heads/reopened`);
  const path = await open("reopened", "reviewed");
  await alice.post(`${path}/reviews`, { event: "APPROVED" }).expect(200);
  await bob.patch(path, { state: "closed" }).expect(201);
  const pushed = await commit(base, "pushed");
  await push(`+${pushed}:refs/heads/reopened`);
  await bob.patch(path, { state: "open" }).expect(201);
  expect((await read(path)).head.sha).toBe(pushed);
  expect(await filesOf(path)).toEqual(["pushed.txt"]);
  expect((await alice.get<{ stale: boolean }[]>(`${path}/reviews`).expect(200)).map(({ stale }) => stale)).toEqual([true]);
  expect(await merge(path, pushed)).toBe(405);
  await alice.post(`${path}/reviews`, { event: "APPROVED" }).expect(200);
  expect([await merge(path, seen), await merge(path, pushed)]).toEqual([409, 200]);
});

test("with several merge bases, shows the changes from one of them and merges like git", async () => {
  const left = await commit(base, "left");
  const right = await commit(base, "right");
  const join = async (from: string, other: string): Promise<string> => {
    await startFrom(from);
    await git("merge", "-q", "--no-ff", "-m", "across", other);
    return git("rev-parse", "HEAD");
  };
  const baseTip = await commit(await join(left, right), "base-only");
  const headTip = await commit(await join(right, left), "head-only");
  await push(`${baseTip}:refs/heads/crossed`, `${headTip}:refs/heads/crossing`);
  const bases = (await git("merge-base", "--all", baseTip, headTip)).split("\n");
  expect(bases.sort()).toEqual([left, right].sort());
  const path = await open("crossing", "crossed");
  const shown = await read(path);
  expect(bases).toContain(shown.merge_base);
  expect(await filesOf(path)).toEqual((await git("diff", "--name-only", shown.merge_base, headTip)).split("\n"));
  expect(await merge(path, headTip)).toBe(200);
  await git("fetch", "-q", `${alice.gitOrigin}/alice/site.git`, "crossed");
  await startFrom(baseTip);
  await git("merge", "-q", "--no-ff", "-m", "as git does it", headTip);
  expect(await git("rev-parse", "FETCH_HEAD^{tree}")).toBe(await git("rev-parse", "HEAD^{tree}"));
});

test("the shown changes follow a retargeted or moved base", async () => {
  const older = await commit(base, "older");
  const head = await commit(older, "newer");
  await push(`${base}:refs/heads/base-one`, `${older}:refs/heads/base-two`, `${head}:refs/heads/retargeted`);
  const path = await open("retargeted", "base-one");
  expect(await filesOf(path)).toEqual(["newer.txt", "older.txt"]);
  await bob.patch(path, { base: "base-two" }).expect(201);
  expect(await filesOf(path)).toEqual(["newer.txt"]);
  await bob.patch(path, { base: "base-one" }).expect(201);
  await push(`${older}:refs/heads/base-one`);
  expect(await filesOf(path)).toEqual(["newer.txt"]);
  expect((await read(path)).merge_base).toBe(older);
});

test("shows modes, symbolic links, submodules and bidirectional control characters explicitly", async () => {
  await startFrom(base);
  await git("update-index", "--chmod=+x", "run.sh");
  await git("rm", "-q", "same.txt");
  await symlink("/etc/passwd", join(work.path, "w", "same.txt"));
  await git("add", "same.txt");
  await git("update-index", "--add", "--cacheinfo", `160000,${base},module`);
  const head = await work.commit("w", { "trojan.c": "if (admin\u202e \u2066// check\u2069 \u2066) {\n" });
  await push(`${head}:refs/heads/disguised`);
  const path = await open("disguised");
  const files = await alice.get<{ filename: string; status: string; changes: number }[]>(`${path}/files`).expect(200);
  expect(files.map(({ filename, status, changes }) => [filename, status, changes])).toEqual([
    ["module", "added", 1],
    ["run.sh", "changed", 0],
    ["same.txt", "changed", 2],
    ["trojan.c", "added", 1],
  ]);
  const text = (await alice.get(`${path}.diff`)).text;
  for (const line of ["old mode 100644\nnew mode 100755", "new file mode 120000", "new file mode 160000", `+Subproject commit ${base}`])
    expect(text).toContain(line);
  const page = readPage((await createBrowser(forge.url).get(`${path.replace("/repos", "")}/files`)).text);
  expect(page.dangers).toEqual([]);
  for (const words of [
    "regular file → executable",
    "symbolic link",
    "submodule",
    `Subproject commit ${base}`,
    "if (adminU+202E U+2066// checkU+2069 U+2066) {",
  ])
    expect(page.text).toContain(words);
  expect(page.text).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
  expect(readPage((await createBrowser(forge.url).get("/alice/site/src/branch/disguised/trojan.c")).text).text).toContain("adminU+202E");
});

test("a pull request that allows maintainer edits gives maintainers its author's access to the head, while the author has it", async () => {
  await mallory.post(`${site}/forks`, { name: "fork" }).expect(202);
  await push(`${await commit(base, "theirs")}:refs/heads/theirs`);
  const requested = { title: "Yours", head: "alice:theirs", base: "main", allow_maintainer_edit: true };
  const path = `/repos/mallory/fork/pulls/${(await mallory.post("/repos/mallory/fork/pulls", requested).expect(201)).number}`;
  const pushAs = async (name: string): Promise<number | null> => {
    await git("fetch", "-q", `${alice.gitOrigin}/alice/site.git`, "theirs");
    const next = await commit("FETCH_HEAD", name);
    return (await work.attempt("w", "push", `${mallory.gitOrigin}/alice/site.git`, `${next}:refs/heads/theirs`)).code;
  };
  expect(await pushAs("without write access")).toBe(1);
  await alice.put(`${site}/collaborators/mallory`, { permission: "write" }).expect(204);
  expect(await pushAs("with write access")).toBe(0);
  await alice.delete(`${site}/collaborators/mallory`).expect(204);
  expect(await pushAs("kept out")).toBe(1);
  await mallory.put("/repos/mallory/fork/contents/ahead.txt", { content: "eA==", message: "ahead", branch: "main" }).expect(201);
  await mallory.post(`${path}/update`).expect(403);
  await mallory.patch(path, { allow_maintainer_edit: false }).expect(403);
});

test("rejects a head with the name of a command option", async () => {
  const tip = await commit(base, "option");
  for (const name of ["--exec=touch${IFS}pwned", "--output=pwned", "-x"]) {
    const { code, stderr } = await work.attempt("w", "push", `${alice.gitOrigin}/alice/site.git`, `${tip}:refs/heads/${name}`);
    expect([code, stderr.includes("funny refname")], name).toEqual([1, true]);
    for (const [head, into] of [
      [name, "main"],
      ["theirs", name],
      [`alice:${name}`, "main"],
    ])
      expect((await alice.post(`${site}/pulls`, { title: "x", head, base: into })).status, name).toBe(404);
  }
  // Prefixed with its author it is an ordinary topic name.
  const topic = "--exec=touch${IFS}pwned";
  const { stderr } = await work.attempt("w", "push", `${alice.gitOrigin}/alice/site.git`, `${tip}:refs/for/main/${topic}`);
  const path = `${site}/pulls/${/refs\/pull\/(\d+)\/head/.exec(stderr)?.[1]}`;
  await alice.post(`${site}/contents/behind.txt`, { content: "eA==", message: "behind", branch: "main" }).expect(201);
  // There is no branch to push to.
  for (const style of ["rebase", "merge"]) await alice.post(`${path}/update?style=${style}`).expect(403);
  const { result, processes } = await forge.cost(() => alice.post(`${path}/merge`, { Do: "rebase-merge" }));
  expect([result.status, processes]).toEqual([200, 0]);
  expect((await alice.get(path).expect(200)).head.label).toBe(`alice/${topic}`);
});
