import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { eachDialect } from "../kit/databases.ts";
import { startForge, type TestForge, type TestUser } from "../kit/forge.ts";
import { createGitUser } from "../kit/git-user.ts";

/** Revoked access ends everywhere: in a user's lists, subscriptions and forks. */

/** Part of the names and texts of everything that becomes private. */
const mark = "withdrawn";

eachDialect((dialect) => {
  let forge: TestForge;
  let alice: TestUser;
  let mallory: TestUser;
  let outsider: TestUser;
  beforeAll(async () => {
    forge = await startForge({ dialect });
    [alice, mallory, outsider] = [await forge.createUser("alice"), await forge.createUser("mallory"), await forge.createUser("outsider")];
  });
  afterAll(() => forge[Symbol.asyncDispose]());

  /** Every list of a user's resources. */
  const gathered = (user: TestUser): readonly string[] => [
    "/user/repos",
    "/user/starred",
    "/user/subscriptions",
    "/user/stopwatches",
    "/user/times",
    "/notifications?all=true",
    "/repos/search",
    "/repos/issues/search?state=all",
    "/repos/issues/search?assigned=true",
    "/repos/issues/search?created=true",
    "/repos/issues/search?mentioned=true",
    "/repos/issues/search?type=pulls",
    "/topics/search?q=with",
    `/users/${user.name}/repos`,
    `/users/${user.name}/starred`,
    `/users/${user.name}/subscriptions`,
    `/users/${user.name}/activities/feeds`,
    `/users/${alice.name}/activities/feeds`,
    "//",
    "//issues",
    "//pulls",
    "//notifications",
    "//explore/repos",
    "//explore/users",
    "//sitemap.xml",
    `//${alice.name}.rss`,
    `//${user.name}.atom`,
    `//${user.name}?tab=activity`,
    `//${user.name}?tab=stars`,
    `//${alice.name}`,
    `//${user.name}`,
  ];
  /** The lists that contain the marker for a user, also in a count. */
  async function listsWithMark(user: TestUser, readers: readonly TestUser[]): Promise<readonly string[]> {
    const lists: string[] = [];
    for (const reader of readers) {
      for (const path of gathered(user)) {
        const answer = await reader.get(path);
        expect([path, answer.status]).toEqual([path, 200]);
        if (answer.text.includes(mark)) lists.push(`${reader.name}: ${path}`);
        if (!isCountedRight(answer)) lists.push(`${reader.name}: ${path} counts ${answer.headers.get("x-total-count")}`);
      }
    }
    return lists;
  }
  /** Whether the total of a single-page list is its number of items. */
  function isCountedRight({ headers, text }: { readonly headers: Headers; readonly text: string }): boolean {
    const total = headers.get("x-total-count");
    if (total === null) return true;
    // Searches wrap their list in an object.
    const items = [JSON.parse(text)].flatMap((body) => (Array.isArray(body) ? [body] : Object.values(body).filter(Array.isArray)))[0];
    return headers.has("link") || Number(total) === items?.length;
  }
  const countOf = async (user: TestUser, path: string): Promise<string | null> => (await user.get(path)).headers.get("x-total-count");

  /** Everything that a contributor of a repository collects. */
  async function workIn(R: string): Promise<void> {
    await mallory.put(`/user/starred/${R}`).expect(204);
    await mallory.put(`/repos/${R}/subscription`).expect(200);
    const { number } = await mallory.post(`/repos/${R}/issues`, { title: mark, body: `${mark} @mallory` }).expect(201);
    await alice.patch(`/repos/${R}/issues/${number}`, { assignees: ["mallory"] }).expect(201);
    await alice.post(`/repos/${R}/issues/${number}/comments`, { body: `${mark} @mallory` }).expect(201);
    await mallory.post(`/repos/${R}/issues/${number}/times`, { time: 60 }).expect(200);
    await mallory.post(`/repos/${R}/issues/${number}/stopwatch/start`).expect(201);
    await forge.settled();
  }

  test("the lists of a removed collaborator do not contain the repository, and those of other users do not contain their work", async () => {
    const R = `alice/${mark}-shared`;
    await alice.post("/user/repos", { name: `${mark}-shared`, private: true, auto_init: true }).expect(201);
    await alice.put(`/repos/${R}/topics/${mark}`).expect(204);
    await alice.put(`/repos/${R}/collaborators/mallory`, { permission: "write" }).expect(204);
    await workIn(R);
    // First they find it everywhere, and other users do not.
    const before = await listsWithMark(mallory, [mallory]);
    for (const path of [
      "/user/starred",
      "/user/subscriptions",
      "/user/stopwatches",
      "/user/times",
      "/notifications?all=true",
      "/repos/issues/search?assigned=true",
      "//notifications",
      "//issues",
      `//${mallory.name}?tab=stars`,
    ]) {
      expect(before).toContain(`mallory: ${path}`);
    }
    expect(await listsWithMark(mallory, [outsider])).toEqual([]);

    await alice.delete(`/repos/${R}/collaborators/mallory`).expect(204);
    await forge.settled();
    expect(await listsWithMark(mallory, [mallory, outsider])).toEqual([]);
    for (const path of ["/user/starred", "/user/subscriptions", "/user/stopwatches", "/user/times", "/notifications?all=true"]) {
      expect([path, await countOf(mallory, path)]).toEqual([path, "0"]);
    }
    expect((await mallory.get(`/repos/${R}/issues/1`)).status).toBe(404);
    // Later events do not reach them either.
    await alice.post(`/repos/${R}/issues/1/comments`, { body: `${mark}: @mallory is gone` }).expect(201);
    await forge.settled();
    expect(await listsWithMark(mallory, [mallory])).toEqual([]);
    // Starting another stopwatch stops the running one without recording a time.
    await mallory.post("/user/repos", { name: "own" }).expect(201);
    await mallory.post("/repos/mallory/own/issues", { title: "mine" }).expect(201);
    await mallory.post("/repos/mallory/own/issues/1/stopwatch/start").expect(201);
    expect(await countOf(mallory, "/user/stopwatches")).toBe("1");
    // The tracked times belong to the repository and are kept.
    expect(await alice.get(`/repos/${R}/issues/1/times`).expect(200)).toHaveLength(1);
  });

  describe.each([
    ["made private by the interface", `${mark}-closed`, (name: string) => alice.patch(`/repos/alice/${name}`, { private: true }).expect(200)],
    [
      "closed by its owner, who hides himself",
      `${mark}-owner`,
      () => forge.admin.patch("/admin/users/alice", { login_name: "alice", source_id: 0, visibility: "private" }).expect(200),
    ],
  ] as const)("a repository that is %s", (_how, name, close) => {
    const R = `alice/${name}`;
    beforeAll(async () => {
      await alice.post("/user/repos", { name, auto_init: true, default_branch: "main" }).expect(201);
      await alice.put(`/repos/${R}/topics/${mark}`).expect(204);
      await workInAsOutsider(R);
      await mallory.post(`/repos/${R}/forks`, { name: `copy-of-${name.slice(mark.length + 1)}` }).expect(202);
      expect(await listsWithMark(mallory, [mallory])).not.toEqual([]);
      await close(name);
      await forge.settled();
    });

    /** The same for a reader. */
    async function workInAsOutsider(path: string): Promise<void> {
      await mallory.put(`/user/starred/${path}`).expect(204);
      await mallory.put(`/repos/${path}/subscription`).expect(200);
      await mallory.post(`/repos/${path}/issues`, { title: mark, body: mark }).expect(201);
      await alice.post(`/repos/${path}/issues/1/comments`, { body: `${mark} @mallory` }).expect(201);
      await forge.settled();
    }

    test("a hidden repository disappears from the lists of its followers, who get no further notifications", async () => {
      await alice.post(`/repos/${R}/issues/1/comments`, { body: `${mark}: more, @mallory` }).expect(201);
      await forge.settled();
      const lists = await Promise.all(
        [mallory, outsider].map(async (reader) => {
          const found: string[] = [];
          for (const path of gathered(mallory)) {
            const answer = await reader.get(path);
            if (answer.text.includes(name) || !isCountedRight(answer)) found.push(`${reader.name}: ${path}`);
          }
          return found;
        }),
      );
      expect(lists.flat()).toEqual([]);
      for (const path of ["/user/starred", "/notifications?all=true"]) expect([path, await countOf(mallory, path)]).toEqual([path, "0"]);
    });

    test("a hidden repository is not accessible through forks: a fork stays with its owner and cannot be updated any more", async () => {
      const copy = `/repos/mallory/copy-of-${name.slice(mark.length + 1)}`;
      await alice.post(`/repos/${R}/contents/later.txt`, { content: Buffer.from(mark).toString("base64") }).expect(201);
      const fork = await mallory.get(copy);
      expect(fork.status).toBe(200);
      expect(fork.text).not.toContain(name);
      const synced = await mallory.post(`${copy}/merge-upstream`, { branch: "main" });
      expect([404, 422, 400, 403]).toContain(synced.status);
      expect(synced.text).not.toContain(name);
      expect((await mallory.get(`${copy}/contents/later.txt`)).status).toBe(404);
      const compared = await mallory.get(`${copy}/compare/main...alice:main`);
      expect(compared.status).toBe(404);
      await using work = await createGitUser();
      const fetched = await work.attempt(".", "ls-remote", `${mallory.gitOrigin}/${R}.git`);
      expect(fetched.code).not.toBe(0);
    });
  });
});
