import { expect, test } from "vitest";
import { createBrowser } from "../../../../../test/kit/browser.ts";
import { eachDialect } from "../../../../../test/kit/databases.ts";
import { startForge } from "../../../../../test/kit/forge.ts";
import { readPage } from "../../../../../test/kit/page.ts";

eachDialect((dialect) => {
  test("a branch is created for an issue, follows renames, and its pull request closes the issue", async () => {
    await using forge = await startForge({ dialect });
    const [alice, bob, carol] = [await forge.createUser("alice"), await forge.createUser("bob"), await forge.createUser("carol")];
    for (const name of ["site", "lib"]) await alice.post("/user/repos", { name, auto_init: true, default_branch: "main" }).expect(201);
    for (const name of ["site", "lib"]) await alice.put(`/repos/alice/${name}/collaborators/bob`, { permission: "write" }).expect(204);
    const base = "/repos/alice/site";
    await alice.post(`${base}/issues`, { title: "Fix the proxy: it's slow" }).expect(201);
    const [page, form] = ["/alice/site/issues/1", "/alice/site/issues/1/branches"];
    const [writer, reader] = [createBrowser(forge.url), createBrowser(forge.url)];
    await writer.signIn(bob);
    await reader.signIn(carol);
    const shown = async (browser = reader) => readPage((await browser.get(page)).text);

    expect((await writer.get(page)).form(form)).toMatchObject({ name: "1-fix-the-proxy-it-s-slow", from: "main" });
    expect((await reader.get(page)).text).not.toContain(form);
    expect((await shown()).text).not.toContain("Development");
    const theirs = (await reader.get("/user/settings")).form("/user/settings");
    expect((await reader.post(form, { _csrf: theirs._csrf ?? "", name: "x", from: "main" })).status).toBe(403);

    // A refused name or start keeps both values and creates nothing.
    for (const [fields, explained] of [
      [{ name: "main" }, "A branch with this name already exists"],
      [{ name: "a..b" }, "not a valid branch"],
      [{ from: "nosuch" }, "Branch, tag or commit not found"],
      [{ name: " " }, "This field is required"],
    ] as const) {
      const refused = await writer.submit(await writer.get(page), form, fields);
      expect([refused.status, refused.form(form)], JSON.stringify(fields)).toMatchObject([
        422,
        { ...fields, name: ("name" in fields ? fields.name : "1-fix-the-proxy-it-s-slow").trim() },
      ]);
      expect(readPage(refused.text).text, JSON.stringify(fields)).toContain(explained);
    }
    expect((await alice.get<unknown[]>(`${base}/branches`).expect(200)).length).toBe(1);

    const made = await writer.submit(await writer.get(page), form);
    expect(made.location).toBe(`${page}#side-development`);
    expect((await shown()).links).toContain("/alice/site/src/branch/1-fix-the-proxy-it-s-slow");
    // The next proposal is free.
    expect((await writer.get(page)).form(form).name).toBe("1-fix-the-proxy-it-s-slow-2");
    expect((await shown(writer)).text).toContain("git switch 1-fix-the-proxy-it-s-slow");

    await alice.patch(`${base}/branches/1-fix-the-proxy-it-s-slow`, { name: "proxy" }).expect(204);
    expect((await shown()).links).toContain("/alice/site/src/branch/proxy");
    expect((await shown()).links).not.toContain("/alice/site/src/branch/1-fix-the-proxy-it-s-slow");

    const change = { content: Buffer.from("fast").toString("base64"), message: "Be fast", branch: "proxy" };
    await bob.post(`${base}/contents/fast.txt`, change).expect(201);
    const compare = "/alice/site/compare/main...proxy";
    expect((await writer.get(compare)).form(compare)).toMatchObject({ title: "Be fast", content: "Closes #1" });
    await writer.submit(await writer.get(compare), compare);
    const linked = await shown();
    expect([linked.text, linked.links]).toEqual([
      expect.stringContaining("Pull requests that close this issue"),
      expect.arrayContaining(["/alice/site/pulls/2"]),
    ]);
    const pull = readPage((await reader.get("/alice/site/pulls/2")).text);
    expect([pull.text, pull.links]).toEqual([expect.stringContaining("Merging this pull request closes"), expect.arrayContaining([page])]);

    // A deleted branch is not shown, and is shown again once it is restored.
    await alice.patch(`${base}/pulls/2`, { state: "closed" }).expect(201);
    await alice.delete(`${base}/branches/proxy`).expect(204);
    expect((await shown()).links).not.toContain("/alice/site/src/branch/proxy");
    const branches = await writer.get("/alice/site/branches");
    expect((await writer.submit(branches, "/alice/site/branches/restore")).location).toBe("/alice/site/branches?saved=restored");
    expect((await shown()).links).toContain("/alice/site/src/branch/proxy");

    // A branch with the same name in the repository that the issue is transferred to is another one.
    await alice.post("/repos/alice/lib/branches", { new_branch_name: "proxy" }).expect(201);
    await alice.post(`${base}/issues/1/transfer`, { repository: "alice/lib" }).expect(201);
    expect(readPage((await reader.get("/alice/lib/issues/1")).text).links).not.toContain("/alice/lib/src/branch/proxy");
  });

  test("an existing branch is linked to an issue and unlinked by users who can push, and stays", async () => {
    await using forge = await startForge({ dialect });
    const [alice, bob, carol] = [await forge.createUser("alice"), await forge.createUser("bob"), await forge.createUser("carol")];
    await alice.post("/user/repos", { name: "site", auto_init: true, default_branch: "main" }).expect(201);
    await alice.put("/repos/alice/site/collaborators/bob", { permission: "write" }).expect(204);
    await alice.post("/repos/alice/site/branches", { new_branch_name: "fix/it" }).expect(201);
    await alice.post("/repos/alice/site/issues", { title: "One" }).expect(201);
    const [page, link, unlink] = ["/alice/site/issues/1", "/alice/site/issues/1/branches/link", "/alice/site/issues/1/branches/unlink"];
    const [writer, reader] = [createBrowser(forge.url), createBrowser(forge.url)];
    await writer.signIn(bob);
    await reader.signIn(carol);
    const links = async () => readPage((await reader.get(page)).text).links;
    for (const [branch, explained] of [
      ["nosuch", "Branch, tag or commit not found"],
      [" ", "This field is required"],
    ] as const) {
      const refused = await writer.submit(await writer.get(page), link, { branch });
      expect([refused.status, refused.form(link).branch, readPage(refused.text).text]).toEqual([422, branch.trim(), expect.stringContaining(explained)]);
    }
    for (let times = 0; times < 2; times += 1)
      expect((await writer.submit(await writer.get(page), link, { branch: "fix/it" })).location).toBe(`${page}#side-development`);
    expect(await links()).toContain("/alice/site/src/branch/fix/it");
    expect((await reader.get(page)).text).not.toContain(unlink);
    const theirs = (await reader.get("/user/settings")).form("/user/settings");
    for (const form of [link, unlink]) expect((await reader.post(form, { _csrf: theirs._csrf ?? "", branch: "fix/it" })).status).toBe(403);
    expect((await writer.submit(await writer.get(page), unlink)).location).toBe(`${page}#side-development`);
    expect(await links()).not.toContain("/alice/site/src/branch/fix/it");
    await alice.get("/repos/alice/site/branches/fix%2Fit").expect(200);
    expect((await writer.submit(await writer.get("/alice/site/issues/1"), link, { branch: "main" })).status).toBe(303);
    await alice.post("/repos/alice/site/contents/x", { content: "", message: "x", branch: "fix/it" }).expect(201);
    await alice.post("/repos/alice/site/pulls", { title: "P", base: "main", head: "fix/it" }).expect(201);
    const form = await writer.get(page);
    expect((await writer.post("/alice/site/pulls/2/branches/link", { ...form.form(link), branch: "main" })).status).toBe(404);
    expect((await writer.post("/alice/site/issues/2/branches/link", { ...form.form(link), branch: "main" })).status).toBe(404);
  });

  test("linked branches and pull requests cost a constant number of statements, and show readers of the code only what they can see", async () => {
    await using forge = await startForge({ dialect });
    const [alice, bob] = [await forge.createUser("alice"), await forge.createUser("bob")];
    await alice.post("/user/repos", { name: "site", auto_init: true, default_branch: "main" }).expect(201);
    await alice.post("/user/repos", { name: "secret", private: true, auto_init: true, default_branch: "main" }).expect(201);
    await alice.post("/repos/alice/site/issues", { title: "One" }).expect(201);
    const [page, form] = ["/alice/site/issues/1", "/alice/site/issues/1/branches"];
    const [owner, reader] = [createBrowser(forge.url), createBrowser(forge.url)];
    await owner.signIn(alice);
    await reader.signIn(bob);
    await owner.submit(await owner.get(page), form);
    const few = await forge.cost(() => reader.get(page));
    for (let at = 0; at < 3; at += 1) await owner.submit(await owner.get(page), form);
    expect((await forge.cost(() => reader.get(page))).statements.length).toBe(few.statements.length);
    const change = { content: "", message: "x", new_branch: "fix" };
    await alice.post("/repos/alice/secret/contents/x", change).expect(201);
    await alice.post("/repos/alice/secret/pulls", { title: "Fix", body: "Closes alice/site#1", base: "main", head: "fix" }).expect(201);
    expect((await reader.get(page)).text).not.toContain("alice/secret");
  });
});
