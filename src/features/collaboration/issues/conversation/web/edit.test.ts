import { afterAll, beforeAll, expect, test } from "vitest";
import { type Browser, createBrowser } from "../../../../../../test/kit/browser.ts";
import { eachDialect } from "../../../../../../test/kit/databases.ts";
import { startForge, type TestForge, type TestUser } from "../../../../../../test/kit/forge.ts";
import { readPage } from "../../../../../../test/kit/page.ts";

eachDialect((dialect) => {
  let forge: TestForge;
  let alice: TestUser;
  let writer: Browser;
  let stranger: Browser;
  let comment: string;
  const issue = "/alice/r/issues/1";
  beforeAll(async () => {
    forge = await startForge({ dialect });
    alice = await forge.createUser("alice");
    const bob = await forge.createUser("bob");
    const carl = await forge.createUser("carl");
    await alice.post("/user/repos", { name: "r" }).expect(201);
    await bob.post("/repos/alice/r/issues", { title: "First", body: "<script>alert(1)</script>" }).expect(201);
    await bob.post("/repos/alice/r/issues", { title: "Second" }).expect(201);
    const { id } = await bob.post<{ id: number }>("/repos/alice/r/issues/1/comments", { body: "Said" }).expect(201);
    comment = `${issue}/comments/${id}/edit`;
    [writer, stranger] = [createBrowser(forge.url), createBrowser(forge.url)];
    await writer.signIn(bob);
    await stranger.signIn(carl);
  });
  afterAll(() => forge[Symbol.asyncDispose]());

  test("lets only the author edit a text and shows the form to no other reader", async () => {
    const page = readPage((await writer.get(issue)).text);
    expect(page.links).toEqual(expect.arrayContaining([`${issue}/edit`, comment]));
    expect((await stranger.get(issue)).text).not.toContain("/edit");
    for (const path of [`${issue}/edit`, comment]) {
      const form = await writer.get(path);
      expect(readPage(form.text).dangers).toEqual([]);
      expect((await stranger.get(path)).status).toBe(403);
      expect((await stranger.post(path, form.form(path))).status).toBe(403);
      expect((await createBrowser(forge.url).get(path)).location).toContain("/user/login");
    }
    expect((await writer.get(comment.replace("/1/", "/2/"))).status).toBe(404);
    expect((await writer.submit(await writer.get(`${issue}/edit`), `${issue}/edit`, { title: "Another title", content: "Other\r\nwords" })).location).toBe(
      issue,
    );
    expect((await writer.submit(await writer.get(comment), comment, { content: "Said otherwise" })).location).toMatch(
      /^\/alice\/r\/issues\/1#issuecomment-\d+$/,
    );
    expect(await alice.get(`/repos${issue}`).expect(200)).toMatchObject({ title: "Another title", body: "Other\nwords" });
    expect((await alice.get<{ body: string }[]>(`/repos${issue}/comments`).expect(200)).map(({ body }) => body)).toEqual(["Said otherwise"]);
  });

  test("shows an edit conflict instead of overwriting, keeps rejected input, and lets a comment be deleted", async () => {
    for (const [path, api] of [
      [`${issue}/edit`, `/repos${issue}`],
      [comment, `/repos/alice/r/issues/comments/${/\/(\d+)\/edit$/.exec(comment)?.[1]}`],
    ] as const) {
      const seen = await writer.get(path);
      await alice.patch(api, { body: "Theirs" });
      const refused = await writer.submit(seen, path, { title: "Mine", content: "My words" });
      expect([refused.status, refused.text.includes("Theirs"), refused.text.includes("My words")]).toEqual([409, true, true]);
      expect((await writer.submit(refused, path, { title: "Mine", content: "Both words" })).status).toBe(303);
      expect(await alice.get(api).expect(200)).toMatchObject({ body: "Both words" });
    }
    const { id } = await alice.post<{ id: number }>(`/repos${issue}/comments`, { body: "Taken back soon" }).expect(201);
    const page = `${issue}/comments/${id}/edit`;
    const deletion = page.replace(/edit$/, "delete");
    expect((await stranger.post(deletion, { ...(await writer.get(`${issue}/edit`)).form(`${issue}/edit`) })).status).toBe(403);
    const own = createBrowser(forge.url);
    await own.signIn(alice);
    expect((await own.submit(await own.get(page), deletion)).location).toBe(issue);
    await alice.get(`/repos/alice/r/issues/comments/${id}`).expect(404);
    expect((await own.get(page)).status).toBe(404);
    const untitled = await writer.submit(await writer.get(`${issue}/edit`), `${issue}/edit`, { title: " ", content: "Kept words" });
    expect([untitled.status, untitled.text.includes("Kept words")]).toEqual([422, true]);
    await alice.patch("/repos/alice/r", { archived: true }).expect(200);
    expect((await writer.get(issue)).text).not.toContain("/edit");
  });
});
