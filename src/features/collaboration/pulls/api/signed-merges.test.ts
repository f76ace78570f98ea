import { afterAll, beforeAll, expect, test } from "vitest";
import { eachDialect } from "../../../../../test/kit/databases.ts";
import { startForge, type TestForge, type TestUser } from "../../../../../test/kit/forge.ts";

/** Merges under a rule that requires signed commits: unchanged commits must be signed, and the server signs all others. */

const styles = ["merge", "rebase", "rebase-merge", "squash", "fast-forward-only"] as const;
type Style = (typeof styles)[number];
const site = "/repos/alice/site";
const rule = { rule_name: "main", enable_push: true, require_signed_commits: true };
/** The server does not sign under another user's name. */
const unsigned = { committer: { name: "chief", email: "chief@example.com" } };

eachDialect((dialect) => {
  let signing: TestForge;
  let plain: TestForge;
  beforeAll(async () => {
    [signing, plain] = await Promise.all([startForge({ dialect, environment: { HEARTH_SIGNING_ENABLED: "true" } }), startForge({ dialect })]);
  });
  afterAll(() => Promise.all([signing[Symbol.asyncDispose](), plain[Symbol.asyncDispose]()]));

  const openSite = async (forge: TestForge): Promise<TestUser> => {
    const alice = await forge.createUser("alice");
    await alice.post("/user/repos", { name: "site", auto_init: true }).expect(201);
    await alice.post(`${site}/branch_protections`, rule).expect(201);
    return alice;
  };
  /** Opens a pull request of one commit on top of the current main. */
  const propose = async (alice: TestUser, branch: string, more: object = {}): Promise<{ readonly path: string; readonly head: string }> => {
    const file = { content: "eA==", message: branch, branch: "main", new_branch: branch, ...more };
    const { commit } = await alice.post(`${site}/contents/${branch}.txt`, file).expect(201);
    const { number } = await alice.post(`${site}/pulls`, { title: branch, head: branch, base: "main" }).expect(201);
    return { path: `${site}/pulls/${number}/merge`, head: commit.sha };
  };
  const merge = async (alice: TestUser, path: string, style: Style): Promise<readonly [number, string]> => {
    const answer = await alice.post(path, { Do: style });
    return [answer.status, answer.status === 200 ? "" : answer.json.message];
  };

  test("adds only signed commits in every style", async () => {
    const alice = await openSite(signing);
    const isSigned = async (): Promise<boolean> => (await alice.get(`${site}/git/commits/main`).expect(200)).commit.verification.verified;
    const late = await propose(alice, "late", unsigned);
    const bare = await propose(alice, "bare", unsigned);
    for (const style of ["merge", "rebase", "rebase-merge", "fast-forward-only"] as const) {
      expect([style, ...(await merge(alice, bare.path, style))]).toEqual([style, 405, `The commit ${bare.head} has no signature that can be verified`]);
    }
    expect([await merge(alice, bare.path, "squash"), await isSigned()]).toEqual([[200, ""], true]);
    // The base has moved, so a rebase creates the commit again; a merge would still add the unsigned original.
    expect(await merge(alice, late.path, "merge")).toEqual([405, `The commit ${late.head} has no signature that can be verified`]);
    expect([await merge(alice, late.path, "rebase"), await isSigned()]).toEqual([[200, ""], true]);
    for (const style of styles) {
      const { path } = await propose(alice, `signed-${style}`);
      expect([style, await merge(alice, path, style), await isSigned()]).toEqual([style, [200, ""], true]);
    }
  });

  test("creates no commits if the server cannot sign, but still fast-forwards", async () => {
    const alice = await openSite(plain);
    const { path, head } = await propose(alice, "bare");
    for (const style of ["merge", "rebase", "rebase-merge", "squash"] as const) expect(await merge(alice, path, style)).toEqual([405, "wont sign: nokey"]);
    expect(await merge(alice, path, "fast-forward-only")).toEqual([405, `The commit ${head} has no signature that can be verified`]);
  });
});
