import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Browser, createBrowser } from "../kit/browser.ts";
import { eachDialect } from "../kit/databases.ts";
import { startForge, type TestForge, type TestUser } from "../kit/forge.ts";
import { type ReadPage, readPage } from "../kit/page.ts";

/** Pull request pages without JavaScript. */

const evil = '"><img src=x onerror=alert(1)><script>alert(2)</script>';
const base64 = (text: string): string => Buffer.from(text).toString("base64");

eachDialect((dialect) => {
  let forge: TestForge;
  let alice: TestUser;
  let bob: TestUser;
  let visitor: Browser;
  let owner: Browser;
  beforeAll(async () => {
    forge = await startForge({ dialect });
    alice = await forge.createUser("alice");
    bob = await forge.createUser("bob");
    await alice.post("/user/repos", { name: "r", auto_init: true, default_branch: "main" }).expect(201);
    await put("main", "main", "f.txt", "one\n");
    visitor = createBrowser(forge.url);
    owner = createBrowser(forge.url);
    await owner.signIn(alice);
  });
  afterAll(() => forge[Symbol.asyncDispose]());

  /** Commits a file to `branch`, which is created if it differs from `from`. */
  const put = (from: string, branch: string, path: string, text: string) =>
    alice.post(`/repos/alice/r/contents/${path}`, { content: base64(text), branch: from, new_branch: branch, message: `Add ${path}` }).expect(201);
  const change = async (from: string, branch: string, path: string, text: string) => {
    const { sha } = await alice.get<{ sha: string }>(`/repos/alice/r/contents/${path}?ref=${from}`).expect(200);
    return alice
      .put(`/repos/alice/r/contents/${path}`, { sha, content: base64(text), branch: from, new_branch: branch, message: `Change ${path}` })
      .expect(200);
  };
  const propose = async (branch: string, title = branch, more: object = {}): Promise<number> =>
    (await alice.post<{ number: number }>("/repos/alice/r/pulls", { base: "main", head: branch, title, ...more }).expect(201)).number;
  const open = async (path: string, browser = visitor): Promise<ReadPage & { readonly status: number }> => {
    const { status, text } = await browser.get(path);
    const page = readPage(text);
    expect(page.dangers, path).toEqual([]);
    expect(page.headings.length, path).toBe(1);
    return { status, ...page };
  };

  describe("pull request pages", () => {
    test("pull requests are listed separately from issues, and the URLs of both redirect to each other", async () => {
      await alice.post("/repos/alice/r/issues", { title: "An issue" }).expect(201);
      expect((await open("/alice/r/pulls")).text).toContain("No pull requests yet");
      await put("main", "listed", "listed.txt", "x\n");
      const number = await propose("listed", `Listed ${evil}`);
      const list = await open("/alice/r/pulls?q=is%3Aopen+listed+author%3Aalice");
      expect(list.links).toContain(`/alice/r/pulls/${number}`);
      expect(list.text).not.toContain("An issue");
      expect((await open("/alice/r/issues")).text).not.toContain("Listed");
      expect((await open("/alice/r")).links).toContain("/alice/r/pulls");
      expect((await visitor.get(`/alice/r/issues/${number}`)).location).toBe(`/alice/r/pulls/${number}`);
      expect((await visitor.get(`/alice/r/pulls/${number - 1}`)).location).toBe(`/alice/r/issues/${number - 1}`);
      expect((await open("/alice/r/pulls?q=author%3Anobody")).text).toContain("No results");
    });

    test("the page for a new pull request suggests recently pushed branches", async () => {
      const chooser = await open("/alice/r/compare", owner);
      for (const word of ["Recently pushed branches", "main"]) expect(chooser.text).toContain(word);
    });

    test("both ends of a comparison are chosen among branches and tags, or found by a part of their name", async () => {
      for (const branch of ["valve-north", "valve-south"]) await put("main", branch, `${branch}.txt`, branch);
      await alice.post("/repos/alice/r/tags", { tag_name: "v1", target: "main" }).expect(201);
      const page = await open("/alice/r/compare/main...valve-north");
      for (const ends of ["main...valve-south", "valve-south...valve-north", "main...v1", "v1...valve-north"])
        expect(page.links).toContain(`/alice/r/compare/${ends}`);
      // Menus keep the two dots and a base without a head.
      expect((await open("/alice/r/compare/main..valve-north")).links).toContain("/alice/r/compare/v1..valve-north");
      expect((await open("/alice/r/compare?base=v1")).links).toEqual(
        expect.arrayContaining(["/alice/r/compare?base=main", "/alice/r/compare/v1...valve-south"]),
      );
      const found = await open("/alice/r/compare/main...VALVE-");
      expect([found.status, found.text.includes("“VALVE-” is not a branch, tag or commit")]).toEqual([404, true]);
      expect(found.text).toContain("Branches and tags that contain “VALVE-”");
      expect(found.links).toEqual(expect.arrayContaining(["/alice/r/compare/main...valve-north", "/alice/r/compare/main...valve-south"]));
      expect((await visitor.get("/alice/r/compare?base=valve-&head=main")).location).toBe("/alice/r/compare/valve-...main");
      const missing = await open("/alice/r/compare/valve-...main");
      expect([missing.status, missing.links.includes("/alice/r/compare/valve-south...main")]).toEqual([404, true]);
      expect((await open("/alice/r/compare?base=valve-")).links).toContain("/alice/r/compare?base=valve-south");
    });

    test("branches are compared, and a pull request is created from the comparison", async () => {
      await put("main", "new/branch", "new.txt", "brand new\n");
      expect((await visitor.get("/alice/r/compare?base=main&head=new%2Fbranch")).location).toBe("/alice/r/compare/main...new/branch");
      expect((await visitor.get("/alice/r/pulls/new/new/branch")).location).toBe("/alice/r/compare/main...new/branch");
      const path = "/alice/r/compare/main...new/branch";
      const page = await open(path);
      for (const word of ["1 commit", "Add new.txt", "brand new"]) expect(page.text).toContain(word);
      expect(page.links).toContain("/user/login?redirect_to=%2Falice%2Fr%2Fcompare%2Fmain...new%2Fbranch");
      expect((await visitor.get(`${path}?style=split`)).text).toContain('class="diff split"');
      expect((await open("/alice/r/compare")).text).toContain("Compare");
      expect((await open("/alice/r/compare/main...main")).text).toContain("Both are the same commit");
      const behind = await open("/alice/r/compare/new/branch...main");
      expect([behind.text.includes("There are no changes to compare"), behind.links.includes(path)]).toEqual([true, true]);
      expect(page.links).toEqual(
        expect.arrayContaining(["/alice/r/compare/new/branch...main", "/alice/r/compare/main..new/branch", `${path}.diff`, `${path}.patch`]),
      );
      expect((await visitor.get(`${path}.diff`)).text).toContain("\n+brand new\n");
      expect((await visitor.get(`${path}.patch`)).text).toMatch(/^From [0-9a-f]{40} .*Subject: \[PATCH\] Add new.txt/s);
      expect((await open("/alice/r/compare/new/branch..main")).text).toContain("new.txt Removed");
      expect((await forge.cost(() => visitor.get(path))).statements).toHaveLength(10);
      const missing = await open("/alice/r/compare/main...nowhere");
      expect([missing.status, missing.text.includes("“nowhere” is not a branch")]).toEqual([404, true]);
      const form = await owner.get(path);
      const opened = await owner.submit(form, path, { content: `Words ${evil}` });
      expect(opened.location).toMatch(/^\/alice\/r\/pulls\/\d+$/);
      expect(await alice.get(`/repos${opened.location}`).expect(200)).toMatchObject({
        title: "Add new.txt",
        head: { ref: "new/branch" },
        base: { ref: "main" },
      });
      expect((await open(path)).links).toContain(opened.location);
      const again = await owner.submit(form, path, { title: "Once more", content: "A long story" });
      expect([again.status, again.text.includes("Once more"), again.text.includes("A long story")]).toEqual([409, true, true]);
    });

    test("not all checks have passed while a required one has not reported", async () => {
      await alice.post("/repos/alice/r/branches", { new_branch_name: "checked-base", old_branch_name: "main" }).expect(201);
      await put("checked-base", "unchecked", "unchecked.txt", "first\n");
      const number = await propose("unchecked", "Unchecked", { base: "checked-base" });
      const { sha } = (await alice.get<{ head: { sha: string } }>(`/repos/alice/r/pulls/${number}`).expect(200)).head;
      await alice.post(`/repos/alice/r/statuses/${sha}`, { state: "success", context: "ci/lint" }).expect(200);
      const path = `/alice/r/pulls/${number}`;
      expect((await open(path)).text).toContain("All checks have passed");
      const rule = { rule_name: "checked-base", enable_status_check: true, status_check_contexts: ["ci/lint", "ci/test"] };
      await alice.post("/repos/alice/r/branch_protections", rule).expect(201);
      const { text } = await open(path);
      expect([text.includes("All checks have passed"), text.includes("Some checks have not completed yet")]).toEqual([false, true]);
    });

    test("a pull request is read, commented on with a change of state, and reviewed on its lines", async () => {
      await put("main", "talked", "talked.txt", "first\nsecond\n");
      const number = await propose("talked", "Talked about", { body: `See ${evil}` });
      const path = `/alice/r/pulls/${number}`;
      const review = { event: "APPROVED", body: `Fine **indeed** ${evil}`, comments: [{ path: "talked.txt", new_position: 2, body: "This **line**?" }] };
      await bob.post(`/repos/alice/r/pulls/${number}/reviews`, review).expect(200);
      const { sha } = (await alice.get<{ head: { sha: string } }>(`/repos/alice/r/pulls/${number}`).expect(200)).head;
      await alice.post(`/repos/alice/r/statuses/${sha}`, { state: "success", context: "ci/build", description: "It builds" }).expect(200);
      const closed = await owner.submit(await owner.get(path), `${path}/comments`, { content: "Not now", action: "close" });
      expect(closed.location).toMatch(new RegExp(`^${path}#issuecomment-\\d+$`));
      const page = await open(path);
      expect(page.headings).toEqual([`Talked about #${number}`]);
      const words = [
        "approved this",
        "Fine indeed",
        "talked.txt",
        "line 2",
        "This line?",
        "ci/build",
        "All checks have passed",
        "Not now",
        "alice closed this",
      ];
      for (const word of words) expect(page.text).toContain(word);
      expect(page.text).toContain("closed without being merged");
      // The mark of the event has the color of the state, unlike that of a completed issue.
      expect((await owner.get(path)).text.match(/class="mark (?:bad|done)"/g)).toEqual(['class="mark bad"']);
      await owner.submit(await owner.get(path), `${path}/comments`, { content: "", action: "reopen" });
      expect(await alice.get(`/repos/alice/r/pulls/${number}`).expect(200)).toMatchObject({ state: "open" });
      const commits = await open(`${path}/commits`);
      expect(commits.text).toContain("Add talked.txt");
      const files = await open(`${path}/files`);
      for (const word of ["1 file changed", "talked.txt", "second"]) expect(files.text).toContain(word);
      const before = await owner.submit(await owner.get(path), `${path}/comments`, { content: " ", action: "comment" });
      expect([before.status, before.text.includes("Enter a comment")]).toEqual([422, true]);
      expect(before.text).toContain('id="content-problem">Enter a comment.');
    });

    test("the shown head is merged with the entered message, and its branch is deleted", async () => {
      await put("main", "merged", "merged.txt", "m\n");
      const number = await propose("merged");
      const path = `/alice/r/pulls/${number}`;
      expect((await open(path)).text).toContain("This branch has no conflicts with the base branch");
      const seen = await owner.get(path);
      await put("merged", "merged", "later.txt", "l\n");
      const fields = { style: "squash", title: "My own title", message: "Many words", delete_branch: "true", action: "merge" };
      const moved = await owner.submit(seen, `${path}/merge`, fields);
      expect([moved.status, moved.text.includes("New commits were pushed"), moved.text.includes("My own title"), moved.text.includes("Many words")]).toEqual([
        409,
        true,
        true,
        true,
      ]);
      const merged = await owner.submit(moved, `${path}/merge`, fields);
      expect([merged.status, merged.location]).toEqual([303, `${path}#merging`]);
      const page = await open(path);
      for (const word of ["Merged into main by alice", "alice merged commit", "deleted the branch merged"]) expect(page.text).toContain(word);
      const { commit } = await alice.get<{ commit: { message: string } }>("/repos/alice/r/branches/main").expect(200);
      expect(commit.message).toContain("My own title");
      await alice.get("/repos/alice/r/branches/merged").expect(404);
      expect((await visitor.get("/alice/r/pulls?q=is%3Aclosed+merged")).text).toContain('class="state merged"');
    });

    test("the branch of a merged pull request can be deleted later, unless it has new commits, and restored", async () => {
      await put("main", "kept", "kept.txt", "k\n");
      const number = await propose("kept");
      const path = `/alice/r/pulls/${number}`;
      const button = `${path}/branch/delete`;
      expect((await owner.post(button, (await owner.get(path)).form(`${path}/draft`))).status).toBe(422);
      await alice.post(`/repos/alice/r/pulls/${number}/merge`, { Do: "merge" }).expect(200);
      const page = await owner.get(path);
      expect(page.text).toContain("/_cherrypick/");
      const pick = readPage(page.text).links.find((link) => link.includes("/_cherrypick/")) ?? "";
      const [unknown, present] = [
        await owner.submit(await owner.get(pick), pick, { branch: "nosuch" }),
        await owner.submit(await owner.get(pick), pick, { branch: "main" }),
      ];
      expect([unknown.status, unknown.text.includes('id="branch-problem">Branch not found.')]).toEqual([422, true]);
      expect([present.status, present.text.includes('id="branch-problem">')]).toEqual([422, true]);
      await put("kept", "kept", "more.txt", "m\n");
      const gone = await owner.submit(page, button);
      expect([gone.status, gone.text.includes("commits that were not merged")]).toEqual([409, true]);
      expect(() => gone.form(button)).toThrow();
      await put("main", "plain", "plain.txt", "p\n");
      const second = `/alice/r/pulls/${await propose("plain")}`;
      await alice.post(`/repos${second}/merge`, { Do: "merge" }).expect(200);
      expect((await owner.submit(await owner.get(second), `${second}/branch/delete`)).location).toBe(`${second}#merging`);
      await alice.get("/repos/alice/r/branches/plain").expect(404);
      const after = await open(second, owner);
      expect(after.text).toContain("deleted the branch plain");
      const back = after.links.find((link) => link.endsWith("/branches?deleted=plain")) ?? "";
      expect((await owner.get(back)).text).toContain("plain");
    });

    test("a draft stays a draft until its author marks it as ready", async () => {
      await put("main", "draft", "draft.txt", "d\n");
      const path = `/alice/r/pulls/${await propose("draft", "wip: [WIP] Draft")}`;
      expect((await open(path)).text).toContain("This pull request is a draft");
      expect((await owner.submit(await owner.get(path), `${path}/draft`)).location).toBe(`${path}#merging`);
      expect(await alice.get(`/repos${path}`).expect(200)).toMatchObject({ title: "Draft", draft: false });
      await owner.submit(await owner.get(path), `${path}/draft`);
      expect(await alice.get(`/repos${path}`).expect(200)).toMatchObject({ title: "WIP: Draft", draft: true });
      const other = createBrowser(forge.url);
      await other.signIn(bob);
      expect((await other.post(`${path}/draft`, { ...(await other.get("/user/settings")).form("/user/settings"), draft: "false" })).status).toBe(403);
      await alice.patch(`/repos${path}`, { title: "WIP:" }).expect(201);
      const bare = await owner.submit(await owner.get(path), `${path}/draft`);
      expect([bare.status, bare.text.includes("Enter a title.")]).toEqual([422, true]);
    });

    test("review results are shown until they are dismissed or a new review is requested", async () => {
      await put("main", "judged", "judged.txt", "j\n");
      const number = await propose("judged");
      const path = `/alice/r/pulls/${number}`;
      await bob.post(`/repos${path}/reviews`, { event: "COMMENT", body: "Hm" }).expect(200);
      expect((await open(path)).text).toContain("bob commented");
      const { id } = await bob.post<{ id: number }>(`/repos${path}/reviews`, { event: "REQUEST_CHANGES", body: "No" }).expect(200);
      const reviewed = await open(path);
      for (const word of ["bob requested changes", "Changes requested by bob"]) expect(reviewed.text).toContain(word);
      const dismissal = `${path}/reviews/${id}/dismissal?back=1`;
      const page = await owner.get(path);
      expect((await owner.submit(page, dismissal, { message: "He left" })).location).toMatch(new RegExp(`^${path}#issuecomment-`));
      const after = await open(path);
      for (const word of ["dismissed a review", "He left", "bob commented"]) expect(after.text).toContain(word);
      expect(after.text).not.toContain("asked for by bob");
      await bob.post(`/repos${path}/reviews`, { event: "APPROVED" }).expect(200);
      expect((await open(path)).text).toContain("Approved by bob");
      expect((await owner.submit(await owner.get(path), `${path}/reviewers`, { names: "bob", withdraw: "false" })).location).toBe(path);
      expect((await open(path)).text).toContain("bob awaiting review");
      const other = createBrowser(forge.url);
      await other.signIn(bob);
      expect(() => page.form(dismissal)).not.toThrow();
      expect((await other.post(dismissal, { ...(await other.get("/user/settings")).form("/user/settings"), action: "dismiss" })).status).toBe(403);
    });

    test("conflicts are shown with their files, and unmet rules with their requirements", async () => {
      await change("main", "ours", "f.txt", "ours\n");
      const number = await propose("ours");
      await change("main", "main", "f.txt", "theirs\n");
      const page = await open(`/alice/r/pulls/${number}`, owner);
      expect(page.text).toContain("This branch has conflicts in the following files: f.txt");
      await alice.post("/repos/alice/r/branches", { new_branch_name: "guarded", old_branch_name: "main" }).expect(201);
      await alice.post("/repos/alice/r/branch_protections", { rule_name: "guarded", required_approvals: 1, block_admin_merge_override: true }).expect(201);
      await put("main", "waits", "waits.txt", "w\n");
      const waits = await propose("waits", "waits", { base: "guarded" });
      const path = `/alice/r/pulls/${waits}`;
      expect((await open(path, owner)).text).toContain("There are not enough approvals");
      expect((await owner.get(path, { "accept-language": "de" })).text).toContain("Es gibt nicht genug Genehmigungen");
      const refused = await owner.submit(await owner.get(path), `${path}/merge`, { style: "merge", title: "Kept words", message: "", action: "merge" });
      expect([refused.status, refused.text.includes("Kept words"), refused.text.includes("There are not enough approvals")]).toEqual([422, true, true]);
      const scheduled = await owner.submit(await owner.get(path), `${path}/merge`, { style: "merge", title: "", message: "", action: "schedule" });
      expect(scheduled.status).toBe(303);
      expect((await open(path)).text).toContain("Auto-merge is enabled");
      expect((await owner.submit(await owner.get(path), `${path}/merge/cancel`)).status).toBe(303);
      expect((await open(path)).text).not.toContain("Auto-merge is enabled");
    });

    test("users without permission to merge see no merge form, and their requests are rejected", async () => {
      await put("main", "foreign", "foreign.txt", "x\n");
      const path = `/alice/r/pulls/${await propose("foreign")}`;
      const browser = createBrowser(forge.url);
      await browser.signIn(bob);
      const page = await browser.get(path);
      expect(page.text).toContain("You are not authorized to merge into this branch");
      expect(() => page.form(`${path}/merge`)).toThrow("no form");
      const token = page.form(`${path}/comments`);
      const tried = await browser.post(`${path}/merge`, {
        ...token,
        head_commit_id: "",
        style: "merge",
        title: "",
        message: "",
        delete_branch: "",
        action: "merge",
      });
      expect(tried.status).toBe(422);
      expect(await alice.get(`/repos${path}`).expect(200)).toMatchObject({ merged: false });
      const unsigned = await browser.post(`${path}/merge`, { style: "merge" });
      expect(unsigned.status).toBe(403);
    });

    test("a page with much content runs as many statements as one with little", async () => {
      await put("main", "long", "long.txt", "1\n2\n3\n");
      const number = await propose("long");
      const path = `/alice/r/pulls/${number}`;
      const say = async (): Promise<void> => {
        await alice.post(`/repos/alice/r/issues/${number}/comments`, { body: "See @bob, and #1." }).expect(201);
        const comments = [{ path: "long.txt", new_position: 1, body: "One of @bob" }];
        await bob.post(`/repos/alice/r/pulls/${number}/reviews`, { event: "COMMENT", body: "Words", comments }).expect(200);
      };
      await say();
      await visitor.get(path);
      const few = await forge.cost(() => visitor.get(path));
      for (let count = 0; count < 6; count += 1) await say();
      await visitor.get(path);
      const many = await forge.cost(() => visitor.get(path));
      expect(many.statements).toHaveLength(few.statements.length);
      expect(many.statements.length).toBeLessThanOrEqual(27);
    });
  });
});
