import { afterAll, beforeAll, expect, test } from "vitest";
import { eachDialect } from "../../../../test/kit/databases.ts";
import { openReviewedRepository, type ReviewedRepository, type TestPull } from "../../../../test/kit/reviewed-pulls.ts";
import { headerOf, type ReceivedEmail, type SmtpServer, startSmtpServer } from "../../../../test/kit/smtp-server.ts";

eachDialect((dialect) => {
  let mailServer: SmtpServer;
  let hearth: ReviewedRepository;
  beforeAll(async () => {
    mailServer = await startSmtpServer();
    hearth = await openReviewedRepository(dialect, mailServer.environment);
    await hearth.reader.patch("/user/settings", { language: "de-DE" }).expect(200);
    await hearth.writer.put("/repos/owner/r/subscription").expect(200);
  });
  afterAll(async () => {
    await hearth[Symbol.asyncDispose]();
    await mailServer[Symbol.asyncDispose]();
  });

  /** Emails since the last call, by recipient. */
  async function arrived(): Promise<Map<string, ReceivedEmail>> {
    await hearth.forge.settled();
    const emails = mailServer.emails.splice(0);
    for (const email of emails) {
      expect(headerOf(email, "to")).toBe(email.to.join());
      expect([headerOf(email, "cc"), headerOf(email, "bcc")]).toEqual([undefined, undefined]);
      expect(headerOf(email, "list-unsubscribe-post")).toBe("List-Unsubscribe=One-Click");
    }
    const byName = new Map(emails.map((email) => [email.to.join().replace("@example.com", ""), email]));
    expect(byName.size).toBe(emails.length);
    return byName;
  }
  const opened = async (more: object = {}): Promise<TestPull> => {
    const pull = await hearth.pull(more);
    await arrived();
    return pull;
  };
  /** Expects an email in the thread of a pull request, with its own id. */
  async function expectThreaded(email: ReceivedEmail | undefined, { number }: TestPull): Promise<void> {
    const { id } = await hearth.owner.get(`/repos/owner/r/issues/${number}`).expect(200);
    const first = `<issue-${id}@git.example.org>`;
    expect([headerOf(email, "in-reply-to"), headerOf(email, "references")]).toEqual([first, first]);
    expect(headerOf(email, "message-id")).toMatch(new RegExp(`^<issue-${id}\\..+@git\\.example\\.org>$`));
    expect(headerOf(email, "subject")).toMatch(/^Re: \[owner\/r\] /);
  }

  test("emails a review with its comments on lines, and the replies to its author in their language", async () => {
    const pull = await opened();
    const comments = [{ path: "f.txt", new_position: 10, body: "why **this** line?" }];
    await hearth.review(hearth.reader, pull.path, { event: "REQUEST_CHANGES", body: "Not yet, @writer", comments });
    const emails = await arrived();
    expect([...emails.keys()].sort()).toEqual(["owner", "writer"]);
    const email = emails.get("owner");
    expect(email?.raw).toContain(`reader requested changes on pull request #${pull.number} in owner/r.`);
    for (const part of ["Not yet, @writer", "f.txt, line 10", "changed 1", "why **this** line?", "<strong>this</strong>"]) expect(email?.raw).toContain(part);
    expect([headerOf(email, "x-github-reason"), headerOf(emails.get("writer"), "x-github-reason")]).toEqual(["author", "mention"]);
    await expectThreaded(email, pull);

    await hearth.review(hearth.writer, pull.path, { event: "APPROVED" });
    const approved = await arrived();
    expect([...approved.keys()].sort()).toEqual(["owner", "reader"]);
    expect(approved.get("owner")?.raw).toContain("writer approved pull request");
    expect(approved.get("reader")?.raw).toContain(`writer hat Pull-Request #${pull.number} in owner/r genehmigt.`);
    expect(headerOf(approved.get("reader"), "x-github-reason")).toBe("comment");
  });

  test("emails users who are requested for a review, also when the pull request is opened", async () => {
    const pull = await opened();
    await hearth.owner.post(`${pull.path}/requested_reviewers`, { reviewers: ["reader"] }).expect(201);
    const requested = await arrived();
    expect([...requested.keys()]).toEqual(["reader"]);
    expect(requested.get("reader")?.raw).toContain("owner hat Ihr Review zu Pull-Request");
    expect(headerOf(requested.get("reader"), "x-github-reason")).toBe("review_requested");
    await expectThreaded(requested.get("reader"), pull);

    await hearth.pull({ reviewers: ["reader"] });
    const first = await arrived();
    expect([...first.keys()].sort()).toEqual(["reader", "writer"]);
    expect(headerOf(first.get("reader"), "x-github-reason")).toBe("review_requested");
    expect(headerOf(first.get("writer"), "x-github-reason")).toBe("subscribed");
  });

  test("emails pushes, merges and closings in the conversation", async () => {
    const pull = await opened();
    await hearth.work.git("w", "checkout", "-q", "-B", pull.branch, pull.head);
    await hearth.push(pull.branch, { "new.txt": "second <b>\n" });
    const pushed = (await arrived()).get("writer");
    expect(pushed?.raw).toContain(`owner pushed to pull request #${pull.number} in owner/r.`);
    const { sha } = (await hearth.owner.get(pull.path).expect(200)).head;
    expect(pushed?.raw).toContain(sha.slice(0, 10));
    expect(pushed?.raw).not.toContain(pull.head.slice(0, 10));
    await expectThreaded(pushed, pull);

    await hearth.owner.post(`${pull.path}/merge`, { Do: "merge" }).expect(200);
    const merged = await arrived();
    expect([...merged.keys()]).toEqual(["writer"]);
    expect(merged.get("writer")?.raw).toContain(`owner merged pull request #${pull.number}`);
    await expectThreaded(merged.get("writer"), pull);

    const other = await opened();
    await hearth.owner.patch(other.path, { state: "closed" }).expect(201);
    expect((await arrived()).get("writer")?.raw).toContain(`owner closed pull request #${other.number}`);
  });

  test("emails about a pull request leave out commits and code for readers of pull requests without access to code", async () => {
    const { owner, forge, reader } = hearth;
    const tester = await forge.createUser("tester");
    await owner.post("/orgs", { username: "acme" }).expect(201);
    await owner.post("/orgs/acme/repos", { name: "app", private: true, auto_init: true }).expect(201);
    const units_map = { "repo.pulls": "read" };
    const team = await owner.post("/orgs/acme/teams", { name: "testers", permission: "read", units_map, includes_all_repositories: true }).expect(201);
    await owner.put(`/teams/${team.id}/members/tester`).expect(204);
    await owner.put("/repos/acme/app/collaborators/reader", { permission: "read" }).expect(204);
    for (const user of [tester, reader]) await user.put("/repos/acme/app/subscription").expect(200);
    const write = (path: string, message: string, more: object) =>
      owner.post(`/repos/acme/app/contents/${path}`, { message, content: Buffer.from(`secret of ${path}\n`).toString("base64"), ...more }).expect(201);
    await write("a.txt", "first", { new_branch: "work" });
    const { number } = await owner.post("/repos/acme/app/pulls", { title: "Work", head: "work", base: "main" }).expect(201);
    await arrived();

    await write("b.txt", "Plan X", { branch: "work" });
    const pushed = await arrived();
    expect(pushed.get("reader")?.raw).toContain("Plan X");
    expect(pushed.get("tester")?.raw).toContain("Work");
    expect(pushed.get("tester")?.raw).not.toContain("Plan X");

    const comments = [{ path: "a.txt", new_position: 1, body: "why?" }];
    await hearth.review(owner, `/repos/acme/app/pulls/${number}`, { event: "COMMENT", body: "", comments });
    const reviewed = await arrived();
    expect(reviewed.get("reader")?.raw).toContain("secret of a.txt");
    expect(reviewed.get("tester")?.raw).toContain("why?");
    expect(reviewed.get("tester")?.raw).not.toContain("secret of");
  });
});
