import { expect, test } from "vitest";
import { eachDialect } from "../../../../../test/kit/databases.ts";
import { eventsOf } from "../../../../../test/kit/events.ts";
import { startForge, type TestForge, type TestUser } from "../../../../../test/kit/forge.ts";
import { commitRepositories } from "../../../../db/migrations/0026-commit-repositories.ts";
import { noteCommits } from "./service/commit-references.ts";

const site = "/repos/alice/site";

async function commit(user: TestUser, forge: TestForge, path: string, message: string, branch = "main", from = "main"): Promise<string> {
  const body = { message, content: Buffer.from(path).toString("base64"), branch: from, ...(branch !== from && { new_branch: branch }) };
  const made = await user.post(`${site}/contents/${path}`, body).expect(201);
  await forge.settled();
  return made.commit.sha;
}

eachDialect((dialect) => {
  test("applies commit messages to the issues that they name and closes those issues on the default branch", async () => {
    await using forge = await startForge({ dialect });
    const [alice, bob] = await Promise.all([forge.createUser("alice"), forge.createUser("bob")]);
    await alice.post("/user/repos", { name: "site", auto_init: true }).expect(201);
    await alice.put(`${site}/collaborators/bob`, { permission: "write" }).expect(204);
    for (const title of ["one", "two", "three"]) await alice.post(`${site}/issues`, { title }).expect(201);
    const state = async (number: number): Promise<string> => (await alice.get(`${site}/issues/${number}`).expect(200)).state;
    const timelineOf = async (number: number): Promise<string[]> =>
      (await alice.get(`${site}/issues/${number}/timeline`).expect(200)).map(({ type }: { type: string }) => type);

    const aside = await commit(bob, forge, "aside.txt", "Fixes #1 <b>\n\nlong text", "feature");
    expect([await state(1), await timelineOf(1)]).toEqual(["open", ["commit_ref"]]);
    const [entry] = await alice.get(`${site}/issues/1/timeline`).expect(200);
    expect(entry).toMatchObject({
      user: { login: "bob" },
      ref_commit_sha: aside,
      body: `<a href="/alice/site/commit/${aside}">Fixes #1 &#60;b&#62;</a>`,
    });

    const sha = await commit(bob, forge, "main.txt", "closes #1, see #2 and resolves #99");
    expect([await state(1), await timelineOf(1)]).toEqual(["closed", ["commit_ref", "commit_ref", "close"]]);
    expect([await state(2), await timelineOf(2)]).toEqual(["open", ["commit_ref"]]);
    expect((await alice.get(`${site}/issues/1/timeline`).expect(200))[2].ref_commit_sha).toBe(sha);
    expect((await alice.get(site).expect(200)).open_issues_count).toBe(2);

    await commit(alice, forge, "again.txt", "reopens #1");
    expect(await state(1)).toBe("open");
    await alice.post(`${site}/issues/2/dependencies`, { owner: "alice", repo: "site", index: 3 }).expect(201);
    await commit(alice, forge, "waits.txt", "closes #2");
    expect(await state(2)).toBe("open");
  });

  test("leaves a merged pull request unchanged that a commit closes or reopens, and closes the other issues of that commit", async () => {
    await using forge = await startForge({ dialect });
    const alice = await forge.createUser("alice");
    await alice.post("/user/repos", { name: "site", auto_init: true }).expect(201);
    await alice.post(`${site}/issues`, { title: "one" }).expect(201);
    await commit(alice, forge, "aside.txt", "aside", "feature");
    await alice.post(`${site}/pulls`, { title: "two", head: "feature", base: "main" }).expect(201);
    await alice.post(`${site}/pulls/2/merge`, { Do: "merge" }).expect(200);
    await commit(alice, forge, "reopens.txt", "reopens #2, closes #1");
    expect((await alice.get(`${site}/pulls/2`).expect(200)).merged).toBe(true);
    expect((await alice.get(`${site}/issues/1`).expect(200)).state).toBe("closed");
  });

  test("ignores a push that is delivered again", async () => {
    await using forge = await startForge({ dialect });
    const alice = await forge.createUser("alice");
    await alice.post("/user/repos", { name: "site", auto_init: true }).expect(201);
    await alice.post(`${site}/issues`, { title: "one" }).expect(201);
    await commit(alice, forge, "main.txt", "closes #1");
    await alice.patch(`${site}/issues/1`, { state: "open" }).expect(201);
    const last = (await eventsOf(forge, { type: "refs.changed" })).at(-1);
    await noteCommits(forge.context, last?.payload, last?.actorId ?? null);
    expect((await alice.get(`${site}/issues/1`).expect(200)).state).toBe("open");
    expect((await alice.get(`${site}/issues/1/timeline`).expect(200)).length).toBe(3);
  });

  test("shows a commit only to users who can read its repository's code", async () => {
    await using forge = await startForge({ dialect });
    const [alice, bob, carol] = await Promise.all(["alice", "bob", "carol"].map((name) => forge.createUser(name)));
    if (alice === undefined || bob === undefined || carol === undefined) throw new Error("three users");
    await alice.post("/orgs", { username: "acme" }).expect(201);
    const members = [
      ["testers", bob, { "repo.issues": "write" }],
      ["coders", carol, { "repo.code": "read", "repo.issues": "write" }],
    ] as const;
    for (const [name, member, units_map] of members) {
      const team = await alice.post("/orgs/acme/teams", { name, permission: "read", units_map, includes_all_repositories: true }).expect(201);
      await alice.put(`/teams/${team.id}/members/${member.name}`).expect(204);
    }
    for (const name of ["tracker", "app"]) await alice.post("/orgs/acme/repos", { name, private: true, auto_init: true }).expect(201);
    await alice.post("/repos/acme/tracker/issues", { title: "one" }).expect(201);
    const content = Buffer.from("x").toString("base64");
    await alice.post("/repos/acme/tracker/contents/a.txt", { message: "Plan X, see #1", content }).expect(201);
    await alice.post("/repos/acme/app/contents/a.txt", { message: "Plan Y, see acme/tracker#1", content }).expect(201);
    await forge.settled();
    const timelineOf = async (user: TestUser): Promise<string> => JSON.stringify(await user.get("/repos/acme/tracker/issues/1/timeline").expect(200));
    expect([await timelineOf(alice), await timelineOf(carol)].map((text) => [text.includes("Plan X"), text.includes("Plan Y")])).toEqual([
      [true, true],
      [true, true],
    ]);
    expect(await timelineOf(bob)).not.toContain("Plan");
    // A collaborator of the issue's repository only cannot see the other repository.
    const dave = await forge.createUser("dave");
    await alice.put("/repos/acme/tracker/collaborators/dave", { permission: "read" }).expect(204);
    expect(await timelineOf(dave)).toContain("Plan X");
    expect(await timelineOf(dave)).not.toContain("Plan Y");
    await forgetRepositories(forge);
    expect(await timelineOf(dave)).toContain("Plan X");
    expect(await timelineOf(dave)).not.toContain("Plan Y");
  });

  test("a migration restores older entries after renames, for readers of the commit's repository only", async () => {
    await using forge = await startForge({ dialect });
    const [alice, bob] = await Promise.all([forge.createUser("alice"), forge.createUser("bob")]);
    for (const name of ["site", "app", "gone"]) await alice.post("/user/repos", { name, auto_init: true, private: name !== "site" }).expect(201);
    await alice.post(`${site}/issues`, { title: "one" }).expect(201);
    await commit(alice, forge, "a.txt", 'Plan "S" & T, see #1');
    const content = Buffer.from("x").toString("base64");
    await alice.post("/repos/alice/app/contents/a.txt", { message: "Plan A, see alice/site#1", content }).expect(201);
    await alice.post("/repos/alice/gone/contents/a.txt", { message: "Plan G, see alice/site#1", content }).expect(201);
    await forge.settled();
    await forgetRepositories(forge);
    await alice.patch(site, { name: "site2" }).expect(200);
    await alice.patch("/repos/alice/app", { name: "app2" }).expect(200);
    await alice.patch("/repos/alice/gone", { name: "gone2" }).expect(200);
    // A public repository takes the name, which removes the redirect.
    await alice.post("/user/repos", { name: "gone", auto_init: true }).expect(201);
    const timelineOf = async (user: TestUser): Promise<boolean[]> => {
      const text = JSON.stringify(await user.get("/repos/alice/site2/issues/1/timeline").expect(200));
      return ["Plan &#34;S&#34; &#38; T", "Plan A", "Plan G"].map((plan) => text.includes(plan));
    };
    expect(await timelineOf(alice)).toEqual([false, false, false]);

    const { db } = forge.forge.context;
    // The column had another name at the time of this migration.
    const rename = (from: string, to: string): string => `alter table comments rename column ${from} to ${to}`;
    const replay = [rename("payload", "facts"), ...(commitRepositories.statements as readonly string[]), rename("facts", "payload")];
    await db.tx((tx) => tx.script(replay.join(";\n")));
    await forge.settled();
    expect(await timelineOf(alice)).toEqual([true, true, false]);
    expect(await timelineOf(bob)).toEqual([true, false, false]);
    expect(await db.sql.selectFrom("jobs").select("id").where("kind", "=", "issues.locate_commits").execute()).toEqual([]);
  });
});

/** Makes timeline entries as they were before the repository of a commit was recorded. */
async function forgetRepositories({ forge }: TestForge): Promise<void> {
  await forge.context.db.tx(async ({ sql }) => {
    for (const { id, payload } of await sql.selectFrom("comments").select(["id", "payload"]).where("kind", "=", "commit_ref").execute()) {
      const { commitRepoId: _, ...rest } = JSON.parse(payload);
      await sql
        .updateTable("comments")
        .set({ payload: JSON.stringify(rest) })
        .where("id", "=", id)
        .execute();
    }
  });
}
