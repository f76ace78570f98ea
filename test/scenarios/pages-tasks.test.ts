import { afterAll, beforeAll, expect, test } from "vitest";
import { type Browser, createBrowser } from "../kit/browser.ts";
import { eachDialect } from "../kit/databases.ts";
import { startForge, type TestForge, type TestUser } from "../kit/forge.ts";
import { readPage } from "../kit/page.ts";

/** Task items become issues, without JavaScript. */

eachDialect((dialect) => {
  let forge: TestForge;
  let alice: TestUser;
  let bob: TestUser;
  let asAlice: Browser;
  let asBob: Browser;
  beforeAll(async () => {
    forge = await startForge({ dialect });
    alice = await forge.createUser("alice");
    bob = await forge.createUser("bob");
    await alice.post("/user/repos", { name: "r", auto_init: true }).expect(201);
    asAlice = createBrowser(forge.url);
    asBob = createBrowser(forge.url);
    await asAlice.signIn(alice);
    await asBob.signIn(bob);
  });
  afterAll(() => forge[Symbol.asyncDispose]());

  interface Written {
    readonly id: number;
    readonly number: number;
    readonly body: string;
    readonly state: string;
    readonly title: string;
    readonly user: { readonly login: string };
  }
  const openIssue = (body: string, user = alice): Promise<Written> => user.post<Written>("/repos/alice/r/issues", { title: "Plan", body }).expect(201);
  const issueOf = (number: number): Promise<Written> => alice.get<Written>(`/repos/alice/r/issues/${number}`).expect(200);
  const count = async (): Promise<number> => (await alice.get<readonly unknown[]>("/repos/alice/r/issues?state=all&limit=50").expect(200)).length;
  const positionsOn = (html: string): readonly string[] => [...html.matchAll(/<button class="plain to-issue"[^>]* value="(\d+)"/g)].map(([, at = ""]) => at);
  /** Presses the button of the item at a position in the text of an issue or comment. */
  const convert = async (browser: Browser, page: string, number: number, fields: Readonly<Record<string, string>>) =>
    browser.submit(await browser.get(page), `/alice/r/issues/${number}/tasks`, fields);

  test("a task item of an issue becomes an issue with its text as title, and a reference to it", async () => {
    const { number } = await openIssue("Garden 🌱\n\n- [x] Measure\n- [ ] Order `valves` for\n  the beds\n- [ ] Dig\n");
    const page = `/alice/r/issues/${number}`;
    const [first = "", second] = positionsOn((await asAlice.get(page)).text);
    expect([first, second]).toEqual(["29", "65"]);
    const answer = await convert(asAlice, page, number, { task: first });
    expect([answer.status, answer.location]).toEqual([303, `${page}#issue`]);
    const created = await issueOf(number + 1);
    expect([created.title, created.body, created.user.login, created.state]).toEqual(["Order `valves` for the beds", "", "alice", "open"]);
    expect((await issueOf(number)).body).toBe(`Garden 🌱\n\n- [x] Measure\n- [ ] #${number + 1}\n- [ ] Dig\n`);
    const shown = (await asAlice.get(page)).text;
    expect(positionsOn(shown)).toHaveLength(1);
    expect(readPage(shown).text).toContain(`Order \`valves\` for the beds #${number + 1}`);
    // The new issue says where it is mentioned.
    expect((await asAlice.get(`${page.slice(0, page.lastIndexOf("/"))}/${number + 1}`)).text).toContain(page);
  });

  test("the item is ticked while its issue is closed, on the page and in the counts of lists", async () => {
    const target = await openIssue("");
    const { number } = await openIssue(`- [ ] #${target.number}\n- [x] #${target.number}\n- [ ] other\n- [ ] #99999\n`);
    const box = async (): Promise<readonly string[]> =>
      [...(await asAlice.get(`/alice/r/issues/${number}`)).text.matchAll(/<li class="task-list-item( done)?">\s*<input[^>]*?( checked)? \/>/g)].map(
        ([, done = "", checked = ""]) => `${done}${checked}`,
      );
    const counted = async (): Promise<string | undefined> => /\d of 4 tasks/.exec((await asAlice.get("/alice/r/issues")).text)?.[0];
    expect([await box(), await counted()]).toEqual([["", "", "", ""], "0 of 4 tasks"]);
    await alice.patch(`/repos/alice/r/issues/${target.number}`, { state: "closed" }).expect(201);
    expect([await box(), await counted()]).toEqual([[" done checked", " done checked", "", ""], "2 of 4 tasks"]);
    await alice.patch(`/repos/alice/r/issues/${target.number}`, { state: "open" }).expect(201);
    expect(await counted()).toBe("0 of 4 tasks");
  });

  test("an item that refers to another repository shows the title to readers of that repository only", async () => {
    for (const [name, isPrivate] of [
      ["open", false],
      ["hidden", true],
    ] as const) {
      await alice.post("/user/repos", { name, private: isPrivate }).expect(201);
      await alice.post(`/repos/alice/${name}/issues`, { title: `Title in ${name}`, body: "" }).expect(201);
    }
    const { number } = await openIssue("- [ ] alice/open#1\n- [x] Alice/Hidden#1\n- [ ] alice/open#99\n- [ ] nobody/none#1\n");
    const seen = async (browser: Browser) => {
      const { text } = readPage((await browser.get(`/alice/r/issues/${number}`)).text);
      return [text.includes("Title in open alice/open#1"), text.includes("Title in hidden Alice/Hidden#1")];
    };
    expect([await seen(asAlice), await seen(asBob), await seen(createBrowser(forge.url))]).toEqual([
      [true, true],
      [true, false],
      [true, false],
    ]);
    await alice.patch("/repos/alice/open/issues/1", { state: "closed" }).expect(201);
    expect((await asAlice.get("/alice/r/issues")).text).toContain("1 of 4 tasks");
    const statements = async (path: string) => (await forge.cost(() => asAlice.get(path))).statements.length;
    const { number: further } = await openIssue(Array.from({ length: 40 }, (_, at) => `- [ ] alice/r${at}#1\n`).join(""));
    await asAlice.get(`/alice/r/issues/${further}`);
    expect(await statements(`/alice/r/issues/${further}`)).toBeLessThanOrEqual(await statements(`/alice/r/issues/${number}`));
  });

  test("task items of comments and pull requests become issues too", async () => {
    const { number } = await openIssue("Plan");
    const comment = await alice.post<Written>(`/repos/alice/r/issues/${number}/comments`, { body: "- [ ] Paint the fence" }).expect(201);
    const page = `/alice/r/issues/${number}`;
    const answer = await convert(asAlice, page, number, { task: "2", comment: String(comment.id) });
    expect(answer.location).toBe(`${page}#issuecomment-${comment.id}`);
    expect((await alice.get<Written>(`/repos/alice/r/issues/comments/${comment.id}`).expect(200)).body).toBe(`- [ ] #${number + 1}`);
    expect((await issueOf(number + 1)).title).toBe("Paint the fence");

    await alice.post("/repos/alice/r/contents/a.txt", { content: "YQ==", new_branch: "change", message: "a" }).expect(201);
    const pull = await alice.post<Written>("/repos/alice/r/pulls", { title: "Change", head: "change", base: "main", body: "- [ ] Follow up" }).expect(201);
    const onPull = `/alice/r/pulls/${pull.number}`;
    expect((await convert(asAlice, onPull, pull.number, { task: "2" })).location).toBe(`${onPull}#issue`);
    expect(await issueOf(pull.number)).toMatchObject({ body: `- [ ] #${pull.number + 1}` });
    expect((await issueOf(pull.number + 1)).title).toBe("Follow up");
  });

  test("a text that was changed meanwhile is shown, and no issue is created", async () => {
    const { number } = await openIssue("- [ ] Sow\n- [ ] Water\n");
    const page = `/alice/r/issues/${number}`;
    const opened = await asAlice.get(page);
    await alice.patch(`/repos/alice/r/issues/${number}`, { body: "- [ ] Sow beans\n- [ ] Water\n" }).expect(201);
    const before = await count();
    const answer = await asAlice.submit(opened, `${page}/tasks`, { task: "2" });
    expect(answer.status).toBe(409);
    const read = readPage(answer.text);
    expect(read.text).toContain("This text was changed after you opened the page.");
    expect(read.text).toContain("- [ ] Sow beans");
    expect(read.links).toContain(`${page}#issue`);
    expect([await count(), (await issueOf(number)).body]).toEqual([before, "- [ ] Sow beans\n- [ ] Water\n"]);
  });

  test("of two requests at the same time for one version, one creates an issue and the other creates none", async () => {
    const { number } = await openIssue("- [ ] One\n- [ ] Two\n");
    const page = await asAlice.get(`/alice/r/issues/${number}`);
    const before = await count();
    const answers = await Promise.all(["2", "12"].map((task) => asAlice.submit(page, `/alice/r/issues/${number}/tasks`, { task })));
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 409]);
    expect(await count()).toBe(before + 1);
    expect((await issueOf(number)).body.match(/#\d+/g)).toHaveLength(1);
  });

  test("only users who can edit the text have the button, and only where the repository has issues", async () => {
    const { number } = await openIssue("- [ ] Mine");
    const page = `/alice/r/issues/${number}`;
    const comment = await bob.post<Written>(`/repos/alice/r/issues/${number}/comments`, { body: "- [ ] Of bob" }).expect(201);
    const seen = (await asBob.get(page)).text;
    expect(seen.match(/class="plain to-issue"/g)).toHaveLength(1);
    expect((await convert(asBob, page, number, { task: "2", comment: "" })).status).toBe(403);
    expect((await convert(asBob, page, number, { task: "2", comment: String(comment.id) })).status).toBe(303);
    expect((await createBrowser(forge.url).get(page)).text).not.toContain("to-issue");
    const other = await openIssue("");
    expect((await convert(asAlice, page, other.number, { task: "2", comment: String(comment.id) }).catch(() => ({ status: 0 }))).status).not.toBe(303);
    expect(
      (await asAlice.post(`/alice/r/issues/${other.number}/tasks`, { ...(await asAlice.get(page)).form(`${page}/tasks`), comment: String(comment.id) })).status,
    ).toBe(404);
    for (const task of ["0", "400", "-1"]) expect((await convert(asAlice, page, number, { task })).status).toBe(409);
  });
});
