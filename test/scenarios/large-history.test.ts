import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { eachDialect } from "../kit/databases.ts";
import { startForge, type TestForge, type TestUser } from "../kit/forge.ts";
import { createGitUser, type GitUser } from "../kit/git-user.ts";

/** A real history with thousands of commits and hundreds of refs, pushed and cloned. */

const bundle = fileURLToPath(new URL("../../../shared/data/express.bundle", import.meta.url));
const isThere = existsSync(bundle);

eachDialect((dialect) => {
  describe.skipIf(!isThere)(`the history of express${isThere ? "" : " (skipped: its bundle is not beside this checkout)"}`, () => {
    let forge: TestForge;
    let alice: TestUser;
    let work: GitUser;
    beforeAll(async () => {
      work = await createGitUser();
      forge = await startForge({ dialect });
      alice = await forge.createUser("alice");
      await alice.post("/user/repos", { name: "express" }).expect(201);
      await work.git(".", "clone", "-q", "--mirror", bundle, "express.git");
    });
    afterAll(async () => {
      await forge[Symbol.asyncDispose]();
      await work[Symbol.asyncDispose]();
    });

    test("is identical after pushing and cloning", async () => {
      const refs = await work.git("express.git", "for-each-ref", "--format=%(objectname)\t%(refname)");
      const url = `${alice.gitOrigin}/alice/express`;
      const { processes, statements } = await forge.cost(() => work.git("express.git", "push", "-q", "--mirror", url));
      // The push needs index-pack and rev-list. Language statistics, commit-graph and multi-pack-index may have begun after it. Each store
      // has at most two processes that read objects, and they start again after the push and after maintenance.
      expect(processes).toBeLessThanOrEqual(2 + 2 + 3 * 2);
      expect(statements.length).toBeLessThanOrEqual(60);
      await forge.settled();
      expect(await work.git(".", "ls-remote", "--refs", url)).toBe(refs);
      const first = await forge.cost(() => work.git(".", "clone", "-q", "--mirror", url, "back.git"));
      expect(await work.git("back.git", "for-each-ref", "--format=%(objectname)\t%(refname)")).toBe(refs);
      expect(await work.git("back.git", "fsck", "--full", "--strict", "--no-dangling")).not.toMatch(/missing|broken|error in/);
      const again = await forge.cost(() => work.git(".", "clone", "-q", "--mirror", url, "again.git"));
      expect([first.processes, again.processes]).toEqual([1, 0]);
      const branches = refs.split("\n").filter((line) => line.includes("refs/heads/")).length;
      expect(await alice.get("/repos/alice/express").expect(200)).toMatchObject({ empty: false, default_branch: "master", branch_count: branches });
    });
  });
});
