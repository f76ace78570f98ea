import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createApiClient } from "../../../../test/kit/api-client.ts";
import { createBrowser } from "../../../../test/kit/browser.ts";
import { createTestClock } from "../../../../test/kit/clock.ts";
import { eachDialect } from "../../../../test/kit/databases.ts";
import { eventsOf } from "../../../../test/kit/events.ts";
import { startForge, type TestForge, type TestUser } from "../../../../test/kit/forge.ts";
import { openArchive } from "../../../app/portability/archive.ts";

type Json = Record<string, unknown>;

const basicOf = ({ name, password }: TestUser): string => `Basic ${Buffer.from(`${name}:${password}`).toString("base64")}`;

const page = "/user/settings/data";

eachDialect((dialect) => {
  const clock = createTestClock(Date.parse("2026-05-01T12:00:00Z"));
  let forge: TestForge;
  let alice: TestUser;
  let folder: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "hearth-own-data-"));
    forge = await startForge({ dialect, clock, environment: { HEARTH_GIT_MAX_TRANSFERS: "8" } });
    alice = await forge.createUser("alice");
    const bob = await forge.createUser("bob");
    await alice.post("/user/repos", { name: "garden", auto_init: true, private: true }).expect(201);
    await alice.post("/repos/alice/garden/issues", { title: "Dry soil", body: "Water it" }).expect(201);
    for (const [name, isPrivate] of [
      ["open", false],
      ["closed", true],
    ] as const) {
      await bob.post("/user/repos", { name, auto_init: true, private: isPrivate }).expect(201);
      await bob.put(`/repos/bob/${name}/collaborators/alice`, { permission: "read" }).expect(204);
      await alice.post(`/repos/bob/${name}/issues`, { title: `In ${name}` }).expect(201);
      await alice.post(`/repos/bob/${name}/issues/1/comments`, { body: `Comment in ${name}` }).expect(201);
      await bob.post(`/repos/bob/${name}/issues/1/comments`, { body: "Of another user" }).expect(201);
    }
    const browser = createBrowser(forge.url);
    await browser.signIn(alice);
    for (const name of ["open", "closed"]) {
      const [commit] = await alice.get(`/repos/bob/${name}/commits`).expect(200);
      await browser.submit(await browser.get(`/bob/${name}/commit/${commit.sha}`), `/bob/${name}/commit_comments`, { content: `Commit in ${name}` });
    }
    const menu = (await browser.get("/bob/open")).form("/bob/open/watch");
    await browser.post("/bob/open/watch", { ...menu, level: "custom", kinds: "releases" });
    await bob.post("/user/repos", { name: "noisy" }).expect(201);
    await browser.post("/bob/noisy/watch", { ...menu, level: "ignored" });
    await bob.delete("/repos/bob/closed/collaborators/alice").expect(204);
    await forge.settled();
  });
  afterAll(async () => {
    await forge?.[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  });

  const makeLink = async (user = alice): Promise<string> => {
    const { url } = await user.post<{ url: string }>("/user/data/links", {}).expect(201);
    return url;
  };
  const download = (url: string, user = alice, method = "GET"): Promise<Response> => fetch(url, { method, headers: { authorization: `token ${user.token}` } });
  const extract = async (answer: Response, name: string): Promise<string> => {
    const target = mkdtempSync(join(folder, name));
    writeFileSync(join(target, "data.tar"), Buffer.from(await answer.arrayBuffer()));
    execFileSync("tar", ["-xf", "data.tar"], { cwd: target });
    return target;
  };
  const lines = (path: string): Json[] =>
    readFileSync(path, "utf8")
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line));
  const auditOf = async (): Promise<number> => (await eventsOf(forge, { type: "account.data_downloaded" })).length;

  test("the data of a user has their profile, their texts in all repositories and their own repositories, without secrets", async () => {
    const answer = await download(await makeLink());
    expect([answer.status, answer.headers.get("content-type"), answer.headers.get("cache-control")]).toEqual([200, "application/x-tar", "no-store"]);
    expect(answer.headers.get("content-disposition")).toContain("alice-data.tar");
    const target = await extract(answer, "whole");
    expect(readdirSync(target).sort()).toEqual(
      [
        ...[
          "access_tokens.jsonl",
          "account.json",
          "comments.jsonl",
          "commit_comments.jsonl",
          "data.tar",
          "emails.jsonl",
          "following.jsonl",
          "gpg_keys.jsonl",
          "hearth-account.json",
        ],
        ...[
          "ignored_repositories.jsonl",
          "issues.jsonl",
          "organizations.jsonl",
          "repositories",
          "ssh_keys.jsonl",
          "ssh_principals.jsonl",
          "stars.jsonl",
          "watches.jsonl",
        ],
      ].sort(),
    );
    expect(lines(join(target, "account.json"))).toMatchObject([{ login: "alice", email: "alice@example.com" }]);
    expect(lines(join(target, "access_tokens.jsonl"))[0]).toMatchObject({ scopes: ["all"] });
    // A repository that she can no longer read has no name.
    expect(lines(join(target, "issues.jsonl")).map(({ repository, title }) => [repository, title])).toEqual([
      ["alice/garden", "Dry soil"],
      ["bob/open", "In open"],
      [null, "In closed"],
    ]);
    expect(lines(join(target, "comments.jsonl")).map(({ repository, body }) => [repository, body])).toEqual([
      ["bob/open", "Comment in open"],
      [null, "Comment in closed"],
    ]);
    expect(lines(join(target, "commit_comments.jsonl")).map(({ repository, body }) => [repository, body])).toEqual([
      ["bob/open", "Commit in open"],
      [null, "Commit in closed"],
    ]);
    expect(lines(join(target, "watches.jsonl")).map(({ created_at, ...row }) => [typeof created_at, row])).toEqual([
      ["string", { repository: "alice/garden", issues: true, pull_requests: true, releases: true }],
      ["string", { repository: "bob/open", issues: false, pull_requests: false, releases: true }],
    ]);
    expect(lines(join(target, "ignored_repositories.jsonl"))).toMatchObject([{ repository: "bob/noisy" }]);
    expect(readdirSync(join(target, "repositories"))).toEqual(["garden"]);
    expect((await openArchive(join(target, "repositories/garden"))).repository).toEqual({ owner: "alice", name: "garden" });
    const bytes = readFileSync(join(target, "data.tar")).toString("latin1");
    const { password_hash: hash } = await forge.context.db.sql
      .selectFrom("accounts")
      .select("password_hash")
      .where("name", "=", "alice")
      .executeTakeFirstOrThrow();
    for (const secret of [alice.token, hash, "token_hash"]) expect(bytes.includes(secret)).toBe(false);
  });

  test("a download of own data needs a link that is valid once, for 15 minutes and for its account, and each download is in the audit log", async () => {
    const before = await auditOf();
    const bob = await forge.createUser("eve");
    const link = await makeLink();
    expect((await download(link, bob)).status).toBe(400);
    const first = await download(link);
    expect(first.status).toBe(200);
    await first.arrayBuffer();
    const again = await download(link);
    expect([again.status, ((await again.json()) as Json).message]).toEqual([400, expect.stringContaining("no longer valid")]);
    const replaced = await makeLink();
    const late = await makeLink();
    expect((await download(replaced)).status).toBe(400);
    clock.advance(15 * 60_000);
    expect((await download(late)).status).toBe(400);
    expect(await auditOf()).toBe(before + 1);
  });

  test("own data can be downloaded from the settings, and a HEAD request does not use up the link", async () => {
    const browser = createBrowser(forge.url);
    await browser.signIn(alice);
    const shown = await browser.submit(await browser.get(page), page);
    const [, href = ""] = /href="(\/user\/settings\/data\/download\?code=[^"]+)"/.exec(shown.text) ?? [];
    const { cookie } = browser;
    expect((await fetch(new URL(href, forge.url), { method: "HEAD", headers: { cookie } })).status).toBe(405);
    const answer = await fetch(new URL(href, forge.url), { headers: { cookie } });
    expect(readdirSync(join(await extract(answer, "page"), "repositories"))).toEqual(["garden"]);
    const used = await browser.get(href);
    expect([used.status, used.text]).toEqual([400, expect.stringContaining("Create a new one in your settings.")]);
  });

  test("a link for own data needs a credential that can read all of it", async () => {
    const narrow = await createApiClient(forge.url, basicOf(alice))
      .post<{ sha1: string }>("/users/alice/tokens", { name: "narrow", scopes: ["write:user"] })
      .expect(201);
    const { status, json } = await createApiClient(forge.url, `token ${narrow.sha1}`).post<Json>("/user/data/links", {});
    expect([status, json?.message]).toEqual([403, expect.stringContaining("read:repository")]);
  });

  test("own data is sent once at a time, and a refusal because of load does not use up the link", async () => {
    const { bulkLane } = forge.context;
    const places = await Promise.all(Array.from({ length: 7 }, () => bulkLane.enter({ kind: "automated", key: "other" })));
    const link = await makeLink();
    const first = download(link);
    await expect.poll(() => bulkLane.counts("automated").waiting).toBe(1);
    const second = await download(link);
    expect([second.status, second.headers.get("retry-after")]).toEqual([429, "60"]);
    for (const place of places) place.leave();
    expect((await first).status).toBe(200);
    await (await first).arrayBuffer();
  });
});
