import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Browser, createBrowser } from "../../../../../test/kit/browser.ts";
import { eachDialect } from "../../../../../test/kit/databases.ts";
import type { TestUser } from "../../../../../test/kit/forge.ts";
import { readPage } from "../../../../../test/kit/page.ts";
import { openReviewedRepository, type ReviewedRepository, type TestPull } from "../../../../../test/kit/reviewed-pulls.ts";

/** Each requirement of a merge, as the merge refuses it and as the merge box shows it. */

interface Case {
  readonly name: string;
  /** Creates a pull request that lacks only this requirement. */
  readonly make: (world: ReviewedRepository) => Promise<Pick<TestPull, "path">>;
  /** The answer of the merge. */
  readonly answer: readonly [status: number, message: string | RegExp];
  /** In the merge box. */
  readonly shown: readonly string[];
  readonly style?: string;
  /** The owner by default. */
  readonly as?: "writer" | "reader";
  /** Whether the merge box offers to wait for it, and an administrator to bypass it. */
  readonly offers?: "waiting and bypass";
}

/** A pull request into a branch with a rule of its own. */
const under =
  (branch: string, rule: object, further: (world: ReviewedRepository, pull: TestPull) => Promise<unknown> = async () => {}): Case["make"] =>
  async (world) => {
    await world.protect(branch, rule);
    const pull = await world.pull({}, branch);
    await further(world, pull);
    return pull;
  };

/** A pull request into main. */
const changed =
  (further: (world: ReviewedRepository, pull: TestPull) => Promise<unknown>): Case["make"] =>
  async (world) => {
    const pull = await world.pull();
    await further(world, pull);
    return pull;
  };

const addTo = (world: ReviewedRepository, branch: string, path: string): Promise<unknown> =>
  world.owner.post(`/repos/owner/r/contents/${path}`, { content: "", branch }).expect(201);

async function clash({ owner }: ReviewedRepository, branch: string): Promise<void> {
  const { sha } = await owner.get(`/repos/owner/r/contents/f.txt?ref=${branch}`).expect(200);
  await owner.put("/repos/owner/r/contents/f.txt", { content: "", branch, sha }).expect(200);
}

const rule = "waiting and bypass";
const cases: readonly Case[] = [
  {
    name: "the right to merge",
    make: changed(async () => {}),
    as: "reader",
    answer: [405, "User not allowed to merge PR"],
    shown: ["You are not authorized to merge into this branch."],
  },
  {
    name: "readiness for review",
    make: changed(({ owner }, { path }) => owner.patch(path, { title: "WIP: not yet" }).expect(201)),
    answer: [405, "Work in progress PRs cannot be merged"],
    shown: ["This pull request is a draft."],
  },
  {
    name: "an open pull request",
    make: changed(({ owner }, { path }) => owner.patch(path, { state: "closed" }).expect(201)),
    answer: [404, /./],
    shown: ["This pull request is closed without being merged."],
  },
  {
    name: "a pull request that is not merged",
    make: under("target", {}, ({ owner }, { path }) => owner.post(`${path}/merge`, { Do: "squash" }).expect(200)),
    answer: [405, "The PR is already merged"],
    shown: ["Merged into target by owner"],
  },
  {
    name: "changes",
    make: changed(({ work, owner }, { branch }) => work.git("w", "push", "-q", "-f", `${owner.gitOrigin}/owner/r.git`, `main:${branch}`)),
    answer: [405, "the base branch already has all commits of the head"],
    shown: ["The base branch already contains all commits of this pull request."],
  },
  {
    name: "related histories",
    make: changed(async ({ work, owner }, { branch }) => {
      await work.init("unrelated");
      await work.commit("unrelated", { "u.txt": "u\n" });
      await work.git("unrelated", "push", "-q", "-f", `${owner.gitOrigin}/owner/r.git`, `HEAD:${branch}`);
    }),
    answer: [405, "the head and the base branch have unrelated histories"],
    shown: ["The two branches have unrelated histories."],
  },
  {
    name: "no conflict",
    make: under("clashing", { enable_push: true }, (world) => clash(world, "clashing")),
    answer: [405, "the head conflicts with the base branch in f.txt"],
    shown: ["This branch has conflicts in the following files: f.txt"],
  },
  {
    name: "no conflict when the head is rebased",
    make: under("clashing-too", { enable_push: true }, (world) => clash(world, "clashing-too")),
    style: "rebase",
    answer: [405, "the head conflicts with the base branch in f.txt"],
    shown: ["This branch has conflicts in the following files: f.txt"],
  },
  {
    name: "status checks",
    make: under("checked", { enable_status_check: true, status_check_contexts: ["ci/*", "lint"] }, ({ owner }, { head }) =>
      owner.post(`/repos/owner/r/statuses/${head}`, { state: "success", context: "lint" }),
    ),
    answer: [405, "Not all required status checks successful"],
    shown: ["Some required status checks have not passed. ci/* (not reported yet)"],
    offers: rule,
  },
  {
    name: "approvals",
    make: under("approved", { required_approvals: 2 }, ({ review, writer }, { path }) => review(writer, path, { event: "APPROVED" })),
    answer: [405, "Does not have enough approvals"],
    shown: ["There are not enough approvals. 1 of 2 required approvals."],
    offers: rule,
  },
  {
    name: "no change request",
    make: under("rejected", { block_on_rejected_reviews: true }, ({ review, writer }, { path }) =>
      review(writer, path, { event: "REQUEST_CHANGES", body: "no" }),
    ),
    answer: [405, "There are requested changes"],
    shown: ["A reviewer has requested changes."],
    offers: rule,
  },
  {
    name: "no pending review request",
    make: under("awaited", { block_on_official_review_requests: true }, ({ owner }, { path }) =>
      owner.post(`${path}/requested_reviewers`, { reviewers: ["writer"] }).expect(201),
    ),
    answer: [405, "There are official review requests"],
    shown: ["A requested review is still pending."],
    offers: rule,
  },
  {
    name: "an up-to-date branch",
    make: under("current", { block_on_outdated_branch: true, enable_push: true }, (world) => addTo(world, "current", "aside.txt")),
    answer: [405, "The head branch is behind the base branch"],
    shown: ["The branch is out of date with the base branch. Update it first."],
    offers: rule,
  },
  {
    name: "no change of protected files",
    make: under("careful", { protected_file_patterns: "n*.txt" }),
    answer: [405, "Changed protected files"],
    shown: ["It changes protected files. new.txt"],
    offers: rule,
  },
  {
    name: "a signing key",
    make: under("signed", { require_signed_commits: true }),
    answer: [405, "wont sign: nokey"],
    shown: ["Signed commits are required, but this server has no signing key.", "One of its commits has no verified signature."],
    offers: rule,
  },
  {
    name: "several rules, shown together",
    make: under("strict", { required_approvals: 1, enable_status_check: true, status_check_contexts: ["ci"] }),
    answer: [405, "Not all required status checks successful"],
    shown: ["Some required status checks have not passed. ci (not reported yet)", "There are not enough approvals. 0 of 1 required approvals."],
    offers: rule,
  },
  {
    name: "closed dependencies",
    make: changed(async ({ owner }, { issue }) => {
      const { number } = await owner.post("/repos/owner/r/issues", { title: "first" }).expect(201);
      await owner.post(`${issue}/dependencies`, { owner: "owner", repo: "r", index: number }).expect(201);
    }),
    answer: [405, "cannot close this issue or pull request because it still has open dependencies"],
    shown: ["It is blocked by open dependencies."],
  },
];

eachDialect((dialect) => {
  let world: ReviewedRepository;
  let browsers: Readonly<Record<"owner" | "reader", Browser>>;
  beforeAll(async () => {
    world = await openReviewedRepository(dialect);
    browsers = { owner: createBrowser(world.forge.url), reader: createBrowser(world.forge.url) };
    await browsers.owner.signIn(world.owner);
    await browsers.reader.signIn(world.reader);
  });
  afterAll(() => world[Symbol.asyncDispose]());

  const merge = async (user: TestUser, path: string, body: object): Promise<readonly [number, string]> => {
    const answer = await user.post<{ message: string }>(`${path}/merge`, body);
    return [answer.status, answer.text === "" ? "" : answer.json.message];
  };
  const mergeBox = async (path: string, browser = browsers.owner): Promise<{ readonly text: string; readonly html: string }> => {
    const { text } = await browser.get(path.replace("/repos", ""));
    const html = /<section class="box" id="merging">[\s\S]*?<\/section>/.exec(text)?.[0] ?? "";
    return { html, text: readPage(html).text };
  };

  describe("the merge and the merge box require", () => {
    for (const { name, make, answer, shown, style = "merge", as, offers } of cases) {
      test(name, async () => {
        const { path } = await make(world);
        const user = as === undefined ? world.owner : world[as];
        const [status, message] = await merge(user, path, { Do: style });
        expect([status, message]).toEqual([answer[0], typeof answer[1] === "string" ? answer[1] : expect.stringMatching(answer[1])]);
        const box = await mergeBox(path, as === "reader" ? browsers.reader : browsers.owner);
        for (const sentence of shown) expect(box.text).toContain(sentence);
        expect(box.html.includes('name="action" value="merge"')).toBe(false);
        expect([box.html.includes('name="action" value="schedule"'), box.html.includes('name="action" value="force"')]).toEqual([
          offers !== undefined,
          offers !== undefined,
        ]);
        if (offers !== undefined) expect(await merge(user, path, { Do: style, force_merge: true })).toEqual([200, ""]);
      });
    }

    test("an allowed merge style", async () => {
      const { path } = await world.pull();
      await world.owner.patch("/repos/owner/r", { has_pull_requests: true, allow_squash_merge: false }).expect(200);
      expect(await merge(world.owner, path, { Do: "squash" })).toEqual([405, "squash is not allowed an allowed merge style for this repository"]);
      const box = await mergeBox(path);
      expect([box.html.includes('name="action" value="merge"'), box.html.includes('value="squash"')]).toEqual([true, false]);
    });

    test("the head that the user has seen", async () => {
      const { path } = await world.pull();
      expect(await merge(world.owner, path, { Do: "merge", head_commit_id: "f".repeat(40) })).toEqual([409, "head out of date"]);
    });

    test("a base branch without other commits, for a fast-forward", async () => {
      const { path } = await under("forward", { enable_push: true }, (w) => addTo(w, "forward", "aside.txt"))(world);
      expect(await merge(world.owner, path, { Do: "fast-forward-only" })).toEqual([409, expect.stringContaining("cannot be fast-forwarded")]);
      expect((await mergeBox(path)).html).toContain('name="action" value="merge"');
    });

    test("a repository that is not archived", async () => {
      const { path } = await world.pull();
      await world.owner.patch("/repos/owner/r", { archived: true }).expect(200);
      expect((await merge(world.owner, path, { Do: "merge" }))[0]).toBe(423);
      const box = await mergeBox(path);
      expect([box.text.includes("This repository is archived."), box.html.includes('name="action" value="merge"')]).toEqual([true, false]);
      await world.owner.patch("/repos/owner/r", { archived: false }).expect(200);
    });
  });

  test("an auto merge waits only for rules", async () => {
    const { path, issue } = (await under("queued", { required_approvals: 1 })(world)) as TestPull;
    const { number } = await world.owner.post("/repos/owner/r/issues", { title: "first" }).expect(201);
    await world.owner.post(`${issue}/dependencies`, { owner: "owner", repo: "r", index: number }).expect(201);
    const schedule = () => merge(world.owner, path, { Do: "merge", merge_when_checks_succeed: true });
    expect(await schedule()).toEqual([405, "cannot close this issue or pull request because it still has open dependencies"]);
    expect((await mergeBox(path)).html).not.toContain('name="action" value="schedule"');
    await world.owner.patch(`/repos/owner/r/issues/${number}`, { state: "closed" }).expect(201);
    expect(await schedule()).toEqual([201, ""]);
  });

  test("a merge creates no commits before all other requirements are checked", async () => {
    const { forge, owner } = world;
    const { path, issue } = await world.pull();
    const { number } = await owner.post("/repos/owner/r/issues", { title: "first" }).expect(201);
    await owner.post(`${issue}/dependencies`, { owner: "owner", repo: "r", index: number }).expect(201);
    await mergeBox(path);
    const filesOf = async () =>
      (await readdir(join(forge.dataDirectory, "repositories"), { recursive: true })).filter((name) => name.includes("objects")).sort();
    await forge.settled();
    const before = await filesOf();
    const { result, statements } = await forge.cost(() => owner.post(`${path}/merge`, { Do: "merge" }));
    expect([result.status, await filesOf()]).toEqual([405, before]);
    expect(statements.length).toBeLessThanOrEqual(12);
  });

  /** The statements that load the rules of a repository. */
  const loadsOfRules = (statements: readonly string[]): number => statements.filter((sql) => sql.includes(`union all select 'lock'`)).length;

  test("a merge under a rule loads the rules of the repository once before its transaction and once in it", async () => {
    const { forge, owner } = world;
    const { path } = await under("counted", { required_approvals: 0 })(world);
    const { statements } = await forge.cost(() => owner.post(`${path}/merge`, { Do: "merge", delete_branch_after_merge: true }).expect(200));
    expect(loadsOfRules(statements)).toBe(2);
  });

  test("a push loads the rules once before its transaction and once in it, and an edit only in it", async () => {
    const { forge } = world;
    await world.protect("written", { enable_push: true, enable_force_push: true });
    const pushed = await forge.cost(() => world.push("written", { "pushed.txt": "x" }));
    const edited = await forge.cost(() => addTo(world, "written", "edited.txt"));
    expect([loadsOfRules(pushed.statements), loadsOfRules(edited.statements)]).toEqual([2, 1]);
  });
});
