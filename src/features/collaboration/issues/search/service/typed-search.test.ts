import { CompiledQuery } from "kysely";
import { expect, test } from "vitest";
import { createBrowser } from "../../../../../../test/kit/browser.ts";
import { eachDialect } from "../../../../../../test/kit/databases.ts";
import { startForge, type TestForge } from "../../../../../../test/kit/forge.ts";
import { readPage } from "../../../../../../test/kit/page.ts";
import { openReviewedRepository } from "../../../../../../test/kit/reviewed-pulls.ts";

/** Numbers of the issues of a list page, in order, and the text of the page. */
async function read(forge: TestForge, browser: ReturnType<typeof createBrowser>, path: string, typed: string) {
  const { text, status, location } = await browser.get(`${path}?q=${encodeURIComponent(typed)}`);
  expect([typed, status, location]).toEqual([typed, 200, undefined]);
  expect(forge).toBeDefined();
  const page = readPage(text);
  expect(page.dangers).toEqual([]);
  const numbers = [...text.matchAll(/<a href="\/[^"]+\/(?:issues|pulls)\/(\d+)" dir="auto">/g)].map(([, number]) => Number(number));
  return { numbers, text: page.text };
}

eachDialect((dialect) => {
  test("each qualifier of the query language finds its issues, within a repository and across repositories", async () => {
    await using forge = await startForge({ dialect });
    const { db } = forge.context;
    const [alice, bob] = [await forge.createUser("alice"), await forge.createUser("bob")];
    await alice.post("/user/repos", { name: "r", auto_init: true }).expect(201);
    await alice.post("/user/repos", { name: "other" }).expect(201);
    await bob.post("/user/repos", { name: "hidden", private: true }).expect(201);
    await bob.post("/repos/bob/hidden/issues", { title: "secret" }).expect(201);
    const idOf = async (path: string, body: object): Promise<number> => (await alice.post(path, body).expect(201)).id;
    const color = "#abcdef";
    const [bug, ui] = [await idOf("/repos/alice/r/labels", { name: "bug", color }), await idOf("/repos/alice/r/labels", { name: "good first", color })];
    const v1 = await idOf("/repos/alice/r/milestones", { title: "V1 beta" });
    const issue = (by: typeof alice, body: object) => by.post("/repos/alice/r/issues", body).expect(201);
    await issue(alice, { title: "Proxy fails", body: "nothing", labels: [bug], milestone: v1, assignees: ["bob"] });
    await issue(bob, { title: "Übersicht", body: "the proxy again, @alice" });
    await issue(alice, { title: "Both", labels: [bug, ui], closed: true });
    await issue(bob, { title: "Crowded", body: "w" });
    for (const text of ["one", "a proxy here", "three"]) await alice.post("/repos/alice/r/issues/4/comments", { body: text }).expect(201);
    await bob.post("/repos/alice/r/issues/1/comments", { body: "first" }).expect(201);
    await alice.put("/repos/alice/r/issues/2/lock", { lock_reason: "" }).expect(204);
    await alice.post("/repos/alice/other/issues", { title: "elsewhere", labels: [] }).expect(201);
    const day = (text: string): number => Date.parse(`${text}T12:00:00Z`);
    for (const [number, created, closed] of [
      [1, "2024-01-10", null],
      [2, "2024-02-10", null],
      [3, "2024-02-20", "2024-03-01"],
      [4, "2024-04-01", null],
    ] as const)
      await db.tx(({ sql }) =>
        sql
          .updateTable("issues")
          .set({ created_ms: day(created), updated_ms: day(closed ?? created), changed_ms: 0, closed_ms: closed === null ? null : day(closed) })
          .where("number", "=", number)
          .where("title", "<>", "elsewhere")
          .where("title", "<>", "secret")
          .execute(),
      );
    const browser = createBrowser(forge.url);
    await browser.signIn(alice);
    const visitor = createBrowser(forge.url);
    const numbersOf = async (typed: string): Promise<readonly number[]> => (await read(forge, browser, "/alice/r/issues", typed)).numbers;

    const cases: readonly (readonly [string, readonly number[]])[] = [
      ["", [4, 3, 2, 1]],
      ["is:issue is:open", [4, 2, 1]],
      ["-is:open", [3]],
      ["label:bug", [3, 1]],
      ['label:bug label:"good first"', [3]],
      ['label:bug,"good first" is:open', [1]],
      ["-label:bug", [4, 2]],
      ["no:label is:open", [4, 2]],
      ["has:label", [3, 1]],
      ["no:assignee", [4, 3, 2]],
      ["no:milestone is:open", [4, 2]],
      ['milestone:"v1 BETA"', [1]],
      [`milestone:${v1}`, [1]],
      ['-milestone:"V1 beta" is:open', [4, 2]],
      ["author:@me", [3, 1]],
      ["author:alice", [3, 1]],
      ["author:alice,bob is:open", [4, 2, 1]],
      ["-author:@me", [4, 2]],
      ["assignee:bob", [1]],
      ["assignee:*", [1]],
      ["-assignee:bob is:open", [4, 2]],
      ["mentions:alice", [2]],
      ["commenter:bob", [1]],
      ["-commenter:alice", [3, 2, 1]],
      ["involves:bob", [4, 2, 1]],
      ["created:2024-02", [3, 2]],
      ["created:>2024-02-10", [4, 3]],
      ["created:<2024-02-10", [1]],
      ["created:2024-02-11..*", [4, 3]],
      ["-created:2024", []],
      ["closed:>=2024-03-01", [3]],
      ["-closed:>=2024-03-01", [4, 2, 1]],
      ["updated:2024-03..2024-04", [4, 3]],
      ["comments:>0", [4, 1]],
      ["comments:0", [3, 2]],
      ["comments:2..5", [4]],
      ["-comments:>0 label:bug", [3]],
      ["is:locked", [2]],
      ["-is:locked is:open", [4, 1]],
      ["proxy", [4, 2, 1]],
      ["proxy in:title", [1]],
      ["proxy in:body", [2]],
      ["proxy in:comments", [4]],
      ["proxy in:title,comments", [4, 1]],
      ["übersicht in:title", [2]],
      ['"proxy again"', [2]],
      ['"again proxy"', []],
      ["w in:comments", []],
      ["proxy -author:bob", [1]],
      ["sort:comments", [4, 1, 3, 2]],
      ["sort:comments-asc is:open", [2, 1, 4]],
      ["sort:updated-asc -label:bug", [2, 4]],
      ["sort:created-asc no:assignee", [2, 3, 4]],
      ["repo:alice/r is:open", [4, 2, 1]],
      ["repo:alice/other", []],
      ["-repo:alice/other -org:bob is:open", [4, 2, 1]],
    ];
    for (const [typed, expected] of cases) expect([typed, await numbersOf(typed)]).toEqual([typed, expected]);

    // Pages of a filter that is compared row by row, and its totals.
    const first = await browser.get("/alice/r/issues?q=-label%3Abug&limit=1");
    expect(readPage(first.text).text).toMatch(/Open ?2.*Closed ?0/s);

    // Names that do not exist are reported, and no issue matches.
    for (const [typed, unknown] of [
      ["label:nosuch", "label:nosuch"],
      ["label:bug,question", "label:question"],
      ["milestone:nosuch", "milestone:nosuch"],
      ["-author:no-such-user", "-author:no-such-user"],
      ["repo:bob/hidden", "repo:bob/hidden"],
      ["repo:nowhere org:nobody", "repo:nowhere, owner:nobody"],
      ["lable:bug is:odd created:soon", "lable:bug, is:odd, created:soon"],
    ] as const) {
      const page = await read(forge, browser, "/alice/r/issues", `is:open ${typed}`);
      expect([typed, page.numbers, page.text.includes(`do not exist: ${unknown}.`)]).toEqual([typed, [], true]);
    }
    expect((await read(forge, visitor, "/alice/r/issues", "author:@me")).text).toContain("do not exist: author:@me.");

    // Across repositories the same queries work.
    const everywhere = async (typed: string): Promise<readonly number[]> => (await read(forge, browser, "/issues", typed)).numbers;
    const across: readonly (readonly [string, readonly number[]])[] = [
      ["is:open", [1, 4, 2, 1]],
      ["repo:alice/r is:open", [4, 2, 1]],
      ["repo:alice/r,alice/other is:open", [1, 4, 2, 1]],
      ["org:alice is:open", [1, 4, 2, 1]],
      ["org:bob", []],
      ["-repo:alice/other is:open", [4, 2, 1]],
      ["-org:alice", []],
      ["author:bob", [4, 2]],
      ["assignee:bob", [1]],
      ["mentions:bob", []],
      ["label:bug", [3, 1]],
      ['label:bug label:"good first"', [3]],
      ["-label:bug is:open", [1, 4, 2]],
      ['milestone:"v1 beta"', [1]],
      ["no:milestone repo:alice/r is:open", [4, 2]],
      ["comments:>2", [4]],
      ["created:2024-02 sort:created-asc", [2, 3]],
      ["involves:@me is:open repo:alice/r", [4, 2, 1]],
      ["sort:comments repo:alice/r", [4, 1, 3, 2]],
      ["elsewhere in:title", [1]],
    ];
    for (const [typed, expected] of across) expect([typed, await everywhere(typed)]).toEqual([typed, expected]);
    for (const typed of ["label:nosuch", "repo:bob/hidden", "milestone:none"])
      expect((await read(forge, browser, "/issues", typed)).text).toContain(`do not exist: ${typed}.`);

    // The menus lead to queries that can be typed.
    const to = async (path: string): Promise<string | undefined> => (await browser.get(path)).location;
    expect(await to("/alice/r/issues?q=is%3Aopen+no%3Alabel&label=good+first")).toBe("/alice/r/issues?q=is%3Aopen+label%3A%22good+first%22");
    expect(await to("/alice/r/issues?author=bob")).toBe("/alice/r/issues?q=is%3Aopen+author%3Abob");
    expect(await to("/alice/r/issues?q=is%3Apr+crash")).toBe("/alice/r/pulls?q=is%3Apr+crash");
    expect(await to("/pulls?q=is%3Aissue+is%3Aopen")).toBe("/issues?q=is%3Aissue+is%3Aopen");
    const menus = readPage((await browser.get("/alice/r/issues?q=is%3Aopen+label%3Abug")).text).links;
    for (const query of [
      "is:open",
      "is:open label:bug no:assignee",
      'is:open label:bug label:"good first"',
      "is:open label:bug author:@me",
      "is:open label:bug sort:comments",
    ])
      expect([query, menus.includes(`/alice/r/issues?q=${encodeURIComponent(query).replaceAll("%20", "+")}`)]).toEqual([query, true]);
  });

  test("pull requests are found by draft, review, merge and branch", async () => {
    await using opened = await openReviewedRepository(dialect);
    const { forge, owner, writer, reader } = opened;
    const pulls = [await opened.pull(), await opened.pull(), await opened.pull({ title: "WIP: later" }), await opened.pull()];
    const [approved, rejected, draft, merged] = pulls;
    if (approved === undefined || rejected === undefined || draft === undefined || merged === undefined) throw new Error("no pull request");
    await opened.review(writer, approved.path, { event: "REQUEST_CHANGES", body: "no" });
    await opened.review(writer, approved.path, { event: "APPROVED", body: "yes" });
    await opened.review(writer, rejected.path, { event: "REQUEST_CHANGES", body: "no" });
    await owner.post(`${draft.path}/requested_reviewers`, { reviewers: [writer.name] }).expect(201);
    await owner.post(`${merged.path}/merge`, { Do: "merge" }).expect(200);
    const issue = (await owner.post("/repos/owner/r/issues", { title: "Closed by a pull request" }).expect(201)).number as number;
    await owner.patch(approved.issue, { body: `Closes #${issue}` }).expect(201);
    const browser = createBrowser(forge.url);
    await browser.signIn(writer);
    const list = async (path: string, typed: string) => (await read(forge, browser, path, typed)).numbers;
    const [a, r, d, m] = [approved.number, rejected.number, draft.number, merged.number];
    for (const [typed, expected] of [
      ["is:open", [d, r, a]],
      ["is:draft", [d]],
      ["draft:false is:open", [r, a]],
      ["is:merged", [m]],
      ["is:unmerged", [d, r, a]],
      ["merged:>2000", [m]],
      ["review:approved", [a]],
      ["review:changes_requested", [r]],
      ["review:none is:open", [d]],
      ["review:required is:open", [d]],
      ["-review:approved is:open", [d, r]],
      ["review:approved,changes_requested", [r, a]],
      ["review-requested:@me", [d]],
      [`review-requested:${writer.name}`, [d]],
      [`review-requested:${reader.name}`, []],
      ["reviewed-by:@me", [r, a]],
      ["-reviewed-by:@me is:open", [d]],
      ["base:main is:open", [d, r, a]],
      ["-base:main", []],
      [`head:${rejected.branch}`, [r]],
      ["linked:issue", [a]],
      ["-linked:issue is:open", [d, r]],
    ] as const)
      for (const path of ["/owner/r/pulls", "/pulls"]) expect([path, typed, await list(path, typed)]).toEqual([path, typed, expected]);
    expect([await list("/owner/r/issues", "linked:pr"), await list("/owner/r/issues", "-linked:pr")]).toEqual([[issue], []]);
  });

  test("every query runs a bounded number of statements, none of which scans a table", async () => {
    await using forge = await startForge({ dialect });
    const alice = await forge.createUser("alice");
    await alice.post("/user/repos", { name: "r" }).expect(201);
    for (let at = 0; at < 3; at += 1) await alice.post("/repos/alice/r/issues", { title: `Issue ${at}` }).expect(201);
    const browser = createBrowser(forge.url);
    await browser.signIn(alice);
    const seen = new Set<string>();
    for (const path of ["/alice/r/issues", "/issues", "/pulls"])
      for (const typed of [
        "is:open -author:alice comments:>0 created:>2020 no:label no:milestone no:assignee",
        "involves:@me,alice -mentions:alice -assignee:alice -commenter:alice is:locked",
        "review:approved,required,none -review-requested:alice -reviewed-by:alice base:x head:y is:merged is:draft linked:pr",
        "issue in:title sort:comments",
        "xx sort:updated -repo:alice/r -org:alice",
      ]) {
        const { statements } = await forge.cost(() => read(forge, browser, path, typed));
        expect([path, typed, statements.length < 30]).toEqual([path, typed, true]);
        for (const statement of statements) seen.add(statement);
      }
    if (dialect.name !== "sqlite") return;
    const scans: string[] = [];
    for (const statement of [...seen].filter((text) => /\bissues\b/.test(text))) {
      const { rows } = await forge.context.db.sql.executeQuery<{ detail: string }>(CompiledQuery.raw(`explain query plan ${statement}`));
      // The aliases of conditions; other names are of subqueries.
      for (const { detail } of rows)
        if (/^SCAN (?:issues|comments|reviews|issue_\w+|pull_requests|[alovcm])$/.test(detail)) scans.push(`${detail}: ${statement}`);
    }
    expect(scans).toEqual([]);
  });
});
