import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { type Browser, createBrowser } from "../kit/browser.ts";
import { eachDialect } from "../kit/databases.ts";
import { readPage } from "../kit/page.ts";
import { shareReviewedRepository } from "../kit/set-up.ts";

/** The merge box without JavaScript. */

eachDialect((dialect) => {
  const { forge, owner, writer, reader, pull, push, review, protect, work } = shareReviewedRepository(dialect);
  let admin: Browser;
  beforeAll(async () => {
    admin = createBrowser(forge.url);
    await admin.signIn(owner);
  });
  const pageOf = ({ path }: { readonly path: string }): string => path.replace("/repos", "");
  const textOf = async (path: string): Promise<string> => readPage((await admin.get(path)).text).text;
  const messageOn = async (branch: string): Promise<string> =>
    (await owner.get<{ commit: { message: string } }>(`/repos/owner/r/branches/${branch}`).expect(200)).commit.message;

  const createBase = async (name: string): Promise<string> => {
    await owner.post("/repos/owner/r/branches", { new_branch_name: name, old_branch_name: "main" }).expect(201);
    return name;
  };

  describe("the merge box", () => {
    test("counts the approvals and explains each approval that does not count", async () => {
      await protect("two", { required_approvals: 2, dismiss_stale_approvals: false, ignore_stale_approvals: true });
      const made = await pull({}, "two");
      const path = pageOf(made);
      await review(reader, made.path, { event: "APPROVED" });
      await review(writer, made.path, { event: "APPROVED" });
      const text = await textOf(path);
      expect(text).toContain("1 of 2 required approvals.");
      expect(text).toContain("reader's approval does not count: no write access");
      expect(text).toContain("Approved by writer");
      expect(text).not.toContain("Approved by reader");
      expect(text).not.toContain("writer's approval does not count");
      await push(made.branch, { "later.txt": "x\n" });
      const stale = await textOf(path);
      expect(stale).toContain("0 of 2 required approvals.");
      expect(stale).toContain("writer's approval does not count: given for an earlier version");
      const german = readPage((await admin.get(path, { "accept-language": "de" })).text).text;
      expect(german).toContain("Die Genehmigung von reader zählt nicht: kein Schreibzugriff");
    });

    test("names approvers outside the list of a rule, and approvals before another review was requested", async () => {
      await protect("chosen", { required_approvals: 2, enable_approvals_whitelist: true, approvals_whitelist_username: ["reader"] });
      const made = await pull({}, "chosen");
      await review(writer, made.path, { event: "APPROVED" });
      await review(reader, made.path, { event: "APPROVED" });
      await owner.post(`${made.path}/requested_reviewers`, { reviewers: ["reader"] }).expect(201);
      const text = await textOf(pageOf(made));
      expect(text).toContain("0 of 2 required approvals.");
      expect(text).toContain("writer's approval does not count: not in the list of approvers for this branch");
      expect(text).toContain("reader's approval does not count: a new review is required");
    });

    test("says once that a branch is out of date, also if a rule requires the update", async () => {
      const count = async (path: string): Promise<number> => (await textOf(path)).split("out of date with the base branch").length - 1;
      await protect("moved-and-ruled", { enable_push: true, block_on_outdated_branch: true });
      const [free, ruled] = [await pull({}, await createBase("moved")), await pull({}, "moved-and-ruled")];
      for (const base of ["moved", "moved-and-ruled"]) await owner.post(`/repos/owner/r/contents/${base}.txt`, { content: "", branch: base }).expect(201);
      expect([await count(pageOf(free)), await count(pageOf(ruled))]).toEqual([1, 1]);
    });

    test("lists at most ten approvals that never counted, with a constant number of statements", async () => {
      await protect("popular", { required_approvals: 1 });
      const made = await pull({}, "popular");
      const approve = async (count: number): Promise<void> => {
        for (let at = 0; at < count; at += 1) {
          const fan = await forge.createUser(`fan-${dialect}-${at}-${count}`);
          await review(fan, made.path, { event: "APPROVED" });
        }
      };
      await approve(1);
      await admin.get(pageOf(made));
      const one = await forge.cost(() => admin.get(pageOf(made)));
      await approve(11);
      await admin.get(pageOf(made));
      const many = await forge.cost(() => admin.get(pageOf(made)));
      expect(many.statements).toHaveLength(one.statements.length);
      expect((await textOf(pageOf(made))).match(/approval does not count/g)).toHaveLength(10);
    });

    test("shows the default message of the selected method, and uses the default of another one unless it is edited", async () => {
      const made = await pull({ title: "Change one line" }, await createBase("one"));
      const path = pageOf(made);
      const form = (await admin.get(path)).form(`${path}/merge`);
      expect(form).toMatchObject({
        style: "merge",
        message: "",
        title: `Merge pull request 'Change one line' (#${made.number}) from ${made.branch} into one`,
      });
      const merged = await admin.submit(await admin.get(path), `${path}/merge`, { style: "squash", action: "merge" });
      expect(merged.status).toBe(303);
      expect(await messageOn("one")).toBe(`Change one line (#${made.number})\n\nCo-authored-by: Ann Author <ann@example.com>\n`);
    });

    test("fills in the title and the body of a template, and merges with the edited text", async () => {
      const template = "${PullRequestTitle} by ${PullRequestPosterName}\n\n${ReviewedOn}\n";
      const content = Buffer.from(template).toString("base64");
      await owner.post("/repos/owner/r/contents/.gitea/default_merge_message/MERGE_TEMPLATE.md", { content, branch: "main" }).expect(201);
      const made = await pull({ title: "Described" }, await createBase("templated"));
      const path = pageOf(made);
      const page = await admin.get(path);
      const { title, message } = page.form(`${path}/merge`);
      expect([title, message]).toEqual(["Described by owner", expect.stringMatching(/^Reviewed-on: http.*\/pulls\/\d+$/)]);
      await admin.submit(page, `${path}/merge`, { message: `${message}\r\n\r\nTested by hand.`, action: "merge" });
      expect(await messageOn("templated")).toBe(`${title}\n\n${message}\n\nTested by hand.\n`);
    });

    test("keeps the co-authors of a squashed commit with an edited message", async () => {
      const made = await pull({ title: "Together" }, await createBase("squashed"));
      const path = pageOf(made);
      const text = {
        content: Buffer.from("w\n").toString("base64"),
        branch: made.branch,
        message: "Add a file",
        author: { name: "Wil", email: "wil@example.com" },
      };
      await owner.post("/repos/owner/r/contents/written.txt", text).expect(201);
      const merged = await admin.submit(await admin.get(path), `${path}/merge`, { style: "squash", title: "Edited", action: "merge" });
      expect(merged.status).toBe(303);
      expect(await messageOn("squashed")).toMatch(/^Edited\n\n(.*\n)*Co-authored-by: Wil <wil@example.com>\n/);
    });

    test("bypasses rules only after a confirmation, and keeps the typed message without it", async () => {
      await protect("strict", { required_approvals: 1 });
      const made = await pull({}, "strict");
      const path = pageOf(made);
      const fields = { title: "My words", action: "force" };
      const refused = await admin.submit(await admin.get(path), `${path}/merge`, fields);
      expect(refused.status).toBe(422);
      expect(refused.text).toContain("Confirm that you want to bypass the rules of the branch.");
      expect(refused.form(`${path}/merge`).title).toBe("My words");
      expect(await owner.get(made.path).expect(200)).toMatchObject({ merged: false });
      const confirmed = await admin.submit(refused, `${path}/merge`, { ...fields, bypass: "true" });
      expect(confirmed.status).toBe(303);
      expect(await owner.get(made.path).expect(200)).toMatchObject({ merged: true });
    });

    test("shows commands that merge a pull request in a clone, also into a branch whose name a shell would interpret", async () => {
      const base = await createBase("it's-$(touch-hacked)");
      const made = await pull({}, base);
      const path = pageOf(made);
      const { text } = await admin.get(path);
      const blocks = [...text.matchAll(/<pre tabindex="0">([^<]*)<\/pre>/g)].map(([, block = ""]) =>
        block.replaceAll("&quot;", '"').replaceAll("&amp;", "&").replaceAll("&#39;", "'"),
      );
      expect(blocks).toHaveLength(2);
      await work.git("", "clone", "-q", `${owner.gitOrigin}/owner/r.git`, "merging");
      await writeFile(join(work.path, "merge.sh"), `set -e\n${blocks.join("\n")}\n`);
      await work.git("merging", "-c", "alias.run=!sh ../merge.sh", "run");
      expect(await owner.get(`/repos/owner/r/contents/new.txt?ref=${encodeURIComponent(base)}`).expect(200)).toMatchObject({ name: "new.txt" });
      const visitor = createBrowser(forge.url);
      const seen = readPage((await visitor.get(path)).text).text;
      expect([seen.includes(`git fetch origin pull/${made.number}/head`), seen.includes("git push")]).toEqual([true, false]);
    });
  });
});
