import { execFile, execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { eachDialect } from "../../../../test/kit/databases.ts";
import { startForge, type TestForge, type TestUser } from "../../../../test/kit/forge.ts";
import { createClient } from "../../../../test/kit/git.ts";
import { push } from "../../../../test/kit/push.ts";
import { type Remote, startRemote } from "../../../../test/kit/remote.ts";
import { encodePkt, flushPkt } from "../../../git/send/pkt-line.ts";

const run = promisify(execFile);
const b64 = (text: string): string => Buffer.from(text).toString("base64");
const root = mkdtempSync(join(tmpdir(), "hearth-elsewhere-"));
const origin = createClient();
const tip = origin.commit({ "README.md": "# Demo\n", "src/a.ts": "export const a = 1;\n" });
origin.git("tag", "-a", "-m", "note", "v1");
origin.git("update-ref", "refs/pull/1/head", tip);
execFileSync("git", ["clone", "-q", "--mirror", origin.path, join(root, "demo.git")]);
afterAll(() => {
  origin.remove();
  rmSync(root, { recursive: true, force: true });
});

eachDialect((dialect) => {
  let forge: TestForge;
  let remote: Remote;
  let alice: TestUser;
  let bob: TestUser;
  beforeAll(async () => {
    forge = await startForge({ dialect, environment: { HEARTH_MIGRATION_ALLOWED_HOSTS: "loopback" } });
    remote = await startRemote({ root });
    alice = await forge.createUser("alice");
    bob = await forge.createUser("bob");
  });
  afterAll(async () => {
    await remote[Symbol.asyncDispose]();
    await forge[Symbol.asyncDispose]();
  });
  const migrate = (user: TestUser, input: object) => user.post("/repos/migrate", { clone_addr: `${remote.url}/demo.git`, ...input });
  const counts = async () => {
    const { sql } = forge.context.db;
    const rows = await Promise.all(
      (["repositories", "refs", "events"] as const).map((table) =>
        sql
          .selectFrom(table)
          .select((eb) => eb.fn.countAll<number>().as("n"))
          .executeTakeFirstOrThrow(),
      ),
    );
    return rows.map(({ n }) => Number(n));
  };

  test("imports a repository with its branches and tags from any git server", async () => {
    const made = await migrate(alice, { repo_name: "came", description: "from elsewhere" }).expect(201);
    expect(made).toMatchObject({
      full_name: "alice/came",
      description: "from elsewhere",
      empty: false,
      mirror: false,
      mirror_interval: "",
      mirror_updated: "0001-01-01T00:00:00Z",
      original_url: `${remote.url}/demo.git`,
      default_branch: "main",
      branch_count: 1,
      has_pull_requests: true,
    });
    expect(await alice.get("/repos/alice/came/branches/main").expect(200)).toMatchObject({ commit: { id: tip } });
    expect(await alice.get("/repos/alice/came/tags").expect(200)).toMatchObject([{ name: "v1" }]);
    const listed = (await run("git", ["ls-remote", `${alice.gitOrigin}/alice/came.git`])).stdout;
    expect(listed).not.toContain("refs/pull");
    await forge.settled();
    expect(await alice.get("/repos/alice/came/languages").expect(200)).toHaveProperty("TypeScript");
  });

  test("imports the wiki from another Gitea-compatible server", async () => {
    await alice.post("/user/repos", { name: "source" }).expect(201);
    await push(origin, alice, "alice/source", "main", "v1");
    await alice.post("/repos/alice/source/wiki/new", { title: "Home", content_base64: b64("# Home") }).expect(201);
    await alice.patch("/repos/alice/source", { private: true }).expect(200);
    const input = { clone_addr: `${forge.url}/alice/source.git`, repo_name: "copy", wiki: true };
    await bob.post("/repos/migrate", input).expect(422);
    await bob.post("/repos/migrate", { ...input, auth_username: "alice", auth_password: alice.token }).expect(201);
    expect(await bob.get("/repos/bob/copy/wiki/page/Home").expect(200)).toMatchObject({ content_base64: b64("# Home") });
    await bob.post("/repos/migrate", { ...input, repo_name: "again", auth_token: alice.token, mirror: true }).expect(201);
    expect(await bob.get("/repos/bob/again").expect(200)).toMatchObject({ mirror: true, original_url: `${forge.url}/alice/source.git` });
    // Credentials of the source are in no readable row and in no file.
    const { sql } = forge.context.db;
    const rows = JSON.stringify([
      await sql.selectFrom("pull_mirrors").selectAll().execute(),
      await sql.selectFrom("repositories").select("original_url").execute(),
      await sql.selectFrom("events").select("payload").execute(),
    ]);
    expect(rows).not.toContain(alice.token);
    expect(JSON.stringify(forge.log)).not.toContain(alice.token);
    for (const file of readdirSync(forge.dataDirectory, { recursive: true, withFileTypes: true })) {
      if (file.isFile() && file.name === "config") expect(readFileSync(join(file.parentPath, file.name), "utf8")).not.toContain("http");
    }
  });

  test("imports Git LFS files that the source has and that match their digests", async () => {
    const [here, missing] = [Buffer.from("large content"), Buffer.from("was never uploaded")];
    const oidOf = (content: Buffer): string => createHash("sha256").update(content).digest("hex");
    const pointer = (content: Buffer): string => `version https://git-lfs.github.com/spec/v1\noid sha256:${oidOf(content)}\nsize ${content.length}\n`;
    const client = createClient();
    try {
      client.commit({ "old.bin": pointer(here), "missing.bin": pointer(missing), "plain.txt": "plain" });
      client.commit({ "old.bin": undefined, "moved/new.bin": pointer(here) });
      await alice.post("/user/repos", { name: "large", private: true }).expect(201);
      await push(client, alice, "alice/large", "main");
    } finally {
      client.remove();
    }
    const authorization = `Basic ${Buffer.from(`alice:${alice.token}`).toString("base64")}`;
    const kept = await fetch(`${forge.url}/alice/large.git/info/lfs/objects/${oidOf(here)}/${here.length}`, {
      method: "PUT",
      headers: { authorization },
      body: new Uint8Array(here),
    });
    expect(kept.status).toBe(200);
    const input = { clone_addr: `${forge.url}/alice/large.git`, auth_username: "alice", auth_password: alice.token };
    await bob.post("/repos/migrate", { ...input, repo_name: "with-files", lfs: true }).expect(201);
    await bob.post("/repos/migrate", { ...input, repo_name: "without" }).expect(201);
    expect((await bob.get("/repos/bob/with-files/media/moved/new.bin")).text).toBe("large content");
    expect((await bob.get("/repos/bob/without/media/moved/new.bin")).text).toBe(pointer(here));
    expect((await bob.get("/repos/bob/with-files/media/missing.bin")).text).toBe(pointer(missing));
    expect(forge.log.filter(({ message }) => message === "large files of a migration did not all come")).toHaveLength(1);
  });

  test("skips Git LFS files with wrong contents or redirects to other hosts", async () => {
    const contents = ["good", "longer", "other", "inside", "local"] as const;
    const oidOf = (content: string): string => createHash("sha256").update(content).digest("hex");
    const pointer = (content: string): string => `version https://git-lfs.github.com/spec/v1\noid sha256:${oidOf(content)}\nsize ${content.length}\n`;
    const client = createClient();
    try {
      client.commit(
        Object.fromEntries([...contents.map((name) => [`${name}.bin`, pointer(name)]), [".lfsconfig", "[lfs]\n\turl = http://169.254.169.254/\n"]]),
      );
      execFileSync("git", ["clone", "-q", "--mirror", client.path, join(root, `ill-${dialect.name}.git`)]);
    } finally {
      client.remove();
    }
    const requested: IncomingMessage["headers"][] = [];
    await using ill = await startRemote({
      root,
      intercept(request, response) {
        const at = `http://${request.headers.host}`;
        const hrefs: Readonly<Record<string, string>> = { inside: "http://169.254.169.254/latest", local: "file:///etc/passwd" };
        if (request.url?.endsWith("/objects/batch")) {
          const header = { Host: "evil.example", "Content-Length": "7", "X-Line": "one\r\nX-Two: two", "no name": "x", Accept: "any" };
          const objects = contents.map((name) => ({ oid: oidOf(name), actions: { download: { href: hrefs[name] ?? `${at}/kept/${name}`, header } } }));
          response.end(JSON.stringify({ objects }));
        } else if (request.url?.startsWith("/kept/")) {
          requested.push(request.headers);
          response.end({ good: "good", longer: "longer than it says", other: "OTHER" }[request.url.slice("/kept/".length)]);
        } else return false;
        return true;
      },
    });
    const input = { clone_addr: `${ill.url}/ill-${dialect.name}.git`, repo_name: "ill-files", lfs: true, lfs_endpoint: "http://169.254.169.254/" };
    await bob.post("/repos/migrate", input).expect(201);
    const shown = await Promise.all(contents.map(async (name) => (await bob.get(`/repos/bob/ill-files/media/${name}.bin`)).text));
    expect(shown).toEqual(contents.map((name) => (name === "good" ? "good" : pointer(name))));
    expect(requested).toHaveLength(3);
    for (const headers of requested) expect(headers).toMatchObject({ host: new URL(ill.url).host, accept: "any", "x-line": "oneX-Two: two" });
  });

  test("imports an empty repository as an empty one", async () => {
    execFileSync("git", ["init", "-q", "--bare", "-b", "trunk", join(root, `empty-${dialect.name}.git`)]);
    const made = await migrate(alice, { clone_addr: `${remote.url}/empty-${dialect.name}.git`, repo_name: "nothing" }).expect(201);
    expect(made).toMatchObject({ empty: true, branch_count: 0 });
  });

  describe("rejected migrations", () => {
    const disallowed = "You can not import from disallowed hosts.";
    const scheme = (host: string) => `migration/cloning from '${host}' is not allowed: the provided url protocol is not allowed`;
    const local = "You are not allowed to import local repositories.";
    test.each([
      ["/etc/passwd", local],
      ["not a url", local],
      ["file:///srv/x.git", local],
      ["--upload-pack=touch /tmp/pwned", local],
      ["ext::sh -c id", scheme("")],
      ["ssh://127.0.0.1/x", scheme("127.0.0.1")],
      ["git@127.0.0.1:x", scheme("")],
      ["git://h:6379/%0d%0aSET", "The provided URL is invalid."],
      ["https://u%0ahost=evil@h/x", "The provided URL is invalid."],
      ["http://169.254.169.254/latest", disallowed],
      ["http://10.0.0.1/x.git", disallowed],
      ["git://192.168.0.1/x.git", disallowed],
    ])("%s", async (clone_addr, message) => {
      const before = await counts();
      expect((await migrate(alice, { clone_addr, repo_name: "nope" })).json).toMatchObject({ message });
      expect(await counts()).toEqual(before);
    });

    test("rejects unknown repositories, missing credentials and servers that are not git servers", async () => {
      const missing = await migrate(alice, { clone_addr: `${remote.url}/none.git`, repo_name: "nope" });
      expect([missing.status, missing.json.message]).toEqual([422, "Migration failed: clone error: repository not found"]);
      await using locked = await startRemote({ root, authorization: "Basic x" });
      const requested = await migrate(alice, { clone_addr: `${locked.url}/demo.git`, repo_name: "nope", auth_password: "hush" });
      expect(requested.status).toBe(422);
      expect(requested.json.message).toMatch(/^Authentication failed: /);
      expect(requested.text).not.toContain("hush");
      const page = await migrate(alice, { clone_addr: `${forge.url}/api/v1/version`, repo_name: "nope" });
      expect([page.status, page.json.message]).toEqual([422, expect.stringMatching(/^Migration failed: clone error: /)]);
    });

    test("rejects callers without permission and invalid names", async () => {
      await forge.anonymous.post("/repos/migrate", { clone_addr: "x", repo_name: "q" }).expect(401);
      expect((await migrate(bob, { repo_name: "q", repo_owner: "alice" })).json).toMatchObject({ message: "Given user is not an organization." });
      expect((await migrate(bob, { repo_name: "q", repo_owner: "nobody" })).status).toBe(422);
      await alice.post("/orgs", { username: `org-${dialect.name}` }).expect(201);
      expect((await migrate(bob, { repo_name: "q", repo_owner: `org-${dialect.name}` })).status).toBe(403);
      await migrate(alice, { repo_name: "q", repo_owner: `org-${dialect.name}` }).expect(201);
      await migrate(forge.admin, { repo_name: "given", uid: bob.id }).expect(201);
      await bob.get("/repos/bob/given").expect(200);
      expect((await migrate(bob, { repo_name: "given" })).status).toBe(409);
      expect((await migrate(bob, { clone_addr: undefined, repo_name: "q" })).json).toMatchObject({ message: "[CloneAddr]: Required" });
      expect((await migrate(bob, { repo_name: "bad name" })).status).toBe(422);
      expect((await migrate(bob, { repo_name: "x.wiki" })).status).toBe(422);
      for (const [mirror_interval, message] of [
        ["soon", 'time: invalid duration "soon"'],
        ["1m", "invalid mirror interval: 1m0s is below minimum interval: 10m0s"],
      ]) {
        expect((await migrate(bob, { repo_name: "q", mirror: true, mirror_interval })).json).toMatchObject({ message });
      }
    });
  });

  test("an interrupted or incomplete pack leaves no remains, and the migration can be retried", async () => {
    const tree = origin.git("rev-parse", `${tip}^{tree}`);
    const packed = (pack: Buffer): Buffer => Buffer.concat([encodePkt("packfile\n"), encodePkt(Buffer.concat([Buffer.from([1]), pack])), flushPkt]);
    const answers: Readonly<Record<string, Buffer>> = {
      "cut off": Buffer.from("000dpackfile\n0010\x01PACK\0\0\0\x02\0\0"),
      // A valid pack, but without the objects that the commit needs.
      "the commit without its files": packed(origin.pack([tip, origin.git("rev-parse", "v1")], [tree])),
      // A valid pack, but without the commit.
      "its files without the commit": packed(origin.pack([tree])),
    };
    let answer: Buffer | undefined;
    let questions = 0;
    await using broken = await startRemote({
      root,
      intercept(request, response) {
        if (answer === undefined || request.method !== "POST") return false;
        questions += 1;
        // The first request is for the refs.
        if (questions % 2 === 1) return false;
        request.resume();
        response.writeHead(200, { "content-type": "application/x-git-upload-pack-result" });
        if (answer.subarray(-4).equals(flushPkt)) response.end(answer);
        else response.write(answer, () => response.destroy());
        return true;
      },
    });
    const input = { clone_addr: `${broken.url}/demo.git`, repo_name: "retried" };
    const before = await counts();
    for (const [what, sent] of Object.entries(answers)) {
      answer = sent;
      const { status, json } = await migrate(alice, input);
      expect([what, status, json.message]).toEqual([what, 422, expect.stringMatching(/^Migration failed: clone error: /)]);
      expect([what, await counts()]).toEqual([what, before]);
      const stores = readdirSync(join(forge.dataDirectory, "repositories"), { recursive: true, encoding: "utf8" });
      expect([what, stores.filter((path) => path.includes("tmp_objdir"))]).toEqual([what, []]);
    }
    answer = undefined;
    await migrate(alice, input).expect(201);
  });

  /** Starts a server that holds back packs until it is released. */
  const startHolding = async () => {
    const { promise: requested, resolve: ask } = Promise.withResolvers<void>();
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const hold = async (request: IncomingMessage): Promise<void> => {
      if (request.method !== "POST") return;
      ask();
      await released;
    };
    return { held: await startRemote({ root, hold }), requested, release };
  };

  test("users can view and cancel their running migrations", async () => {
    const { held, requested } = await startHolding();
    await using slow = held;
    const before = await counts();
    const input = { clone_addr: `${slow.url.replace("//", "//u:hush@")}/demo.git`, repo_name: "slow" };
    const call = migrate(alice, input);
    const ended = call.then(({ status, text }) => [status, text]);
    await requested;
    const [running] = await alice.get("/user/migrations").expect(200);
    expect(running).toMatchObject({
      full_name: "alice/slow",
      clone_addr: `${slow.url}/demo.git`,
      status: "running",
      phase: "code",
      received: 0,
      ended_at: null,
    });
    expect(await alice.get(`/user/migrations/${running.id}`).expect(200)).toEqual(running);
    expect((await migrate(alice, { ...input, repo_name: "SLOW" })).json).toMatchObject({ message: "a migration to alice/SLOW is under way" });
    expect(await bob.get("/user/migrations").expect(200)).not.toEqual(expect.arrayContaining([expect.objectContaining({ id: running.id })]));
    await bob.get(`/user/migrations/${running.id}`).expect(404);
    await bob.delete(`/user/migrations/${running.id}`).expect(404);
    await forge.anonymous.get("/user/migrations").expect(401);
    await alice.delete(`/user/migrations/${running.id}`).expect(204);
    expect(await ended).toEqual([409, expect.stringContaining("the migration was cancelled")]);
    expect(await counts()).toEqual(before);
    expect(await alice.get(`/user/migrations/${running.id}`).expect(200)).toMatchObject({ status: "cancelled", ended_at: expect.any(String) });
    await alice.delete(`/user/migrations/${running.id}`).expect(404);
    const rows = JSON.stringify(await forge.context.db.sql.selectFrom("repo_migrations").selectAll().execute());
    expect(rows).not.toContain("hush");
  });

  test("a migration continues without the caller, who can look up its result", async () => {
    const { held, requested, release } = await startHolding();
    await using slow = held;
    const leaving = new AbortController();
    const call = fetch(`${forge.url}/api/v1/repos/migrate`, {
      method: "POST",
      headers: { authorization: `token ${alice.token}`, "content-type": "application/json" },
      body: JSON.stringify({ clone_addr: `${slow.url}/demo.git`, repo_name: "left" }),
      signal: leaving.signal,
    });
    await requested;
    leaving.abort();
    await expect(call).rejects.toThrow();
    await alice.get("/repos/alice/left").expect(404);
    release();
    const status = async () => (await alice.get("/user/migrations?limit=1").expect(200))[0];
    await expect.poll(status, { timeout: 60_000 }).toMatchObject({ full_name: "alice/left", status: "done", message: "" });
    expect(await alice.get("/repos/alice/left").expect(200)).toMatchObject({ empty: false });
    expect((await migrate(alice, { clone_addr: `${slow.url}/none.git`, repo_name: "none" })).status).toBe(422);
    expect(await status()).toMatchObject({ full_name: "alice/none", status: "failed", message: "Migration failed: clone error: repository not found" });
    // The account, the total, and one page.
    expect((await forge.cost(() => alice.get("/user/migrations").expect(200))).statements).toHaveLength(3);
  });

  test("a migration fails if its user was deactivated in the meantime", async () => {
    const { held, requested, release } = await startHolding();
    await using slow = held;
    const carol = await forge.createUser("carol");
    const ended = migrate(carol, { clone_addr: `${slow.url}/demo.git`, repo_name: "late" }).then(({ status }) => status);
    await requested;
    await forge.admin.delete("/admin/users/carol").expect(204);
    release();
    expect(await ended).toBe(404);
    await forge.settled();
    expect(await forge.context.db.sql.selectFrom("repositories").select("id").where("name", "=", "late").execute()).toEqual([]);
  });
});
