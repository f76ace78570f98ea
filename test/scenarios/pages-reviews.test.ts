import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Browser, createBrowser } from "../kit/browser.ts";
import { eachDialect } from "../kit/databases.ts";
import { type ReadPage, readPage } from "../kit/page.ts";
import { numbered, openReviewedRepository, type ReviewedRepository, type TestPull } from "../kit/reviewed-pulls.ts";

/** The files of a pull request as people read, answer and judge them, without a script. */

const evil = '"><img src=x onerror=alert(1)><script>alert(2)</script>';

eachDialect((dialect) => {
  let world: ReviewedRepository;
  let pull: TestPull;
  let files: string;
  let visitor: Browser;
  let owner: Browser;
  let writer: Browser;
  beforeAll(async () => {
    world = await openReviewedRepository(dialect);
    pull = await world.pull();
    files = `/owner/r/pulls/${pull.number}/files`;
    visitor = createBrowser(world.forge.url);
    owner = createBrowser(world.forge.url);
    writer = createBrowser(world.forge.url);
    await owner.signIn(world.owner);
    await writer.signIn(world.writer);
  });
  afterAll(() => world?.[Symbol.asyncDispose]());

  const open = async (path: string, browser = visitor): Promise<ReadPage & { readonly status: number; readonly html: string }> => {
    const { status, text } = await browser.get(path);
    const page = readPage(text);
    expect(page.dangers, path).toEqual([]);
    expect(page.headings.length, path).toBe(1);
    return { status, ...page, html: text };
  };

  describe("the files of a pull request", () => {
    test("are read in one column or two, with or without white space, and the lines between changes are shown where they are asked for", async () => {
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

    test("stay marked as viewed by somebody until they change", async () => {
      const page = await writer.get(files);
      expect(page.text).toContain("0 of 2 viewed");
      expect((await writer.submit(page, `${files}/viewed`)).location).toBe(`${files}#file-1`);
      expect((await writer.get(files)).text).toContain("1 of 2 viewed");
      expect((await owner.get(files)).text).toContain("0 of 2 viewed");
      await world.push(pull.branch, { "f.txt": numbered([10, "ten once more"]) });
      expect((await writer.get(files)).text).toContain("0 of 2 viewed");
      const unknown = await writer.post(`${files}/viewed`, { ...page.form(`${files}/viewed`), key: "x" });
      expect(unknown.status).toBe(422);
    });

    test("are talked about on their lines: at once, in an answer, and until it is settled", async () => {
      const place = (await open(files, writer)).links.find((link) => link.includes("on=new-10")) ?? "";
      const form = await writer.get(place);
      expect((await writer.submit(form, `${files}/comments`, { content: " ", action: "now" })).status).toBe(422);
      const said = await writer.submit(form, `${files}/comments`, { content: `Why **ten**? ${evil}`, start_line: "9", action: "now" });
      expect(said.location).toMatch(new RegExp(`^${files}#issuecomment-\\d+$`));
      const id = said.location?.split("-").at(-1) ?? "";
      const page = await open(files);
      for (const word of ["Why ten?", "writer"]) expect(page.text).toContain(word);
      const answer = `${files}/comments/${id}`;
      const replied = await owner.submit(await owner.get(files), answer, { content: "Because." });
      expect(replied.status).toBe(303);
      const empty = await owner.submit(await owner.get(files), answer, { content: "" });
      expect([empty.status, empty.text.includes("Write something")]).toEqual([422, true]);
      expect((await open(`/owner/r/pulls/${pull.number}`)).text).toContain("Because.");
      const token = (await owner.get(files)).form(answer);
      expect((await owner.post(answer, { ...token, action: "resolve" })).status).toBe(303);
      expect((await open(files)).text).toContain("resolved by owner");
      expect((await owner.post(answer, { ...token, action: "unresolve" })).status).toBe(303);
      expect((await open(files)).text).not.toContain("resolved by owner");
    });

    test("keep what was typed where somebody has pushed meanwhile", async () => {
      const place = (await open(files, writer)).links.find((link) => link.includes("on=new-10")) ?? "";
      const form = await writer.get(place);
      await world.push(pull.branch, { "f.txt": numbered([10, "ten at last"]) });
      const refused = await writer.submit(form, `${files}/comments`, { content: "Many words", action: "now" });
      expect([refused.status, refused.text.includes("Many words"), refused.text.includes("Somebody has pushed")]).toEqual([409, true, true]);
      expect((await writer.submit(refused, `${files}/comments`, { action: "now" })).status).toBe(303);
    });

    test("are judged with all that waited, which nobody else has seen before", async () => {
      const place = (await open(files, writer)).links.find((link) => link.includes("on=new-8")) ?? "";
      const form = await writer.get(`${place.replace("#write", "")}&suggest=true`);
      expect(form.form(`${files}/comments`).content).toBe("```suggestion\nline 8\n```\n");
      await writer.submit(form, `${files}/comments`, { content: "Rather:\n```suggestion\nline eight\n```", action: "review" });
      expect((await open(files)).text).not.toContain("line eight");
      const page = await open(files, writer);
      for (const word of ["line eight", "Draft", "1 comment waits"]) expect(page.text).toContain(word);
      const review = { verdict: "reject", content: "" };
      const refused = await writer.submit(await writer.get(files), `${files}/review`, review);
      expect([refused.status, refused.text.includes("Say something of the whole")]).toEqual([422, true]);
      const sent = await writer.submit(refused, `${files}/review`, { ...review, content: "Not yet" });
      expect(sent.location).toMatch(new RegExp(`^/owner/r/pulls/${pull.number}#issuecomment-\\d+$`));
      for (const word of ["asked for changes", "Not yet", "line eight"]) expect((await open(`/owner/r/pulls/${pull.number}`)).text).toContain(word);
      expect((await open(files)).text).toContain("Suggested change");
      const own = await owner.get(files);
      expect(own.text).not.toContain("Approve");
      expect((await owner.post(`${files}/review`, { ...own.form(`${files}/review`), verdict: "approve" })).status).toBe(422);
    });

    test("ask the database no more often when much is said of them", async () => {
      const comment = { path: "f.txt", new_position: 20, body: "See @owner, far below" };
      await world.review(world.reader, pull.path, { event: "COMMENT", body: "", comments: [comment] });
      await visitor.get(files);
      expect((await open(files)).text).toMatch(/Conversations on other lines.*See @owner, far below/);
      const few = await world.forge.cost(() => visitor.get(files));
      const comments = Array.from({ length: 5 }, (_, at) => ({ path: "f.txt", new_position: at + 1, body: `See @owner, ${at}` }));
      await world.review(world.reader, pull.path, { event: "COMMENT", body: "", comments });
      await visitor.get(files);
      const many = await world.forge.cost(() => visitor.get(files));
      expect(many.statements).toHaveLength(few.statements.length);
      expect(many.statements.length).toBeLessThanOrEqual(8);
      expect(many.processes).toBeLessThanOrEqual(1);
    });
  });
});
