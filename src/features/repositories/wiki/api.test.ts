import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { eachDialect } from "../../../../test/kit/databases.ts";
import { eventsOf } from "../../../../test/kit/events.ts";
import { startForge, type TestForge, type TestUser } from "../../../../test/kit/forge.ts";
import { createClient } from "../../../../test/kit/git.ts";
import { push } from "../../../../test/kit/push.ts";
import { storePath } from "../../../git/stores.ts";

const run = promisify(execFile);
const b64 = (text: string): string => Buffer.from(text).toString("base64");
const client = createClient();
afterAll(() => client.remove());

eachDialect((dialect) => {
  let forge: TestForge;
  let alice: TestUser;
  let bob: TestUser;
  let count = 0;
  beforeAll(async () => {
    forge = await startForge({ dialect });
    alice = await forge.createUser("alice");
    bob = await forge.createUser("bob");
  });
  afterAll(() => forge[Symbol.asyncDispose]());

  const fresh = async (options: object = {}): Promise<string> => {
    count += 1;
    await alice.post("/user/repos", { name: `w${count}`, ...options }).expect(201);
    return `/repos/alice/w${count}`;
  };
  const events = async (r: string) => {
    const { id } = await alice.get(r).expect(200);
    return (await eventsOf(forge, { type: "wiki.*", repositoryId: id })).map(({ type, payload }) => ({ type, ...payload }));
  };
  const git = async (user: TestUser, ...args: string[]): Promise<string> => {
    const env = { PATH: process.env.PATH, HOME: client.path, GIT_CONFIG_NOSYSTEM: "1", GIT_TERMINAL_PROMPT: "0" };
    return (
      await run(
        "git",
        args.map((word) => word.replace("{git}", user.gitOrigin)),
        { cwd: client.path, env },
      )
    ).stdout;
  };

  test("creates, reads, renames and deletes pages, each in a commit of the author", async () => {
    const r = await fresh();
    await alice.get(`${r}/wiki/pages`).expect(404);
    await alice.get(`${r}/wiki/page/Home`).expect(404);
    const home = await alice.post(`${r}/wiki/new`, { title: "Home", content_base64: b64("# Home\n"), message: "first page" }).expect(201);
    const person = { name: "alice", email: "alice@example.com", date: expect.any(String) };
    expect(home).toEqual({
      title: "Home",
      html_url: `${forge.url}${r.slice("/repos".length)}/wiki/Home`,
      sub_url: "Home",
      last_commit: { sha: expect.stringMatching(/^[0-9a-f]{40}$/), author: person, commiter: person, message: "first page\n" },
      content_base64: b64("# Home\n"),
      commit_count: 1,
      sidebar: "",
      footer: "",
    });
    await alice.post(`${r}/wiki/new`, { title: "How To/Use", content_base64: b64("use it") }).expect(201);
    await alice.post(`${r}/wiki/new`, { title: "_Sidebar", content_base64: b64("side") }).expect(201);
    await alice.post(`${r}/wiki/new`, { title: "_Footer", content_base64: b64("foot") }).expect(201);
    const listed = await forge.anonymous.get(`${r}/wiki/pages?limit=2`);
    expect(listed.headers.get("x-total-count")).toBe("4");
    const link = (page: number, rel: string) => `<${forge.url}/api/v1${r}/wiki/pages?limit=2&page=${page}>; rel="${rel}"`;
    expect(listed.headers.get("link")).toBe([link(2, "next"), link(2, "last")].join(","));
    expect(listed.json).toMatchObject([
      { title: "Home", last_commit: { message: "first page\n" } },
      { title: "How To/Use", sub_url: "How-To%2FUse", last_commit: { message: 'Add "How To/Use"\n' } },
    ]);
    // A limit of one means the default page size, so these four pages fit on one page.
    const whole = await alice.get(`${r}/wiki/pages?limit=1`);
    expect([whole.json.length, whole.headers.get("link")]).toEqual([4, null]);
    for (const called of ["How-To%2FUse", "How%20To%2FUse"])
      expect(await forge.anonymous.get(`${r}/wiki/page/${called}`).expect(200)).toMatchObject({
        title: "How To/Use",
        content_base64: b64("use it"),
        sidebar: b64("side"),
        footer: b64("foot"),
      });

    const edited = await alice.patch(`${r}/wiki/page/Home`, { content_base64: b64("# 2") }).expect(200);
    expect(edited).toMatchObject({ title: "Home", commit_count: 2, last_commit: { message: 'Update "Home"\n' } });
    await alice.patch(`${r}/wiki/page/Home`, { title: "How To/Use", content_base64: b64("x") }).expect(400);
    const renamed = await alice.patch(`${r}/wiki/page/Home`, { title: "Start here", content_base64: b64("# 2"), message: "rename" }).expect(200);
    expect(renamed).toMatchObject({ title: "Start here", sub_url: "Start-here", content_base64: b64("# 2") });
    await alice.get(`${r}/wiki/page/Home`).expect(404);
    const revisions = await alice.get(`${r}/wiki/revisions/Start-here`);
    expect(revisions.headers.get("x-total-count")).toBe("1");
    expect(revisions.json).toMatchObject({ count: 1, commits: [{ message: "rename\n", commiter: { name: "alice" } }] });
    await alice.get(`${r}/wiki/revisions/Home`).expect(404);
    // Editing an unknown page creates it.
    await alice.patch(`${r}/wiki/page/None`, { title: "x", content_base64: b64("x") }).expect(200);
    await alice.delete(`${r}/wiki/page/Start-here`).expect(204);
    await alice.delete(`${r}/wiki/page/Start-here`).expect(404);
    expect((await alice.get(`${r}/wiki/pages`).expect(200)).map(({ title }: { title: string }) => title)).toEqual(["How To/Use", "_Footer", "_Sidebar", "x"]);
    expect((await events(r)).map(({ type, page, message }) => [type, page, message])).toEqual([
      ["wiki.created", "Home", "first page"],
      ["wiki.created", "How-To%2FUse", 'Add "How To/Use"'],
      ["wiki.created", "_Sidebar", 'Add "_Sidebar"'],
      ["wiki.created", "_Footer", 'Add "_Footer"'],
      ["wiki.edited", "Home", 'Update "Home"'],
      ["wiki.edited", "Start-here", "rename"],
      ["wiki.created", "x", 'Update "x"'],
      ["wiki.deleted", "Start-here", 'Delete page "Start here"'],
    ]);
  });

  test("rejected changes leave no wiki behind", async () => {
    const r = await fresh();
    for (const title of ["../../x", "a\u0000b", ".git", "", "x".repeat(300), "_new", "a/../../b"])
      await alice.post(`${r}/wiki/new`, { title, content_base64: b64("x") }).expect(400);
    expect((await alice.post(`${r}/wiki/new`, { title: "Bad", content_base64: "%%%" })).json).toMatchObject({ message: "illegal base64 data at input byte 0" });
    expect((await bob.post(`${r}/wiki/new`, { title: "Evil", content_base64: b64("x") })).json).toMatchObject({
      message: "user should have a permission to write to a repo",
    });
    await forge.anonymous.post(`${r}/wiki/new`, { title: "Evil", content_base64: b64("x") }).expect(401);
    const { id } = await alice.get(r).expect(200);
    const { db } = forge.context;
    expect(await db.sql.selectFrom("repositories").select("wiki_store_id").where("id", "=", id).execute()).toEqual([{ wiki_store_id: null }]);

    await alice.post(`${r}/wiki/new`, { title: "Home", content_base64: b64("x") }).expect(201);
    expect((await alice.post(`${r}/wiki/new`, { title: "Home", content_base64: b64("x") })).json).toMatchObject({
      message: "wiki page already exists [title: Home.md]",
    });
    await alice.patch(`${r}/wiki/page/Home`, { title: "../x", content_base64: b64("x") }).expect(400);
    await alice.patch(r, { archived: true }).expect(200);
    await alice.patch(`${r}/wiki/page/Home`, { content_base64: b64("y") }).expect(423);
    await alice.patch(r, { archived: false, has_wiki: false }).expect(200);
    await alice.get(`${r}/wiki/page/Home`).expect(404);
    await expect(git(alice, "ls-remote", `{git}${r.slice("/repos".length)}.wiki.git`)).rejects.toThrow(/not found/i);
  });

  test("a wiki is cloned and pushed to as a separate repository, even before its first page", async () => {
    const r = await fresh();
    const address = `{git}${r.slice("/repos".length)}.wiki.git`;
    expect(await git(alice, "ls-remote", address)).toBe("");
    await expect(git(bob, "push", "-q", address, "HEAD:main")).rejects.toThrow();
    const oid = client.commit({ "Foo Bar.md": "pushed\n", "notes.txt": "no page", "dir/Below.md": "no page either", "_Sidebar.md": "beside" });
    await push(client, alice, `${r.slice("/repos/".length)}.wiki`, "HEAD:refs/heads/master");
    expect((await forge.anonymous.get(`${r}/wiki/pages`).expect(200)).map(({ title, sub_url }: Record<string, string>) => [title, sub_url])).toEqual([
      ["Foo Bar", "Foo+Bar"],
      ["_Sidebar", "_Sidebar"],
    ]);
    expect(await forge.anonymous.get(`${r}/wiki/page/Foo%20Bar`).expect(200)).toMatchObject({ content_base64: b64("pushed\n"), sidebar: b64("beside") });
    // Editing a page keeps its file name.
    const { last_commit } = await alice.patch(`${r}/wiki/page/Foo%20Bar`, { content_base64: b64("2") }).expect(200);
    expect(await git(bob, "ls-remote", "--symref", address)).toBe(
      `ref: refs/heads/master\tHEAD\n${last_commit.sha}\tHEAD\n${last_commit.sha}\trefs/heads/master\n`,
    );
    await git(bob, "fetch", "-q", address, "master");
    expect(await git(alice, "rev-list", "--max-count=2", "FETCH_HEAD")).toBe(`${last_commit.sha}\n${oid}\n`);
    expect(await git(alice, "ls-tree", "--name-only", "FETCH_HEAD")).toBe("Foo Bar.md\n_Sidebar.md\ndir\nnotes.txt\n");
    await expect(git(alice, "push", "-q", address, ":refs/heads/master")).rejects.toThrow(/default branch/);
    expect((await alice.get(r).expect(200)).empty).toBe(true);
    expect((await events(r))[0]).toMatchObject({ type: "wiki.pushed", total: 1 });
  });

  test("a private wiki is not found for other users, and is deleted with its repository", async () => {
    const r = await fresh({ private: true });
    await alice.post(`${r}/wiki/new`, { title: "Home", content_base64: b64("secret") }).expect(201);
    await bob.get(`${r}/wiki/page/Home`).expect(404);
    await expect(git(bob, "ls-remote", `{git}${r.slice("/repos".length)}.wiki.git`)).rejects.toThrow(/not found/i);
    await forge.settled();
    const { context } = forge.forge;
    const { id } = await alice.get(r).expect(200);
    const row = await context.db.sql.selectFrom("repositories").select("wiki_store_id").where("id", "=", id).executeTakeFirstOrThrow();
    expect(existsSync(storePath(context.git.root, row.wiki_store_id ?? 0))).toBe(true);
    await alice.delete(r).expect(204);
    await expect(git(alice, "ls-remote", `{git}${r.slice("/repos".length)}.wiki.git`)).rejects.toThrow(/not found/i);
  });

  test("concurrent edits are not lost", async () => {
    const r = await fresh();
    const titles = Array.from({ length: 8 }, (_, index) => `p${index}`);
    await Promise.all(titles.map((title) => alice.post(`${r}/wiki/new`, { title, content_base64: b64(title) }).expect(201)));
    expect((await alice.get(`${r}/wiki/pages`).expect(200)).map(({ title }: { title: string }) => title)).toEqual(titles);
  });

  test("reading and writing take few statements and processes", async () => {
    const r = await fresh();
    for (const title of ["Home", "Other"]) await alice.post(`${r}/wiki/new`, { title, content_base64: b64(title) }).expect(201);
    await alice.get(`${r}/wiki/pages`).expect(200);
    const list = await forge.cost(() => alice.get(`${r}/wiki/pages`).expect(200));
    const one = await forge.cost(() => alice.get(`${r}/wiki/page/Home`).expect(200));
    const edit = await forge.cost(() => alice.patch(`${r}/wiki/page/Home`, { content_base64: b64("2") }).expect(200));
    expect([list.statements.length, list.processes]).toEqual([4, 0]);
    expect([one.statements.length, one.processes]).toEqual([3, 1]);
    expect([edit.statements.length, edit.processes]).toEqual([10, 1]);
  });
});
