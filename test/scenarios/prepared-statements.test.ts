import { expect, test } from "vitest";
import { createBrowser } from "../kit/browser.ts";
import { onSqlite } from "../kit/databases.ts";
import { startForge } from "../kit/forge.ts";
import { observePreparations } from "../kit/preparations.ts";

const repository = "/repos/alice/garden";

const lists = [
  "/repos/search?q=gard&limit=5",
  "/repos/search?q=ga&includeDesc=true",
  "/repos/issues/search?q=water&limit=5",
  "/repos/issues/search?labels=bug&q=wa",
  "/user/repos?limit=5",
  "/users/alice/repos",
  "/users/search?q=ali",
  "/orgs",
  "/user/orgs",
  "/notifications",
  "/topics/search?q=ga",
  "/users/alice/activities/feeds",
  "/user/starred",
  "/user/subscriptions",
  repository,
  `${repository}/issues?limit=5`,
  `${repository}/issues?q=water&labels=bug&sort=recentupdate`,
  `${repository}/issues/1`,
  `${repository}/issues/1/comments`,
  `${repository}/issues/1/timeline`,
  `${repository}/issues/comments?limit=5`,
  `${repository}/labels`,
  `${repository}/milestones`,
  `${repository}/pulls`,
  `${repository}/branches?limit=5`,
  `${repository}/tags`,
  `${repository}/releases`,
  `${repository}/commits?limit=5`,
  `${repository}/contents`,
  `${repository}/collaborators`,
  `${repository}/stargazers`,
  `${repository}/forks`,
];
const pages = [
  "/",
  "/issues",
  "/issues?q=water+is%3Aopen",
  "/pulls",
  "/explore/repos?q=gard",
  "/alice",
  "/alice/garden",
  "/alice/garden/issues",
  "/alice/garden/issues?q=label%3Abug+water",
  "/alice/garden/issues/1",
  "/alice/garden/commits/branch/main",
  "/alice/garden/activity",
  "/notifications",
];

onSqlite((dialect) => {
  test("SQLite prepares no statement of a list or page again when it is repeated", async () => {
    using preparations = observePreparations();
    await using forge = await startForge({ dialect });
    const alice = await forge.createUser("alice");
    await alice.post("/user/repos", { name: "garden", auto_init: true, default_branch: "main" }).expect(201);
    const { id: label } = await alice.post<{ id: number }>(`${repository}/labels`, { name: "bug", color: "#aa0000" }).expect(201);
    for (const title of ["Water the beans", "Water the peas"]) await alice.post(`${repository}/issues`, { title, labels: [label] }).expect(201);
    await alice.post(`${repository}/issues/1/comments`, { body: "Every evening." }).expect(201);
    const browser = createBrowser(forge.url);
    await browser.signIn(alice);
    const visit = async (): Promise<void> => {
      for (const path of lists) await alice.get(path).expect(200);
      for (const path of pages) expect((await browser.get(path)).status, path).toBe(200);
    };
    await visit();
    preparations.forget();
    await visit();
    expect(preparations.again().filter((text) => !text.startsWith("pragma "))).toEqual([]);
  });
});
