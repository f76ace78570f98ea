import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { eachDialect } from "../kit/databases.ts";
import { startForge, type TestForge, type TestUser } from "../kit/forge.ts";
import { createGitUser, type GitUser } from "../kit/git-user.ts";

/** Concurrent requests that change the same rows are serialized without the callers noticing. */

const base64 = (text: string): string => Buffer.from(text).toString("base64");
const counted = <T>(values: readonly T[]): ReadonlyMap<T, number> =>
  new Map([...Map.groupBy(values, (value) => value)].map(([value, { length }]) => [value, length]));

eachDialect((dialect) => {
  describe("concurrent changes", () => {
    let forge: TestForge;
    let alice: TestUser;
    let work: GitUser;
    beforeAll(async () => {
      forge = await startForge({ dialect });
      alice = await forge.createUser("alice");
      work = await createGitUser();
    });
    afterAll(async () => {
      await work[Symbol.asyncDispose]();
      await forge[Symbol.asyncDispose]();
    });

    test("128 concurrent requests create 128 repositories of one owner", async () => {
      const answers = await Promise.all(Array.from({ length: 128 }, (_, at) => alice.post("/user/repos", { name: `r${at}`, auto_init: true })));
      expect(counted(answers.map(({ status }) => status))).toEqual(new Map([[201, 128]]));
      const { headers } = await alice.get("/user/repos?limit=1");
      expect(headers.get("x-total-count")).toBe("128");
    });

    test("a repository accepts concurrent edits, pushes, issues and merges", async () => {
      await alice.post("/user/repos", { name: "busy", auto_init: true, default_branch: "main" }).expect(201);
      const base = "/repos/alice/busy";
      const numbers: number[] = [];
      for (let at = 0; at < 8; at += 1) {
        const change = { content: base64(`${at}`), new_branch: `change-${at}`, branch: "main" };
        await alice.post(`${base}/contents/file-${at}.txt`, change).expect(201);
        const { number } = await alice.post(`${base}/pulls`, { title: `change ${at}`, head: `change-${at}`, base: "main" }).expect(201);
        numbers.push(number);
      }
      await forge.settled();
      await work.git(".", "clone", "-q", `${alice.gitOrigin}/alice/busy`, "busy");
      const pushes = Array.from({ length: 8 }, (_, at) => work.attempt("busy", "push", "-q", "origin", `HEAD:refs/heads/pushed-${at}`));
      // A merge answers 405 when another one has just moved the branch; the client then retries it.
      const merge = async (number: number): Promise<number> => {
        for (;;) {
          const { status } = await alice.post(`${base}/pulls/${number}/merge`, { Do: "merge" });
          if (status !== 405 && status !== 409) return status;
        }
      };
      const issues = Array.from({ length: 32 }, (_, at) => alice.post(`${base}/issues`, { title: `issue ${at}` }).then(({ status }) => status));
      const edits = Array.from({ length: 16 }, (_, at) =>
        alice.post(`${base}/contents/edit-${at}.txt`, { content: base64("x"), new_branch: `edit-${at}` }).then(({ status }) => status),
      );
      const merges = numbers.map(merge);
      expect((await Promise.all(pushes)).filter(({ code }) => code !== 0)).toEqual([]);
      expect(counted(await Promise.all(merges))).toEqual(new Map([[200, 8]]));
      expect(counted(await Promise.all(issues))).toEqual(new Map([[201, 32]]));
      expect(counted(await Promise.all(edits))).toEqual(new Map([[201, 16]]));
      expect(forge.log.filter(({ level }) => level === "error")).toEqual([]);
    });
  });
});
