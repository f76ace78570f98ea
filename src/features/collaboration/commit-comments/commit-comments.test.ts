import { expect, test } from "vitest";
import { createBrowser } from "../../../../test/kit/browser.ts";
import { eachDialect } from "../../../../test/kit/databases.ts";
import { startForge, type TestUser } from "../../../../test/kit/forge.ts";
import { readPage } from "../../../../test/kit/page.ts";

eachDialect((dialect) => {
  test("a commit is commented on, and comments are edited and deleted by their authors and by writers of the code", async () => {
    await using forge = await startForge({ dialect });
    const [alice, bob, carol] = [await forge.createUser("alice"), await forge.createUser("bob"), await forge.createUser("carol")];
    await alice.post("/user/repos", { name: "site", auto_init: true }).expect(201);
    const { sha } = (await alice.get<{ sha: string }[]>("/repos/alice/site/commits").expect(200))[0] ?? { sha: "" };
    const [page, all] = [`/alice/site/commit/${sha}`, "/alice/site/commit_comments"];
    const browserOf = async (user: TestUser) => {
      const browser = createBrowser(forge.url);
      await browser.signIn(user);
      return browser;
    };
    const [owner, writer, other] = [await browserOf(alice), await browserOf(bob), await browserOf(carol)];
    const visitor = createBrowser(forge.url);
    const unread = async (user: TestUser) =>
      (await user.get<{ subject: { type: string; html_url: string } }[]>("/notifications").expect(200)).map(({ subject }) => [subject.type, subject.html_url]);

    expect(readPage((await visitor.get(page)).text).text).toContain("Sign in to comment on this commit.");
    const empty = await writer.submit(await writer.get(page), all, { content: " " });
    expect([empty.status, readPage(empty.text).text.includes("Enter a comment"), empty.form(all).commit]).toEqual([422, true, sha]);
    const made = await writer.submit(await writer.get(page), all, { content: "Why **this**? <script>alert(1)</script> @carol" });
    expect(made.location).toMatch(new RegExp(`^${page}#commitcomment-\\d+$`));
    const id = made.location?.split("-").at(-1);
    const shown = await visitor.get(page);
    expect([shown.text.includes("<strong>this</strong>"), readPage(shown.text).dangers, readPage(shown.text).text.includes("1 comment")]).toEqual([
      true,
      [],
      true,
    ]);
    // The author of the commit and mentioned users are notified, the writer is not.
    const subject = ["Commit", `${forge.url}${page}`];
    expect([await unread(alice), await unread(bob), await unread(carol)]).toEqual([[subject], [], [subject]]);
    for (const user of [alice, carol]) await user.put("/notifications").expect(205);
    await owner.submit(await owner.get(page), all, { content: "Because." });
    expect([await unread(alice), await unread(bob), await unread(carol)]).toEqual([[], [subject], []]);

    const edit = `${all}/${id}/edit`;
    expect((await other.get(page)).text).not.toContain(edit);
    expect((await other.get(edit)).status).toBe(403);
    const before = await writer.get(edit);
    expect(before.form(edit)).toMatchObject({ content_version: "0" });
    await owner.submit(await owner.get(edit), edit, { content: "Why, though?" });
    const late = await writer.submit(before, edit, { content: "Mine" });
    expect([late.status, late.form(edit).content, readPage(late.text).text.includes("Why, though?")]).toEqual([409, "Mine", true]);
    expect((await writer.submit(late, edit)).status).toBe(303);
    expect(readPage((await visitor.get(page)).text).text).toContain("Mine");
    await owner.submit(await owner.get(edit), `${all}/${id}/delete`);
    expect(readPage((await visitor.get(page)).text).text).not.toContain("Mine");
    expect((await owner.get(edit)).status).toBe(404);
    const theirs = (await other.get(page)).form(all);
    expect((await other.post(all, { ...theirs, commit: "0".repeat(40), content: "x" })).status).toBe(404);
    expect((await other.post(all, { ...theirs, commit: "no such", content: "x" })).status).toBe(422);

    // A blocked user keeps the text.
    await alice.put("/user/blocks/carol").expect(204);
    const blocked = await other.submit(await other.get(page), all, { content: "Typed" });
    expect([blocked.status, blocked.form(all).content]).toEqual([422, "Typed"]);
    await alice.patch("/repos/alice/site", { archived: true }).expect(200);
    expect((await writer.post(all, { ...theirs, content: "x" })).status).not.toBe(303);
    expect((await owner.get(page)).text).not.toContain(edit);
  });

  test("comments of a commit are shown in pages, for a constant number of statements, to readers of the code only", async () => {
    await using forge = await startForge({ dialect });
    const alice = await forge.createUser("alice");
    const bob = await forge.createUser("bob");
    await alice.post("/user/repos", { name: "site", auto_init: true, private: true }).expect(201);
    const { sha } = (await alice.get<{ sha: string }[]>("/repos/alice/site/commits").expect(200))[0] ?? { sha: "" };
    const [page, all] = [`/alice/site/commit/${sha}`, "/alice/site/commit_comments"];
    const [owner, other] = [createBrowser(forge.url), createBrowser(forge.url)];
    await owner.signIn(alice);
    await other.signIn(bob);
    const form = (await owner.get(page)).form(all);
    const add = (content: string) => owner.post(all, { ...form, content });
    await add("one");
    const few = await forge.cost(() => owner.get(page));
    for (let at = 2; at <= 50; at += 1) await add(`comment ${at}`);
    const many = await forge.cost(() => owner.get(page));
    expect(many.statements.length).toBe(few.statements.length);
    expect((await add("the last one")).location).toContain(`${page}?page=2#commitcomment-`);
    expect(readPage((await owner.get(`${page}?page=2`)).text).text).toContain("the last one");
    expect(readPage((await owner.get(page)).text).text).not.toContain("the last one");
    expect((await owner.get(`${page}?page=99`)).status).toBe(200);
    expect([(await other.get(page)).status, (await other.get(`${all}/1/edit`)).status]).toEqual([404, 404]);
  });
});
