import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Browser, createBrowser } from "../kit/browser.ts";
import { eachDialect } from "../kit/databases.ts";
import { type ReadPage, readPage } from "../kit/page.ts";
import { numbered, openReviewedRepository, type ReviewedRepository, type TestPull } from "../kit/reviewed-pulls.ts";

/** Pages with the files of a pull request, without JavaScript. */

const textOf = (content: string): string => Buffer.from(content, "base64").toString();
const evil = '"><img src=x onerror=alert(1)><script>alert(2)</script>';

eachDialect((dialect) => {
  let fixture: ReviewedRepository;
  let pull: TestPull;
  let files: string;
  let visitor: Browser;
  let owner: Browser;
  let writer: Browser;
  beforeAll(async () => {
    fixture = await openReviewedRepository(dialect);
    pull = await fixture.pull();
    files = `/owner/r/pulls/${pull.number}/files`;
    visitor = createBrowser(fixture.forge.url);
    owner = createBrowser(fixture.forge.url);
    writer = createBrowser(fixture.forge.url);
    await owner.signIn(fixture.owner);
    await writer.signIn(fixture.writer);
  });
  afterAll(() => fixture?.[Symbol.asyncDispose]());

  const open = async (path: string, browser = visitor): Promise<ReadPage & { readonly status: number; readonly html: string }> => {
    const { status, text } = await browser.get(path);
    const page = readPage(text);
    expect(page.dangers, path).toEqual([]);
    expect(page.headings.length, path).toBe(1);
    return { status, ...page, html: text };
  };

  describe("the files of a pull request", () => {
    test("are shown unified or split, with or without white space, and with more lines around changes on request", async () => {
      const page = await open(files);
      for (const word of ["2 files changed", "f.txt", "new.txt", "line 10"]) expect(page.text).toContain(word);
      expect(page.text).not.toContain("line 1 ");
      const gap = page.links.find((link) => /gap=0#file-1$/.test(link)) ?? "";
      const opened = await open(gap);
      for (const word of ["line 1 ", "line 6 "]) expect(opened.text).toContain(word);
      expect(opened.text).not.toContain("new.txt new");
      expect((await open(`${files}?style=split`)).html).toContain('class="diff split"');
      expect((await open(`${files}?whitespace=ignore-all`)).text).toContain("2 files changed");
      expect((await visitor.get(`${files}?file=7`)).status).toBe(404);
      const chosen = await owner.submit(await owner.get(files), `${files}/style`, { style: "split" });
      expect(chosen.location).toBe(files);
      expect((await open(files, owner)).html).toContain('class="diff split"');
      await owner.submit(await owner.get(files), `${files}/style`, { style: "unified" });
    });

    test("stay marked as viewed for a user until they change", async () => {
      const page = await writer.get(files);
      expect(page.text).toContain("0 of 2 viewed");
      expect((await writer.submit(page, `${files}/viewed`)).location).toBe(`${files}#file-1`);
      expect((await writer.get(files)).text).toContain("1 of 2 viewed");
      expect((await owner.get(files)).text).toContain("0 of 2 viewed");
      await fixture.push(pull.branch, { "f.txt": numbered([10, "ten once more"]) });
      expect((await writer.get(files)).text).toContain("0 of 2 viewed");
      const unknown = await writer.post(`${files}/viewed`, { ...page.form(`${files}/viewed`), key: "x" });
      expect(unknown.status).toBe(422);
    });

    test("get comments on lines, replies, and resolved conversations", async () => {
      const formUrl = (await open(files, writer)).links.find((link) => link.includes("on=new-10")) ?? "";
      const form = await writer.get(formUrl);
      expect((await writer.submit(form, `${files}/comments`, { content: " ", action: "now" })).status).toBe(422);
      const commented = await writer.submit(form, `${files}/comments`, { content: `Why **ten**? ${evil}`, start_line: "9", action: "now" });
      expect(commented.location).toMatch(new RegExp(`^${files}#issuecomment-\\d+$`));
      const id = commented.location?.split("-").at(-1) ?? "";
      const page = await open(files);
      for (const word of ["Why ten?", "writer"]) expect(page.text).toContain(word);
      const answer = `${files}/comments/${id}`;
      const replied = await owner.submit(await owner.get(files), answer, { content: "Because." });
      expect(replied.status).toBe(303);
      const empty = await owner.submit(await owner.get(files), answer, { content: "" });
      expect([empty.status, empty.text.includes("Enter a comment")]).toEqual([422, true]);
      expect((await open(`/owner/r/pulls/${pull.number}`)).text).toContain("Because.");
      const token = (await owner.get(files)).form(answer);
      expect((await owner.post(answer, { ...token, action: "resolve" })).status).toBe(303);
      expect((await open(files)).text).toContain("resolved by owner");
      expect((await owner.post(answer, { ...token, action: "unresolve" })).status).toBe(303);
      expect((await open(files)).text).not.toContain("resolved by owner");
    });

    test("have comments that their authors edit and delete, before and after they are published", async () => {
      const formUrl = (await open(files, writer)).links.find((link) => link.includes("on=new-10")) ?? "";
      await writer.submit(await writer.get(formUrl), `${files}/comments`, { content: "Tne", action: "review" });
      const edit = (await open(files, writer)).links.filter((link) => link.endsWith("/edit")).at(-1) ?? "";
      expect((await owner.get(edit)).status).toBe(404);
      const form = await writer.get(edit);
      expect(form.form(edit).content).toBe("Tne");
      expect([(await writer.submit(form, edit, { content: " " })).status, (await writer.submit(form, edit, { content: "Ten" })).status]).toEqual([422, 303]);
      const stale = await writer.submit(form, edit, { content: "My words" });
      expect([stale.status, stale.text.includes("My words"), stale.text.includes("Ten")]).toEqual([409, true, true]);
      const remove = edit.replace(/edit$/, "delete");
      expect((await writer.submit(stale, remove)).location).toBe(files);
      expect((await open(files, writer)).text).not.toContain("Finish your review");
      await writer.submit(await writer.get(formUrl), `${files}/comments`, { content: "Seen by all", action: "now" });
      const seen = (await open(files, writer)).links.filter((link) => link.endsWith("/edit")).at(-1) ?? "";
      expect((await visitor.get(seen)).status).toBe(303);
      expect((await owner.submit(await owner.get(seen), seen, { content: "Mended by the owner" })).location).toContain("#issuecomment-");
      expect((await open(`/owner/r/pulls/${pull.number}`)).text).toContain("Mended by the owner");
      await writer.submit(await writer.get(seen), seen.replace(/edit$/, "delete"));
      expect((await open(`/owner/r/pulls/${pull.number}`)).text).not.toContain("Mended by the owner");
    });

    test("keep the input of a comment form after a push", async () => {
      const formUrl = (await open(files, writer)).links.find((link) => link.includes("on=new-10")) ?? "";
      const form = await writer.get(formUrl);
      await fixture.push(pull.branch, { "f.txt": numbered([10, "ten at last"]) });
      const refused = await writer.submit(form, `${files}/comments`, { content: "Many words", action: "now" });
      expect([refused.status, refused.text.includes("Many words"), refused.text.includes("New commits were pushed")]).toEqual([409, true, true]);
      expect((await writer.submit(refused, `${files}/comments`, { action: "now" })).status).toBe(303);
    });

    test("are reviewed with all pending comments, which no other user has seen before", async () => {
      const formUrl = (await open(files, writer)).links.find((link) => link.includes("on=new-8")) ?? "";
      const form = await writer.get(`${formUrl.replace("#write", "")}&suggest=true`);
      expect(form.form(`${files}/comments`).content).toBe("```suggestion\nline 8\n```\n");
      await writer.submit(form, `${files}/comments`, { content: "Rather:\n```suggestion\nline eight\n```", action: "review" });
      expect((await open(files)).text).not.toContain("line eight");
      const page = await open(files, writer);
      for (const word of ["line eight", "Pending", "Finish your review (1)"]) expect(page.text).toContain(word);
      const conversation = `/owner/r/pulls/${pull.number}`;
      const unsubmitted = await open(conversation, writer);
      expect(unsubmitted.text).toContain("Your review with 1 comment is not submitted yet. Only you can see it.");
      expect(unsubmitted.links).toContain(`${files}#review`);
      expect((await open(conversation)).text).not.toContain("not submitted");
      const review = { verdict: "reject", content: "" };
      const refused = await writer.submit(await writer.get(files), `${files}/review`, review);
      expect([refused.status, refused.text.includes("Enter a comment")]).toEqual([422, true]);
      const sent = await writer.submit(refused, `${files}/review`, { ...review, content: "Not yet" });
      expect(sent.location).toMatch(new RegExp(`^/owner/r/pulls/${pull.number}#issuecomment-\\d+$`));
      for (const word of ["requested changes", "Not yet", "line eight"]) expect((await open(`/owner/r/pulls/${pull.number}`)).text).toContain(word);
      expect((await open(files)).text).toContain("Suggested change");
      await writer.submit(await writer.get(formUrl), `${files}/comments`, { content: "One more", action: "review" });
      const silent = await writer.submit(await writer.get(files), `${files}/review`, { verdict: "comment", content: "" });
      expect([silent.status, (await open(files)).text.includes("One more")]).toEqual([303, true]);
      const nothing = await writer.submit(await writer.get(files), `${files}/review`, { verdict: "comment", content: "" });
      expect([nothing.status, nothing.text.includes("Enter a comment.")]).toEqual([422, true]);
      const own = await owner.get(files);
      expect(own.text).not.toContain("Approve");
      expect((await owner.post(`${files}/review`, { ...own.form(`${files}/review`), verdict: "approve" })).status).toBe(422);
    });

    test("accept suggestions, one or several in a commit, while their lines are unchanged", async () => {
      const { branch, path, number } = await fixture.pull();
      const own = `/owner/r/pulls/${number}/files`;
      const suggest = (first: number, last: number, text: string) => ({
        path: "f.txt",
        start_position: first,
        new_position: last,
        body: `Rather:\n\`\`\`suggestion\n${text}\`\`\``,
      });
      const ask = (...comments: object[]) => fixture.review(fixture.writer, path, { event: "COMMENT", body: "", comments });
      const ids = async () => ((await owner.get(own)).text.match(/(?<=id="choose-)\d+/g) ?? []).toSorted((a, b) => Number(a) - Number(b));
      const contentOf = async () =>
        Buffer.from((await fixture.owner.get<{ content: string }>(`/repos/owner/r/contents/f.txt?ref=${branch}`).expect(200)).content, "base64").toString();
      await ask(suggest(8, 10, "eight to ten\n"), suggest(12, 12, "twelve\nand a half\n"), suggest(13, 13, ""), suggest(9, 9, "nine\n"));
      const [first = "", second = "", third = "", fourth = ""] = await ids();
      const form = (await owner.get(own)).form(`${own}/suggestions`);
      const overlapping = await owner.post(`${own}/suggestions`, { ...form, ids: `${first},${fourth}`, title: "My words" });
      expect([overlapping.status, overlapping.text.includes("Two of the suggestions change the same lines."), overlapping.text.includes("My words")]).toEqual([
        422,
        true,
        true,
      ]);
      const applied = await owner.post(`${own}/suggestions`, { ...form, ids: `${first},${second},${third}`, title: "" });
      expect(applied.location).toBe(`${own}#issuecomment-${first}`);
      const expected = numbered().split("\n");
      expected.splice(7, 3, "eight to ten");
      expected.splice(9, 2, "twelve", "and a half");
      expect(await contentOf()).toBe(expected.join("\n"));
      const { commit } = await fixture.owner.get<{ commit: { message: string; author: { name: string } } }>(`/repos/owner/r/branches/${branch}`).expect(200);
      expect([commit.message, commit.author.name]).toEqual([
        expect.stringMatching(/^Apply suggestions from review\n\nCo-authored-by: writer <.*>\n$/),
        "owner",
      ]);
      expect(await ids()).toEqual([]);
      await ask(suggest(15, 15, "fifteen\n"));
      const [late = ""] = await ids();
      const seen = (await owner.get(own)).form(`${own}/suggestions`);
      const reader = createBrowser(fixture.forge.url);
      await reader.signIn(fixture.reader);
      expect((await reader.get(own)).text).not.toContain('name="ids"');
      const token = { _csrf: (await reader.get(own)).form(`${own}/comments/${late}`)._csrf ?? "" };
      expect((await reader.post(`${own}/suggestions`, { ...token, ids: late, title: "" })).status).toBe(403);
      await fixture.push(branch, { "f.txt": expected.map((line, at) => (at === 14 ? "other" : line)).join("\n") });
      const changed = await owner.post(`${own}/suggestions`, { ...seen, ids: late, title: "" });
      expect([changed.status, changed.text.includes("These lines have changed")]).toEqual([409, true]);
    });

    test("are discussed in the conversation too: suggestions are committed, and comments answered and resolved", async () => {
      const { branch, path, number } = await fixture.pull();
      const before = await fixture.owner.get<{ content: string }>(`/repos/owner/r/contents/f.txt?ref=${branch}`).expect(200);
      const pullPage = `/owner/r/pulls/${number}`;
      const body = `Rather:\n\`\`\`suggestion\nline <8>\n\`\`\`\n${evil}`;
      await fixture.review(fixture.writer, path, { event: "COMMENT", body: "", comments: [{ path: "f.txt", new_position: 8, body }] });
      const page = await open(pullPage, owner);
      for (const word of ["Rather:", "Suggested change"]) expect(page.text).toContain(word);
      expect(page.html).not.toContain(`id="choose-`);
      const id = /files\?comment=(\d+)#issuecomment-\1"/.exec(page.html)?.[1] ?? "";
      expect((await open(`${pullPage}/files?comment=${id}`)).html).toContain(`id="issuecomment-${id}"`);
      const answer = `${pullPage}/files/comments/${id}?back=1`;
      const empty = await owner.submit(await owner.get(pullPage), answer, { content: " " });
      expect([empty.status, empty.text.includes("Enter a comment")]).toEqual([422, true]);
      const replied = await owner.submit(await owner.get(pullPage), answer, { content: "Gladly, soon" });
      expect(replied.location).toMatch(new RegExp(`^${pullPage}#issuecomment-\\d+$`));
      const conversation = await open(pullPage, owner);
      expect([conversation.html.match(/Gladly, soon/g)?.length, conversation.text.includes("replied above, on f.txt")]).toEqual([1, true]);
      const applied = await owner.submit(await owner.get(pullPage), `${pullPage}/files/suggestions?back=1`);
      expect(applied.location).toBe(`${pullPage}#issuecomment-${id}`);
      const { content } = await fixture.owner.get<{ content: string }>(`/repos/owner/r/contents/f.txt?ref=${branch}`).expect(200);
      expect(textOf(content)).toBe(textOf(before.content).replace("line 8", "line <8>"));
      const form = (await owner.get(pullPage)).form(answer);
      expect((await owner.post(answer, { ...form, action: "resolve" })).location).toBe(`${pullPage}#issuecomment-${id}`);
      expect((await open(pullPage)).text).toContain("resolved by owner");
      expect((await open(pullPage)).html).not.toContain(`action="${answer}"`);
    });

    test("with conflicts are resolved in a form, unless a branch moves meanwhile", async () => {
      const { branch, number } = await fixture.pull();
      const base = `base-${number}`;
      await fixture.owner.post("/repos/owner/r/branches", { new_branch_name: base, old_branch_name: "main" }).expect(201);
      await fixture.owner.patch(`/repos/owner/r/pulls/${number}`, { base }).expect(201);
      const changeBase = async (content: string): Promise<void> => {
        const { sha } = await fixture.owner.get<{ sha: string }>(`/repos/owner/r/contents/f.txt?ref=${base}`).expect(200);
        const change = { sha, branch: base, content: Buffer.from(content).toString("base64"), message: "Change it too" };
        await fixture.owner.put("/repos/owner/r/contents/f.txt", change).expect(200);
      };
      const pullPage = `/owner/r/pulls/${number}`;
      const page = `${pullPage}/conflicts`;
      expect((await owner.get(page)).location).toBe(`${pullPage}#merging`);
      await changeBase(numbered([10, "ten of theirs"]));
      expect((await open(pullPage, owner)).links).toContain(page);
      expect((await open(pullPage)).links).not.toContain(page);
      expect((await visitor.get(page)).location).toContain("/user/login");
      const form = await owner.get(page);
      expect(readPage(form.text).text).toContain("Edit each file and remove the conflict markers");
      expect(form.form(page).content).toContain("<<<<<<< ");
      const send = (seen: typeof form, text: string) => {
        const { path: _path, content: _content, ...hidden } = seen.form(page);
        const typed = [
          ["path", ""],
          ["content", ""],
          ["path", "f.txt"],
          ["content", text],
        ];
        return owner.post(page, new URLSearchParams([...Object.entries(hidden), ...typed]));
      };
      expect((await send(form, "<<<<<<< one\n")).text).toContain("Remove all conflict markers");
      expect((await send(form, "<<<<<<< one\n")).text).toMatch(/id="file-1-problem">Remove all conflict markers/);
      await changeBase(numbered([10, "ten of theirs, again"]));
      const typed = numbered([10, "ten of both"]);
      const moved = await send(form, typed);
      expect([moved.status, moved.text.includes("ten of both"), moved.text.includes("ten of theirs, again")]).toEqual([409, true, true]);
      expect((await send(moved, typed)).location).toBe(`${pullPage}#merging`);
      const { commit } = await fixture.owner.get<{ commit: { message: string; id: string } }>(`/repos/owner/r/branches/${branch}`).expect(200);
      expect(commit.message).toBe(`Merge branch '${base}' into ${branch}\n`);
      expect(await fixture.owner.get(`/repos/owner/r/pulls/${number}`).expect(200)).toMatchObject({ mergeable: true, merge_base: expect.any(String) });
      const content = await fixture.owner.get<{ content: string }>(`/repos/owner/r/contents/f.txt?ref=${branch}`).expect(200);
      expect(textOf(content.content)).toBe(typed);
      await changeBase(numbered([10, "ten of theirs, again"], [20, "late"]));
      expect((await open(pullPage, owner)).text).toContain("out of date with the base branch");
      const rule = await fixture.owner.post<{ rule_name: string }>("/repos/owner/r/branch_protections", { rule_name: branch, enable_push: false }).expect(201);
      const ruled = await owner.submit(await owner.get(pullPage), `${pullPage}/update`, { style: "merge" });
      expect([ruled.status, readPage(ruled.text).headings, ruled.text.includes("You are not authorized to push to this branch.")]).toEqual([
        403,
        [`${branch} #${number}`],
        true,
      ]);
      await fixture.owner.delete(`/repos/owner/r/branch_protections/${rule.rule_name}`).expect(204);
      expect((await owner.submit(await owner.get(pullPage), `${pullPage}/update`, { style: "merge" })).location).toBe(`${pullPage}#merging`);
      expect((await open(pullPage, owner)).text).not.toContain("out of date with the base branch");
    });

    test("that one branch deleted are kept or deleted, as the user selects", async () => {
      const { branch, number } = await fixture.pull();
      const base = `gone-${number}`;
      await fixture.owner.post("/repos/owner/r/branches", { new_branch_name: base, old_branch_name: "main" }).expect(201);
      const { sha } = await fixture.owner.get<{ sha: string }>(`/repos/owner/r/contents/f.txt?ref=${base}`).expect(200);
      await fixture.owner.delete("/repos/owner/r/contents/f.txt", { sha, branch: base, message: "Delete it" }).expect(200);
      await fixture.owner.patch(`/repos/owner/r/pulls/${number}`, { base }).expect(201);
      const page = `/owner/r/pulls/${number}/conflicts`;
      const form = await owner.get(page);
      for (const word of [`Keep the version of ${branch}`, `Delete the file, as in ${base}`]) expect(form.text).toContain(word);
      const { chosen: _chosen, side: _side, ...hidden } = form.form(page);
      const choose = (side: string) =>
        owner.post(page, new URLSearchParams([...Object.entries(hidden), ["chosen", ""], ["side", ""], ["chosen", "f.txt"], ["side", side]]));
      const incomplete = await choose("");
      expect([incomplete.status, incomplete.text.includes("Choose a version for every file")]).toEqual([422, true]);
      expect((await choose("base")).location).toBe(`/owner/r/pulls/${number}#merging`);
      await fixture.owner.get(`/repos/owner/r/contents/f.txt?ref=${branch}`).expect(404);
      await fixture.owner.get(`/repos/owner/r/contents/new.txt?ref=${branch}`).expect(200);
      expect(await fixture.owner.get(`/repos/owner/r/pulls/${number}`).expect(200)).toMatchObject({ mergeable: true });
    });

    test("at the path of a folder of the other branch have to be resolved in a clone", async () => {
      const { branch, number } = await fixture.pull();
      const base = `folder-${number}`;
      await fixture.owner.post("/repos/owner/r/branches", { new_branch_name: base, old_branch_name: "main" }).expect(201);
      for (const [on, path] of [
        [branch, "place"],
        [base, "place/inside.txt"],
      ])
        await fixture.owner.post(`/repos/owner/r/contents/${path}`, { branch: on, content: "eA==", message: "Take the place" }).expect(201);
      await fixture.owner.patch(`/repos/owner/r/pulls/${number}`, { base }).expect(201);
      const page = await open(`/owner/r/pulls/${number}/conflicts`, owner);
      expect(page.text).toContain("Resolve these conflicts on the command line");
    });

    test("are reverted on a new branch after a merge, and single commits are cherry-picked", async () => {
      const { path, number, head } = await fixture.pull();
      const pullPage = `/owner/r/pulls/${number}`;
      await fixture.owner.post(`${path}/merge`, { Do: "squash", delete_branch_after_merge: false }).expect(200);
      const branches = ["/owner/r/compare/main...revert", number, "main"].join("-");
      expect((await writer.submit(await writer.get(pullPage), `${pullPage}/revert`)).location).toBe(branches);
      const proposal = await open(branches);
      expect(proposal.text).toMatch(/Revert "topic-\d+"/);
      const again = await writer.submit(await writer.get(pullPage), `${pullPage}/revert`);
      expect([again.status, again.text.includes("already exists")]).toEqual([409, true]);
      const page = `/owner/r/_cherrypick/${head}`;
      expect((await open(`/owner/r/commit/${head}`, writer)).links).toContain(page);
      expect((await open(`/owner/r/commit/${head}`)).links).not.toContain(page);
      await fixture.owner.post("/repos/owner/r/branches", { new_branch_name: `old-${number}`, old_branch_name: `revert-${number}-main` }).expect(201);
      const missing = await writer.submit(await writer.get(page), page, { branch: "nowhere", message: "Kept words" });
      expect([missing.status, missing.text.includes("Kept words")]).toEqual([422, true]);
      const done = await writer.submit(missing, page, { branch: `old-${number}`, message: "" });
      expect(done.location).toBe(`/owner/r/commits/branch/old-${number}`);
      const { commit } = await fixture.owner
        .get<{ commit: { message: string; committer: { name: string } } }>(`/repos/owner/r/branches/old-${number}`)
        .expect(200);
      expect([commit.message, commit.committer.name]).toEqual([expect.stringContaining(`(cherry picked from commit ${head})`), "writer"]);
      const there = await writer.submit(await writer.get(page), page, { branch: `old-${number}` });
      expect([there.status, there.text.includes("already contains this change")]).toEqual([422, true]);
      const reverted = await writer.submit(await writer.get(page), page, { how: "revert", branch: `old-${number}`, new_branch: `undo-${number}` });
      expect(reverted.location).toBe(`/owner/r/compare/old-${number}...undo-${number}`);
      const reader = createBrowser(fixture.forge.url);
      await reader.signIn(fixture.reader);
      expect((await reader.get(page)).status).toBe(403);
    });

    test("are proposed with reviewers, labels and other fields, starting from the repository's template", async () => {
      const { work, owner: author } = fixture;
      await work.git("w", "checkout", "-q", "-B", "proposed", "main");
      await fixture.push("proposed", { "proposed.txt": "p\n" });
      await fixture.push("proposed", { "more.txt": "m\n" });
      const template = Buffer.from("---\nname: x\n---\n## Why\n").toString("base64");
      await author.post("/repos/owner/r/contents/.gitea/pull_request_template.md", { content: template, message: "A template", branch: "main" }).expect(201);
      const { id } = await author.post<{ id: number }>("/repos/owner/r/labels", { name: "neat", color: "#00ff00" }).expect(201);
      const path = "/owner/r/compare/main...proposed";
      const page = await owner.get(path);
      const untitled = await owner.submit(page, path, { title: " ", content: "Kept" });
      expect([untitled.status, untitled.text.includes("Enter a title."), untitled.form(path).content]).toEqual([422, true, "Kept"]);
      expect(page.form(path)).toMatchObject({ title: "proposed", content: "## Why\n" });
      const typed = { title: "All of it", content: "Because", draft: "true", labels: `${id}`, assignees: "writer", reviewers: "writer" };
      const unknown = await owner.submit(page, path, { ...typed, reviewers: "nobody-at-all" });
      expect([unknown.status, unknown.form(path)]).toEqual([
        422,
        expect.objectContaining({ title: "All of it", content: "Because", draft: "true", assignees: "writer" }),
      ]);
      expect(unknown.text).toMatch(/id="reviewers-problem"[^>]*>User not found/);
      expect((await owner.submit(page, path, { ...typed, assignees: "nobody-at-all" })).text).toMatch(/id="assignees-problem"[^>]*>User not found/);
      const opened = await owner.submit(unknown, path, { ...typed });
      expect(await author.get(`/repos${opened.location}`).expect(200)).toMatchObject({
        title: "WIP: All of it",
        draft: true,
        labels: [{ name: "neat" }],
        assignees: [{ login: "writer" }],
        requested_reviewers: [{ login: "writer" }],
      });
      const reader = createBrowser(fixture.forge.url);
      await reader.signIn(fixture.reader);
      expect((await reader.get(path)).text).not.toContain('name="reviewers"');
    });

    test("are sent to reviewers, and retargeted to another base", async () => {
      const { number, path } = await fixture.pull();
      const pullPage = `/owner/r/pulls/${number}`;
      const reviewers = `${pullPage}/reviewers`;
      const panel = `${pullPage}/side/reviewers`;
      const page = await owner.get(pullPage);
      expect((await open(pullPage, owner)).links).toContain(`${pullPage}/base`);
      expect((await open(pullPage)).html).not.toContain(panel);
      const unknown = await owner.submit(page, panel, { names: "writer, nobody-at-all" });
      expect([unknown.status, unknown.form(reviewers).names]).toEqual([422, "writer, nobody-at-all"]);
      expect((await owner.submit(unknown, reviewers, { names: "writer" })).location).toBe(pullPage);
      const { requested_reviewers } = await fixture.owner.get<{ requested_reviewers: { login: string }[] }>(path).expect(200);
      expect(requested_reviewers.map(({ login }) => login)).toEqual(["writer"]);
      const requested = await owner.get(pullPage);
      // The first page shows no requests, so the request that it does not show is kept.
      expect((await owner.submit(page, panel, { names: "reader" })).location).toBe(`${pullPage}#side-reviewers`);
      expect(await fixture.owner.get(path).expect(200)).toMatchObject({ requested_reviewers: [{ login: "writer" }, { login: "reader" }] });
      expect((await owner.submit(requested, panel, { people: "", names: "" })).status).toBe(303);
      expect(await fixture.owner.get(path).expect(200)).toMatchObject({ requested_reviewers: [{ login: "reader" }] });
      await fixture.owner.post("/repos/owner/r/branches", { new_branch_name: `other-${number}`, old_branch_name: "main" }).expect(201);
      const base = `${pullPage}/base`;
      const nowhere = await owner.submit(await owner.get(base), base, { base: "nowhere" });
      expect([nowhere.status, nowhere.form(base).base, nowhere.text.includes("Branch not found.")]).toEqual([422, "nowhere", true]);
      expect((await owner.submit(nowhere, base, { base: `other-${number}` })).location).toBe(pullPage);
      expect(await fixture.owner.get(path).expect(200)).toMatchObject({ base: { ref: `other-${number}` } });
      const reader = createBrowser(fixture.forge.url);
      await reader.signIn(fixture.reader);
      expect((await reader.submit(await reader.get(base), base, { base: "main" })).status).toBe(422);
      expect(await fixture.owner.get(path).expect(200)).toMatchObject({ base: { ref: `other-${number}` } });
    });

    test("are all accessible if there are more than one list contains", async () => {
      const { branch, number } = await fixture.pull();
      const more = Object.fromEntries(Array.from({ length: 2_001 }, (_, at) => [`m/${at + 1000}.txt`, `${at}\n`]));
      await fixture.push(branch, more);
      const path = `/owner/r/pulls/${number}/files`;
      const first = await open(path, writer);
      expect(first.text).toContain("2003 files changed");
      expect(first.links).toContain(`${path}?list=2`);
      const last = await open(`${path}?list=2`, writer);
      for (const word of ["2003 files changed", "Files 2001–2003", "m/3000.txt", "new.txt"]) expect(last.text).toContain(word);
      expect(last.text).not.toContain("m/1000.txt");
      const formUrl = last.links.find((link) => /list=2&file=2&on=new-1#/.test(link)) ?? "";
      const commented = await writer.submit(await writer.get(formUrl), `${path}/comments?list=2`, { content: "The very last", action: "now" });
      expect((await open(`${path}?list=2`)).text).toContain("The very last");
      const id = commented.location?.split("-").at(-1) ?? "";
      expect((await open(`${path}?comment=${id}`)).text).toMatch(/Files 2001–2003.*The very last|The very last.*Files 2001–2003/);
    });

    test("run a constant number of statements, whatever the number of comments", async () => {
      const comment = { path: "f.txt", new_position: 20, body: "See @owner, far below" };
      await fixture.review(fixture.reader, pull.path, { event: "COMMENT", body: "", comments: [comment] });
      await visitor.get(files);
      expect((await open(files)).text).toMatch(/Conversations on other lines.*See @owner, far below/);
      const few = await fixture.forge.cost(() => visitor.get(files));
      const comments = Array.from({ length: 5 }, (_, at) => ({ path: "f.txt", new_position: at + 1, body: `See @owner, ${at}` }));
      await fixture.review(fixture.reader, pull.path, { event: "COMMENT", body: "", comments });
      await visitor.get(files);
      const many = await fixture.forge.cost(() => visitor.get(files));
      expect(many.statements).toHaveLength(few.statements.length);
      expect(many.statements.length).toBeLessThanOrEqual(8);
      expect(many.processes).toBe(0);
    });
  });
});
