import { afterAll, beforeAll, expect, test } from "vitest";
import { eachDialect } from "../../../../../test/kit/databases.ts";
import { startForge, type TestForge, type TestUser } from "../../../../../test/kit/forge.ts";
import { newBlob, newCommit, newTree } from "../../../../git/objects/format.ts";
import { writeObjects } from "../../../../git/objects/write.ts";

/** Merges with message templates and other merge styles, and diffs of many files. */

const site = "/repos/alice/site";
const base64 = (text: string): string => Buffer.from(text).toString("base64");

eachDialect((dialect) => {
  let forge: TestForge;
  let alice: TestUser;
  beforeAll(async () => {
    forge = await startForge({ dialect });
    alice = await forge.createUser("alice");
    await alice.post("/user/repos", { name: "site", auto_init: true }).expect(201);
  });
  afterAll(() => forge[Symbol.asyncDispose]());

  const write = async (path: string, text: string, branch = "main", from = branch): Promise<string> => {
    const more = { branch: from, ...(branch !== from && { new_branch: branch }) };
    return (await alice.post(`${site}/contents/${path}`, { content: base64(text), message: path, ...more }).expect(201)).commit.sha;
  };
  const open = async (branch: string, more: object = {}): Promise<{ readonly path: string; readonly number: number; readonly head: string }> => {
    const head = await write(`${branch}.txt`, `${branch}\n`, branch, "main");
    const { number } = await alice.post(`${site}/pulls`, { title: `PR ${branch}`, head: branch, base: "main", ...more }).expect(201);
    return { path: `${site}/pulls/${number}`, number, head };
  };
  const messageOf = async (rev: string): Promise<string> => (await alice.get(`${site}/git/commits/${rev}`).expect(200)).commit.message;

  test("uses the repository's message template of the merge style", async () => {
    const names = "${PullRequestTitle} ${PullRequestReference} ${PullRequestPosterName} ${HeadRepoOwnerName}/${HeadRepoName}:${HeadBranch}";
    await write(".gitea/default_merge_message/MERGE_TEMPLATE.md", `${names} -> \${BaseBranch}\n\n\${PullRequestDescription}\n\${ReviewedOn}\n\${Unknown}\n`);
    await write(".gitea/default_merge_message/SQUASH_TEMPLATE.md", "squashed $PullRequestIndex, closes ${ClosingIssues}\n");
    await alice.post(`${site}/issues`, { title: "an issue" }).expect(201);
    const one = await open("one", { body: "fixes #1" });
    await alice.post(`${one.path}/merge`, { Do: "merge" }).expect(200);
    expect(await messageOf("main")).toBe(
      `PR one #${one.number} alice alice/site:one -> main\n\nfixes #1\nReviewed-on: ${forge.url}/alice/site/pulls/${one.number}\n\${Unknown}\n`,
    );
    await alice.post(`${site}/issues`, { title: "another" }).expect(201);
    const two = await open("two", { body: "fixes #3" });
    await alice.post(`${two.path}/merge`, { Do: "squash" }).expect(200);
    expect(await messageOf("main")).toBe(`squashed ${two.number}, closes #3\n`);
    const three = await open("three");
    await alice.post(`${three.path}/merge`, { Do: "merge", MergeTitleField: "My words" }).expect(200);
    expect(await messageOf("main")).toBe("My words\n");
  });

  test("records a manual merge with its commit if the repository allows it", async () => {
    const { path, head } = await open("hand");
    const before = (await alice.get(`${site}/branches/main`).expect(200)).commit.id;
    const note = async (commit: string): Promise<number> => (await alice.post(`${path}/merge`, { Do: "manually-merged", MergeCommitID: commit })).status;
    expect(await note(head)).toBe(405);
    await alice.patch(site, { has_pull_requests: true, allow_manual_merge: true }).expect(200);
    expect([await note(head), await note(""), await note("f".repeat(40)), await note("main")]).toEqual([409, 409, 409, 409]);
    await alice.put(`${site}/branches/main`, { new_commit_id: head, old_commit_id: before }).expect(204);
    expect((await alice.get(path).expect(200)).merged).toBe(false);
    expect(await note(head)).toBe(200);
    expect(await alice.get(path).expect(200)).toMatchObject({ merged: true, state: "closed", merge_commit_sha: head, merged_by: { login: "alice" } });
    expect(await note(head)).toBe(405);
  });

  test("marks a pull request as merged when a branch update by API contains its head, if the repository detects manual merges", async () => {
    await alice.patch(site, { has_pull_requests: true, allow_manual_merge: true, autodetect_manual_merge: true }).expect(200);
    const aside = await open("aside");
    const { path, head } = await open("moved");
    await alice.put(`${site}/branches/main`, { new_commit_id: head }).expect(204);
    await forge.settled();
    expect(await alice.get(path).expect(200)).toMatchObject({ merged: true, merge_commit_sha: head, merged_by: { login: "alice" } });
    expect((await alice.get(aside.path).expect(200)).merged).toBe(false);
    const timeline = await alice.get(`${path.replace("/pulls/", "/issues/")}/timeline`).expect(200);
    expect(timeline.filter(({ type }: { type: string }) => type === "merge_pull").length).toBe(1);
  });

  test("marks a pull request as merged when another merge contains its head, if the repository detects manual merges", async () => {
    const stack = async (name: string) => {
      const lower = await open(`${name}-lower`);
      await write(`${name}.txt`, `${name}\n`, name, `${name}-lower`);
      const { number } = await alice.post(`${site}/pulls`, { title: `PR ${name}`, head: name, base: "main" }).expect(201);
      return { lower, upper: `${site}/pulls/${number}` };
    };
    const stateOf = async ({ path }: { readonly path: string }) => (await alice.get(path).expect(200)).merged;
    const look = (looks: boolean) => alice.patch(site, { has_pull_requests: true, autodetect_manual_merge: looks }).expect(200);
    const [unwatched, squashed, merged] = [await stack("unwatched"), await stack("squashed"), await stack("merged")];
    const issue = await alice.post(`${site}/issues`, { title: "asked for" }).expect(201);
    await alice.patch(merged.lower.path, { body: `closes #${issue.number}` }).expect(201);
    await look(false);
    await alice.post(`${unwatched.upper}/merge`, { Do: "merge" }).expect(200);
    await look(true);
    await alice.post(`${squashed.upper}/merge`, { Do: "squash" }).expect(200);
    await alice.post(`${merged.upper}/merge`, { Do: "merge" }).expect(200);
    // Checked immediately, so this is not a later effect of the merge.
    expect([await stateOf(unwatched.lower), await stateOf(squashed.lower), await stateOf(merged.lower)]).toEqual([false, false, true]);
    const tip = (await alice.get(`${site}/branches/main`).expect(200)).commit.id;
    expect(await alice.get(merged.lower.path).expect(200)).toMatchObject({ merge_commit_sha: tip, merged_by: { login: "alice" } });
    expect((await alice.get(`${site}/issues/${issue.number}`).expect(200)).state).toBe("closed");
  });

  test("returns a page of ten thousand files with one process", async () => {
    const { db, git } = forge.context;
    const { code_store_id: storeId } = await db.sql.selectFrom("repositories").select("code_store_id").where("name", "=", "site").executeTakeFirstOrThrow();
    const parent = (await alice.get(`${site}/git/commits/main`).expect(200)).sha;
    const blob = newBlob("sha1", Buffer.from("x\n"));
    const many = newTree(
      "sha1",
      Array.from({ length: 10_000 }, (_, at) => ({ name: `f${String(at).padStart(5, "0")}`, mode: "100644", oid: blob.oid }) as const),
    );
    const root = newTree("sha1", [{ name: "many", mode: "040000", oid: many.oid }]);
    const person = { name: "Ann", email: "ann@example.com", seconds: 1_700_000_000, offsetMinutes: 0 };
    const commit = newCommit("sha1", { treeOid: root.oid, parentOids: [parent], author: person, committer: person, message: "many" });
    await writeObjects(git.store(storeId, "sha1"), [blob, many, root, commit]);
    await alice.post(`${site}/branches`, { new_branch_name: "many", old_ref_name: commit.oid }).expect(201);
    const { number } = await alice.post(`${site}/pulls`, { title: "many", head: "many", base: "main" }).expect(201);
    const { result, processes, statements } = await forge.cost(() => alice.get(`${site}/pulls/${number}/files?limit=20`));
    // Files of main are missing in the new tree and come first.
    expect([result.status, result.json.length, Number(result.headers.get("x-total-count")) > 10_000]).toEqual([200, 20, true]);
    expect(result.text.length).toBeLessThan(20_000);
    expect([processes, statements.length]).toEqual([1, 4]);
    const next = await forge.cost(() => alice.get(`${site}/pulls/${number}/files?limit=20&page=2`));
    expect([next.result.json.length, next.processes]).toEqual([20, 0]);
    expect(next.result.json[0].filename > result.json[19].filename).toBe(true);
    const last = await alice.get(`${site}/pulls/${number}/files?limit=20&page=500`);
    expect([last.status, last.json.length]).toEqual([200, 20]);
  });
});
