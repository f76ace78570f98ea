import { afterAll, beforeAll, expect, test } from "vitest";
import { type Browser, createBrowser } from "../kit/browser.ts";
import { eachDialect } from "../kit/databases.ts";
import { type ReadPage, readPage } from "../kit/page.ts";
import { numbered, openReviewedRepository, type ReviewedRepository, type TestPull } from "../kit/reviewed-pulls.ts";

/** Versions of a pull request, and reviews of a part of its commits, without JavaScript. */

eachDialect((dialect) => {
  let fixture: ReviewedRepository;
  let pull: TestPull;
  let path: string;
  let writer: Browser;
  let commits: string[];
  beforeAll(async () => {
    fixture = await openReviewedRepository(dialect);
    pull = await fixture.pull();
    path = `/owner/r/pulls/${pull.number}`;
    writer = createBrowser(fixture.forge.url);
    await writer.signIn(fixture.writer);
    const { work, owner } = fixture;
    const second = await work.commit("w", { "second.txt": "2\n" }, "Add <second> file");
    const third = await work.commit("w", { "f.txt": numbered([10, "changed 1"], [12, "twelve"]) }, "Change line 12");
    await work.git("w", "push", "-q", `${owner.gitOrigin}/owner/r.git`, `HEAD:${pull.branch}`);
    commits = [pull.head, second, third];
    await fixture.forge.settled();
  });
  afterAll(() => fixture?.[Symbol.asyncDispose]());

  const open = async (address: string): Promise<ReadPage & { readonly status: number; readonly location: string | undefined }> => {
    const { status, text, location } = await writer.get(address);
    const page = readPage(text);
    expect(page.dangers, address).toEqual([]);
    return { status, location, ...page };
  };

  test("the header counts commits and lines, and the timeline lists the commits of each push", async () => {
    const page = await open(path);
    expect(page.text).toContain("wants to merge 3 commits into main from topic-1");
    expect(page.text).toMatch(/Commits3 Files3\+5 −2/);
    expect(page.text).toContain("owner pushed 2 commits");
    expect(page.text).toMatch(/Add <second> file [0-9a-f]{10} Change line 12/);
    for (const oid of commits.slice(1)) expect(page.links).toContain(`/owner/r/commit/${oid}`);
    for (const part of ["commits", "files"]) expect((await open(`${path}/${part}`)).text).toContain("wants to merge 3 commits into");
  });

  test("the changes of one commit and of a range of commits are shown", async () => {
    const [first, second, third] = commits;
    const all = await open(`${path}/files`);
    for (const oid of commits) expect(all.links).toContain(`${path}/files/${oid}`);
    const one = await open(`${path}/files/${second}`);
    for (const word of ["Changes of 1 commit", "1 file changed", "second.txt"]) expect(one.text).toContain(word);
    expect(one.text).not.toContain("new.txt");
    expect((await open(`${path}/files/range?from=${second}&to=${third}`)).location).toBe(`${path}/files/${second}..${third}`);
    const two = await open(`${path}/files/${second}..${third}`);
    expect(two.text).toContain("Changes of 2 commits");
    expect(two.text).toContain("2 files changed");
    expect((await open(`${path}/files/range?from=${second}&to=${second}`)).location).toBe(`${path}/files/${second}`);
    const base = await fixture.work.git("w", "rev-parse", "main");
    for (const range of [`${third}..${first}`, base, "0".repeat(40), "main", `${base}..${third}`]) {
      expect([range, (await writer.get(`${path}/files/${encodeURIComponent(range)}`)).status]).toEqual([range, 404]);
    }
  });

  test("a file is commented on as a whole, and the comment follows it", async () => {
    const files = `${path}/files`;
    const address = (await open(files)).links.find((link) => /file=\d+&on=new-0#write$/.test(link)) ?? "";
    const form = await writer.get(address);
    expect(readPage(form.text).text).toContain("Comment on this file");
    const sent = await writer.submit(form, `${files}/comments`, { content: "About all of it", action: "now" });
    expect(sent.location).toMatch(/#issuecomment-\d+$/);
    expect((await open(files)).text).toContain("About all of it");
    const { work, owner } = fixture;
    const head = await work.commit("w", { "f.txt": numbered([10, "again"]) }, "Change line 10 again");
    await work.git("w", "push", "-q", `${owner.gitOrigin}/owner/r.git`, `HEAD:${pull.branch}`);
    commits.push(head);
    await fixture.forge.settled();
    const page = await open(files);
    expect(page.text).toContain("About all of it");
    expect(page.text).not.toContain("Conversations on other lines");
    expect((await open(path)).text).toContain("About all of it");
    const [comment] = await fixture.owner
      .get<{ path: string; position: number }[]>(`${pull.path}/reviews/${(await fixture.list(owner, pull.path)).at(-1)?.id}/comments`)
      .expect(200);
    expect([comment?.path, comment?.position]).toEqual(["f.txt", 0]);
    // The API requires a line.
    await fixture.owner.post(`${pull.path}/reviews`, { event: "COMMENT", comments: [{ path: "f.txt", new_position: 0, body: "x" }] }).expect(422);
  });

  test("the changes since the last review are shown: added commits, and after a force-push each commit with its former version", async () => {
    const since = `${path}/files/since-review`;
    const reviewer = createBrowser(fixture.forge.url);
    await reviewer.signIn(fixture.reader);
    expect(readPage((await reviewer.get(since)).text).text).toContain("You have not reviewed this pull request yet.");
    expect((await createBrowser(fixture.forge.url).get(since)).text).toContain("You have not reviewed");
    await fixture.review(fixture.reader, pull.path, { event: "COMMENT", body: "Seen" });
    expect(readPage((await reviewer.get(`${path}/files`)).text).links).toContain(since);
    const unchanged = readPage((await reviewer.get(since)).text);
    expect(unchanged.text).toContain("There are no new changes since your last review. View all changes");
    const { work, owner } = fixture;
    const origin = `${owner.gitOrigin}/owner/r.git`;
    const next = await work.commit("w", { "next.txt": "next\n" }, "Add the next file");
    await work.git("w", "push", "-q", origin, `HEAD:${pull.branch}`);
    expect((await reviewer.get(since)).location).toBe(`${path}/files/${next}`);
    // Rewrites the last two commits: one is changed, one is dropped.
    await work.git("w", "reset", "-q", "--hard", commits[2] ?? "");
    const rewritten = await work.commit("w", { "f.txt": numbered([10, "again, better"]) }, "Change line 10 again");
    await work.git("w", "push", "-q", "-f", origin, `HEAD:${pull.branch}`);
    await fixture.forge.settled();
    const page = readPage((await reviewer.get(since)).text);
    expect(page.dangers).toEqual([]);
    expect(page.text).toContain("The branch was force-pushed since your last review.");
    expect(page.text).toMatch(/4: [0-9a-f]{7,} ! 4: [0-9a-f]{7,} Change line 10 again/);
    expect(page.links).toContain(`/owner/r/compare/${commits[3]}..${rewritten}`);
    const timeline = await open(path);
    expect(timeline.text).toMatch(new RegExp(`owner force-pushed the branch topic-1 from ${next.slice(0, 10)} to ${rewritten.slice(0, 10)} .*? Compare`));
    expect(timeline.links).toContain(`/owner/r/compare/${next}..${rewritten}`);
    expect((await open(`/owner/r/compare/${next}..${rewritten}`)).status).toBe(200);
  });

  test("lines of a range of commits are commented on, and the conversation is shown on its page and among all changes", async () => {
    const [, second, third] = commits;
    const range = `${path}/files/${second}..${third}`;
    const page = await writer.get(range);
    const address = readPage(page.text).links.find((link) => /on=new-12#write$/.test(link)) ?? "";
    expect(address).toContain(`/files/${second}..${third}?`);
    const form = await writer.get(address);
    const action = `${path}/files/comments?range=${second}..${third}`;
    const empty = await writer.submit(form, action, { content: " ", action: "now" });
    expect([empty.status, readPage(empty.text).text.includes("Changes of 2 commits")]).toEqual([422, true]);
    const sent = await writer.submit(form, action, { content: "Why twelve?", action: "now" });
    expect(sent.location).toMatch(new RegExp(`^${range.replaceAll(".", "\\.")}#issuecomment-\\d+$`));
    for (const place of [range, `${path}/files`, path, `${path}/files/${third}`])
      expect([place, (await open(place)).text.includes("Why twelve?")]).toEqual([place, true]);
    expect((await open(`${path}/files/${second}`)).text).not.toContain("Why twelve?");
    // A reply returns to the page of the range.
    const talk = /action="([^"]*\/files\/comments\/\d+\?range=[^"]*)"/.exec((await writer.get(range)).text)?.[1] ?? "";
    const replied = await writer.submit(await writer.get(range), talk, { content: "It is a dozen.", action: "reply" });
    expect(replied.location).toContain(`${range}#issuecomment-`);
    const again = await writer.submit(await writer.get(address), action, { content: "Same line", action: "now" });
    expect(again.status).toBe(303);
    // It continues the conversation; the other one is about the whole file.
    expect((await writer.get(range)).text.match(/class="thread"/g)).toHaveLength(2);
  });

  test("a comment on a removed line of a commit is outdated among all changes if the base never had the line", async () => {
    const { work, owner } = fixture;
    const removing = await work.commit("w", { "second.txt": "two\n" }, "Spell it out");
    await work.git("w", "push", "-q", `${owner.gitOrigin}/owner/r.git`, `HEAD:${pull.branch}`);
    await fixture.forge.settled();
    const range = `${path}/files/${removing}`;
    const address = (await open(range)).links.find((link) => /on=old-1#write$/.test(link)) ?? "";
    const sent = await writer.submit(await writer.get(address), `${path}/files/comments?range=${removing}`, { content: "A digit was shorter", action: "now" });
    expect(sent.location).toContain(`${range}#issuecomment-`);
    expect((await open(range)).text).toContain("A digit was shorter");
    const files = await open(`${path}/files`);
    expect(files.text).toContain("A digit was shorter");
  });

  test("the text of a comment is kept if its commits are gone, and a range that is no part of the pull request is refused", async () => {
    const { work, owner } = fixture;
    const origin = `${owner.gitOrigin}/owner/r.git`;
    const head = await work.git("w", "rev-parse", "HEAD");
    const gone = await work.commit("w", { "gone.txt": "gone\n" }, "Will be gone");
    await work.git("w", "push", "-q", origin, `HEAD:${pull.branch}`);
    await fixture.forge.settled();
    const range = `${path}/files/${gone}`;
    const address = (await open(range)).links.find((link) => /on=new-1#write$/.test(link)) ?? "";
    const form = await writer.get(address);
    await work.git("w", "reset", "-q", "--hard", head);
    await work.git("w", "push", "-q", "-f", origin, `HEAD:${pull.branch}`);
    await fixture.forge.settled();
    const refused = await writer.submit(form, `${path}/files/comments?range=${gone}`, { content: "A long thought", action: "now" });
    expect(refused.status).toBe(409);
    expect(readPage(refused.text).text).toContain("New commits were pushed. Your comment is kept");
    expect(refused.form(`${path}/files/review`)).toMatchObject({ content: "A long thought" });
    const base = await work.git("w", "rev-parse", "main");
    for (const other of [base, `${base}..${commits[0]}`, "main", "../../settings"]) {
      const answer = await writer.post(`${path}/files/comments?range=${encodeURIComponent(other)}`, {
        ...form.form(`${path}/files/comments?range=${gone}`),
        content: "x",
        action: "now",
      });
      expect([other, answer.status]).toEqual([other, 409]);
    }
  });
});
