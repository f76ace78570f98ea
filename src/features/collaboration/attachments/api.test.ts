import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { differences } from "../../../../test/kit/contract.ts";
import { eachDialect } from "../../../../test/kit/databases.ts";
import { eventsOf } from "../../../../test/kit/events.ts";
import { startForge, type TestForge, type TestUser } from "../../../../test/kit/forge.ts";
import { pruneUploads } from "./service/uploads.ts";

const png = Buffer.from("89504e470d0a1a0a0000000d49484452", "hex");

/** Builds a multipart form with a file, as browsers send it. */
function formOf(name: string, content: string | Uint8Array, field = "attachment"): { readonly body: Uint8Array; readonly headers: Record<string, string> } {
  const head = `--form\r\nContent-Disposition: form-data; name="${field}"; filename="${name}"\r\nContent-Type: text/plain\r\n\r\n`;
  return {
    body: Buffer.concat([Buffer.from(head), Buffer.from(content), Buffer.from("\r\n--form--\r\n")]),
    headers: { "content-type": "multipart/form-data; boundary=form" },
  };
}

eachDialect((dialect) => {
  let forge: TestForge;
  let alice: TestUser;
  let bob: TestUser;
  let carol: TestUser;
  let repoId: number;
  beforeAll(async () => {
    forge = await startForge({ dialect, environment: { HEARTH_ATTACHMENTS_MAX_BYTES: "100000" } });
    [alice, bob, carol] = [await forge.createUser("alice"), await forge.createUser("bob"), await forge.createUser("carol")];
    repoId = (await alice.post("/user/repos", { name: "demo" }).expect(201)).id;
    await alice.put("/repos/alice/demo/collaborators/bob", { permission: "write" }).expect(204);
  });
  afterAll(() => forge[Symbol.asyncDispose]());

  const makeIssue = async (poster: TestUser, repo = "demo"): Promise<number> =>
    (await poster.post(`/repos/alice/${repo}/issues`, { title: "about a file" }).expect(201)).number;
  const makeComment = async (poster: TestUser, number: number, repo = "demo"): Promise<number> =>
    (await poster.post(`/repos/alice/${repo}/issues/${number}/comments`, { body: "see the file" }).expect(201)).id;
  const ofIssue = (number: number, repo = "demo") => `/repos/alice/${repo}/issues/${number}/assets`;
  const ofComment = (id: number, repo = "demo") => `/repos/alice/${repo}/issues/comments/${id}/assets`;
  const upload = (user: TestUser, path: string, name: string, content: string | Uint8Array) => {
    const { body, headers } = formOf(name, content);
    return user.post(path, body, headers);
  };
  const files = async (): Promise<string[]> => {
    const found = await readdir(join(forge.dataDirectory, "files"), { recursive: true }).catch(() => []);
    return found.filter((path) => path.includes("/")).map((path) => join(forge.dataDirectory, "files", path));
  };
  const events = async (type: string): Promise<unknown[]> => (await eventsOf(forge, { type })).map(({ payload }) => payload);
  const lock = (number: number): Promise<unknown> =>
    forge.context.db.tx((tx) => tx.sql.updateTable("issues").set({ is_locked: 1 }).where("repo_id", "=", repoId).where("number", "=", number).execute());
  const download = (user: Pick<TestUser, "get">, uuid: string, headers: Record<string, string> = {}) => user.get(`//attachments/${uuid}`, headers);

  test("uploads, shows, renames, downloads and deletes files of an issue", async () => {
    const number = await makeIssue(carol);
    const path = ofIssue(number);
    const made = await upload(carol, path, "note.txt", "hello note\n").expect(201);
    expect(differences(made, "Attachment")).toEqual([]);
    expect(made).toEqual({
      id: made.id,
      name: "note.txt",
      size: 11,
      download_count: 0,
      created_at: made.created_at,
      uuid: expect.stringMatching(/^[0-9a-f-]{36}$/),
      browser_download_url: `${forge.url}/attachments/${made.uuid}`,
    });
    const other = await upload(bob, `${path}?name=renamed.txt`, "x.exe", "hello\n").expect(201);
    expect(other).toMatchObject({ name: "renamed.txt", size: 6 });
    expect(await forge.anonymous.get(path).expect(200)).toEqual([made, other]);
    expect(await forge.anonymous.get(`${path}/${made.id}`).expect(200)).toEqual(made);
    expect(await alice.get(`/repos/alice/demo/issues/${number}`).expect(200)).toMatchObject({ assets: [made, other], content_version: 2 });
    await carol.patch(`/repos/alice/demo/issues/${number}`, { body: "from before the files", content_version: 0 }).expect(409);
    await carol.patch(`/repos/alice/demo/issues/${number}`, { body: "with the files", content_version: 2 }).expect(201);
    const texts = await forge.context.db.sql.selectFrom("content_history").select("content").where("comment_id", "is", null).orderBy("id").execute();
    expect(texts.map(({ content }) => content)).toEqual(["", "with the files"]);
    expect(await carol.patch(`${path}/${made.id}`, { name: "better.txt" }).expect(201)).toEqual({ ...made, name: "better.txt" });
    expect(await carol.patch(`${path}/${made.id}`, {}).expect(201)).toMatchObject({ name: "better.txt" });

    const got = await download(forge.anonymous, made.uuid);
    expect([got.status, got.text]).toEqual([200, "hello note\n"]);
    expect(await alice.get(`${path}/${made.id}`).expect(200)).toMatchObject({ download_count: 1 });

    const before = await files();
    await carol.delete(`${path}/${made.id}`).expect(204);
    await carol.delete(`${path}/${made.id}`).expect(404);
    // The sweep deletes it later.
    expect(await files()).toEqual(before);
    expect((await download(alice, made.uuid)).status).toBe(404);
    const payload = { repoId, issueId: expect.any(Number), commentId: null, releaseId: null, attachmentId: made.id, name: "better.txt" };
    expect(await events("attachment.created")).toContainEqual({ ...payload, name: "note.txt" });
    expect(await events("attachment.renamed")).toContainEqual({ ...payload, formerName: "note.txt" });
    expect(await events("attachment.deleted")).toContainEqual(payload);
  });

  test("keeps files of a comment separate from those of its issue", async () => {
    const number = await makeIssue(alice);
    const id = await makeComment(carol, number);
    const path = ofComment(id);
    expect(await alice.get(path).expect(200)).toEqual([]);
    const made = await upload(carol, path, "c.txt", "in comment\n").expect(201);
    expect(await forge.anonymous.get(path).expect(200)).toEqual([made]);
    expect(await forge.anonymous.get(`${path}/${made.id}`).expect(200)).toEqual(made);
    expect((await alice.get(`/repos/alice/demo/issues/comments/${id}`).expect(200)).assets).toEqual([made]);
    expect(await alice.get(ofIssue(number)).expect(200)).toEqual([]);
    await alice.get(`${ofIssue(number)}/${made.id}`).expect(404);
    expect(await bob.patch(`${path}/${made.id}`, { name: "d.txt" }).expect(201)).toMatchObject({ name: "d.txt" });
    expect((await download(forge.anonymous, made.uuid)).text).toBe("in comment\n");
    await bob.delete(`${path}/${made.id}`).expect(204);
    for (const missing of [`${path}/${made.id}`, ofComment(999_999), `${path}/x`]) {
      const answer = await alice.get(missing);
      expect([answer.status, answer.json]).toEqual([404, null]);
    }
  });

  test("attaches a pending upload to the first text of its uploader that references it, and hides it from others until then", async () => {
    const waiting = "/repos/alice/demo/issues/assets";
    const { uuid, browser_download_url: url } = await upload(carol, waiting, "shot.png", png).expect(201);
    const lost = await upload(carol, waiting, "lost.txt", "never sent").expect(201);
    const before = (await events("attachment.created")).length;
    expect((await download(carol, uuid)).status).toBe(200);
    for (const other of [alice, forge.anonymous]) expect((await download(other, uuid)).status).toBe(404);
    // A text of another user or in another repository does not claim the file.
    const number = await makeIssue(alice);
    await bob.post(`/repos/alice/demo/issues/${number}/comments`, { body: `![](${url})` }).expect(201);
    await carol.post("/user/repos", { name: "own" }).expect(201);
    await carol.post("/repos/carol/own/issues", { title: "mine", body: url }).expect(201);
    expect((await download(alice, uuid)).status).toBe(404);
    const { id } = await carol.post(`/repos/alice/demo/issues/${number}/comments`, { body: `Look: ![shot](/attachments/${uuid})` }).expect(201);
    expect(await carol.get(ofComment(id)).expect(200)).toMatchObject([{ name: "shot.png", uuid }]);
    expect((await events("attachment.created")).slice(before)).toMatchObject([{ commentId: id, name: "shot.png", releaseId: null }]);
    expect((await download(alice, uuid)).status).toBe(200);
    const { uuid: second } = await upload(carol, waiting, "log.txt", "lines").expect(201);
    const opened = await carol.post("/repos/alice/demo/issues", { title: "with a log", body: `[log](/attachments/${second})` }).expect(201);
    expect(await alice.get(ofIssue(opened.number)).expect(200)).toMatchObject([{ name: "log.txt" }]);
    const { body, headers } = formOf("x.txt", "x");
    await forge.anonymous.post(waiting, body, headers).expect(401);
    const { db } = forge.context;
    const clock = (daysAhead: number) => ({ now: () => Date.now() + daysAhead * 86_400_000 });
    await pruneUploads({ db, clock: clock(29) });
    expect((await download(carol, lost.uuid)).status).toBe(200);
    await pruneUploads({ db, clock: clock(31) });
    expect((await download(carol, lost.uuid)).status).toBe(404);
    expect((await download(alice, second)).status).toBe(200);
  });

  test("serves attachments unchanged, whole or in ranges, and never as a page", async () => {
    const path = ofIssue(await makeIssue(alice));
    const policy = "default-src 'none'; style-src 'unsafe-inline'; sandbox";
    const sent = async (name: string, content: string | Uint8Array) => {
      const { uuid } = await upload(alice, path, name, content).expect(201);
      return download(forge.anonymous, uuid);
    };
    const page = await sent("page.svg", "<svg onload='alert(1)'/>");
    expect([page.headers.get("content-type"), page.headers.get("content-disposition"), page.headers.get("content-security-policy")]).toEqual([
      "text/plain; charset=utf-8",
      "inline; filename=page.svg",
      policy,
    ]);
    expect(page.headers.get("x-content-type-options")).toBe("nosniff");
    expect((await sent("shown.txt", png)).headers.get("content-type")).toBe("image/png");
    const saved = await sent("data é.zip", Buffer.from([1, 2, 3]));
    expect([saved.headers.get("content-type"), saved.headers.get("content-disposition")]).toEqual([
      "application/octet-stream",
      expect.stringMatching(/^attachment; filename=/),
    ]);
    const empty = await sent("empty.txt", "");
    expect([empty.status, empty.text, empty.headers.get("content-length")]).toEqual([200, "", "0"]);

    const { uuid, id } = await upload(alice, path, "long.txt", "0123456789").expect(201);
    const part = await download(alice, uuid, { range: "bytes=2-4" });
    expect([part.status, part.text, part.headers.get("content-range")]).toEqual([206, "234", "bytes 2-4/10"]);
    expect((await download(alice, uuid, { range: "bytes=-3" })).text).toBe("789");
    expect((await download(alice, uuid, { range: "bytes=10-" })).status).toBe(416);
    expect((await download(alice, uuid, { "if-none-match": `"${uuid}"` })).status).toBe(304);
    const head = await fetch(`${forge.url}/attachments/${uuid}`, { method: "HEAD" });
    expect([head.status, head.headers.get("content-length"), await head.text()]).toEqual([200, "10", ""]);
    expect(await alice.get(`${path}/${id}`).expect(200)).toMatchObject({ download_count: 0 });
    expect((await download(alice, uuid, { range: "bytes=0-1" })).status).toBe(206);
    expect(await alice.get(`${path}/${id}`).expect(200)).toMatchObject({ download_count: 1 });
    expect([(await download(alice, uuid)).headers.get("cache-control"), (await download(forge.anonymous, uuid)).headers.get("cache-control")]).toEqual([
      expect.stringMatching(/^private/),
      expect.stringMatching(/^public/),
    ]);
  });

  describe("attachment access", () => {
    test("rejects changes by users who cannot edit the parent", async () => {
      const number = await makeIssue(alice);
      const id = await makeComment(alice, number);
      const cases = [
        [ofIssue(number), "user should have permission to write issue"],
        [ofComment(id), "user should have permission to edit comment"],
      ] as const;
      for (const [path, message] of cases) {
        const made = await upload(alice, path, "a.txt", "a").expect(201);
        const before = await files();
        expect((await upload(carol, path, "c.txt", "c").expect(403)).message).toBe(message);
        expect((await carol.patch(`${path}/${made.id}`, { name: "evil.txt" }).expect(403)).message).toBe(message);
        expect((await carol.delete(`${path}/${made.id}`).expect(403)).message).toBe(message);
        const { body, headers } = formOf("c.txt", "c");
        await forge.anonymous.post(path, body, headers).expect(401);
        expect(await alice.get(path).expect(200)).toEqual([made]);
        expect(await files()).toEqual(before);
      }
      const own = await makeIssue(carol);
      await upload(carol, ofIssue(own), "own.txt", "x").expect(201);
      await lock(own);
      await upload(carol, ofIssue(own), "locked.txt", "x").expect(403);
      await upload(bob, ofIssue(own), "writer.txt", "x").expect(201);
      await alice.put("/user/blocks/carol").expect(204);
      const blocked = await makeIssue(bob);
      await upload(carol, ofIssue(blocked), "x.txt", "x").expect(403);
      await alice.delete("/user/blocks/carol").expect(204);
    });

    test("returns 404 to users who cannot see the parent, and for ids of other parents", async () => {
      await alice.post("/user/repos", { name: "closed", private: true }).expect(201);
      const number = await makeIssue(alice, "closed");
      const made = await upload(alice, ofIssue(number, "closed"), "secret.txt", "secret").expect(201);
      const missing = await download(bob, "00000000-0000-4000-8000-000000000000");
      for (const user of [bob, forge.anonymous]) {
        const hidden = await download(user, made.uuid);
        expect([hidden.status, hidden.text]).toEqual([404, missing.text]);
      }
      expect((await download(alice, made.uuid)).text).toBe("secret");
      await bob.get(ofIssue(number, "closed")).expect(404);
      const here = await makeIssue(alice);
      const wrong = await alice.get(`${ofIssue(here)}/${made.id}`);
      expect([wrong.status, wrong.text]).toEqual([404, (await alice.get(`${ofIssue(here)}/999999`)).text]);
      await alice.patch(`${ofIssue(here)}/${made.id}`, { name: "moved.txt" }).expect(404);
      await alice.delete(`${ofIssue(here)}/${made.id}`).expect(404);
      for (const uuid of ["x", "..%2f..%2fetc%2fpasswd"]) expect((await download(alice, uuid)).status).toBe(404);
      await alice.patch("/repos/alice/closed", { has_issues: false }).expect(200);
      expect((await download(alice, made.uuid)).status).toBe(404);
    });

    test("lists no files of a timeline entry that is not a comment", async () => {
      const number = await makeIssue(alice);
      await alice.put(`/repos/alice/demo/issues/${number}/lock`, {}).expect(204);
      const [event] = await alice.get(`/repos/alice/demo/issues/${number}/timeline`).expect(200);
      expect(await forge.anonymous.get(ofComment(event.id)).expect(200)).toEqual([]);
      const refused = await upload(alice, ofComment(event.id), "a.txt", "a");
      expect([refused.status, refused.json]).toEqual([404, null]);
      await alice.get(ofComment(999999)).expect(404);
    });

    test("rejects changes in archived repositories", async () => {
      await alice.post("/user/repos", { name: "old" }).expect(201);
      const number = await makeIssue(alice, "old");
      const made = await upload(alice, ofIssue(number, "old"), "a.txt", "a").expect(201);
      await alice.patch("/repos/alice/old", { archived: true }).expect(200);
      await upload(alice, ofIssue(number, "old"), "b.txt", "b").expect(423);
      await alice.patch(`${ofIssue(number, "old")}/${made.id}`, { name: "b.txt" }).expect(423);
      await alice.delete(`${ofIssue(number, "old")}/${made.id}`).expect(423);
      expect((await download(forge.anonymous, made.uuid)).text).toBe("a");
    });
  });

  test("rejects invalid uploads and keeps nothing of them", async () => {
    const path = ofIssue(await makeIssue(alice));
    const before = await files();
    const refused = "This file cannot be uploaded or modified due to a forbidden file extension or type.";
    expect((await upload(alice, path, "evil.exe", "MZ").expect(422)).message).toBe(refused);
    expect((await upload(alice, `${path}?name=a%2Fb.txt`, "a.txt", "x").expect(422)).message).toMatch(/name/);
    await upload(alice, path, "big.txt", "x".repeat(100_001)).expect(413);
    await upload(alice, path, "big.txt", "x".repeat(3_000_000)).expect(413);
    const wrong = formOf("x.txt", "x", "wrong");
    expect((await alice.post(path, wrong.body, wrong.headers).expect(400)).message).toMatch(/attachment/);
    await alice.post(path, { attachment: "x" }).expect(400);
    await alice.post(path, formOf("x.txt", "x").body.subarray(0, 90), wrong.headers).expect(400);
    const alone = { "content-type": "application/octet-stream" };
    expect((await alice.post(path, "x", alone).expect(400)).message).toBe("Could not determine name of attachment.");
    expect(await alice.get(path).expect(200)).toEqual([]);
    expect(await files()).toEqual(before);

    expect(await alice.post(`${path}?name=alone.txt`, "x", alone).expect(201)).toMatchObject({ name: "alone.txt", size: 1 });
    const [{ id }] = await alice.get(path).expect(200);
    expect((await alice.patch(`${path}/${id}`, { name: "evil.exe" }).expect(422)).message).toBe(refused);
  });

  test("lists any number of files at the same cost without starting a process", async () => {
    const path = ofIssue(await makeIssue(alice));
    await upload(alice, path, "1.txt", "1").expect(201);
    const one = await forge.cost(() => alice.get(path).expect(200));
    for (const name of ["2.txt", "3.txt"]) await upload(alice, path, name, name).expect(201);
    const three = await forge.cost(() => alice.get(path).expect(200));
    expect([three.statements.length, three.processes]).toEqual([one.statements.length, 0]);
    expect(one.statements.length).toBeLessThanOrEqual(5);
  });
});
