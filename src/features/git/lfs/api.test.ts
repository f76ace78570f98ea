import { createHash, generateKeyPairSync, randomBytes } from "node:crypto";
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { eachDialect } from "../../../../test/kit/databases.ts";
import { eventsOf } from "../../../../test/kit/events.ts";
import { startForge, type TestForge, type TestUser } from "../../../../test/kit/forge.ts";
import { makeLfsToken } from "./service/token.ts";

const type = "application/vnd.git-lfs+json";
const oidOf = (content: string | Buffer): string => createHash("sha256").update(content).digest("hex");
const missing = "f".repeat(64);

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: what a foreign protocol answers
  readonly json: any;
}

eachDialect((dialect) => {
  let forge: TestForge;
  let alice: TestUser;
  let bob: TestUser;
  let now = Date.now();
  const basic = (user: TestUser, secret = user.token): string => `Basic ${Buffer.from(`${user.name}:${secret}`).toString("base64")}`;
  const base = (repository: string): string => `${forge.url}/${repository}.git/info/lfs`;

  async function call(
    method: string,
    url: string,
    authorization?: string,
    body?: object | string | Buffer,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const isJson = body !== undefined && typeof body === "object" && !Buffer.isBuffer(body);
    const response = await fetch(url, {
      method,
      headers: { ...(authorization && { authorization }), ...(isJson && { "content-type": type, accept: type }), ...headers },
      ...(body !== undefined && { body: isJson ? JSON.stringify(body) : (body as string) }),
    });
    const text = await response.text();
    const isLfs = response.headers.get("content-type") === type;
    return { status: response.status, headers: response.headers, text, json: isLfs ? JSON.parse(text) : undefined };
  }
  const batch = (repository: string, operation: string, objects: readonly object[], authorization?: string): Promise<Answer> =>
    call("POST", `${base(repository)}/objects/batch`, authorization, { operation, objects });
  const put = (repository: string, content: string | Buffer, authorization: string, oid = oidOf(content), size = content.length): Promise<Answer> =>
    call("PUT", `${base(repository)}/objects/${oid}/${size}`, authorization, content);

  beforeAll(async () => {
    forge = await startForge({ dialect, clock: { now: () => now }, environment: { HEARTH_LFS_MAX_OBJECT_BYTES: "1000000" } });
    [alice, bob] = [await forge.createUser("alice"), await forge.createUser("bob")];
    for (const body of [{ name: "open" }, { name: "hidden", private: true }]) await alice.post("/user/repos", body).expect(201);
  });
  afterAll(() => forge[Symbol.asyncDispose]());

  const kept = (): number => {
    const root = join(forge.dataDirectory, "files");
    return existsSync(root) ? readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).length : 0;
  };

  describe("LFS objects", () => {
    test("are uploaded, verified and downloaded as the batch response says", async () => {
      const content = "abc";
      const oid = oidOf(content);
      const authorization = basic(alice);
      const requested = await batch("alice/open", "upload", [{ oid, size: 3 }], authorization);
      expect(requested).toMatchObject({ status: 200, json: { objects: [{ oid, size: 3 }] } });
      expect(requested.json.objects[0].actions).toEqual({
        upload: { href: `${base("alice/open")}/objects/${oid}/3`, header: { Authorization: authorization, "Transfer-Encoding": "chunked" } },
        verify: { href: `${base("alice/open")}/verify`, header: { Accept: type, Authorization: authorization } },
      });
      expect(await call("POST", `${base("alice/open")}/verify`, authorization, { oid, size: 3 })).toMatchObject({
        status: 404,
        json: { Message: "Not Found" },
      });
      expect(await put("alice/open", content, authorization)).toMatchObject({ status: 200, json: { Message: "OK" } });
      expect(await call("POST", `${base("alice/open")}/verify`, authorization, { oid, size: 3 })).toMatchObject({ status: 200, json: { Message: "OK" } });
      expect((await call("POST", `${base("alice/open")}/verify`, authorization, { oid, size: 4 })).status).toBe(422);
      expect((await batch("alice/open", "upload", [{ oid, size: 3 }], authorization)).json).toEqual({ objects: [{ oid, size: 3 }] });
      expect((await batch("alice/open", "download", [{ oid, size: 3 }])).json).toEqual({
        objects: [{ oid, size: 3, actions: { download: { href: `${base("alice/open")}/objects/${oid}` } } }],
      });
      expect((await batch("alice/open", "download", [{ oid, size: 3 }], basic(bob))).json.objects[0].actions.download.header).toEqual({
        Authorization: basic(bob),
      });
      const fetched = await call("GET", `${base("alice/open")}/objects/${oid}`);
      expect(fetched).toMatchObject({ status: 200, text: content });
      expect(fetched.headers.get("content-type")).toBe("application/octet-stream");
      expect(await call("GET", `${base("alice/open")}/objects/${oid}`, undefined, undefined, { range: "bytes=1-" })).toMatchObject({ status: 206, text: "bc" });
      expect((await call("GET", `${base("alice/open")}/objects/${oid}`, undefined, undefined, { "if-none-match": `"${oid}"` })).status).toBe(304);
    });

    test("that are uploaded twice, also concurrently, are stored once", async () => {
      const content = randomBytes(300_000);
      const before = kept();
      const answers = await Promise.all([
        put("alice/open", content, basic(alice)),
        put("alice/open", content, basic(alice)),
        put("alice/open", content, basic(alice)),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
      expect(kept()).toBe(before + 1);
      const fetched = await fetch(`${base("alice/open")}/objects/${oidOf(content)}`);
      expect(Buffer.from(await fetched.arrayBuffer()).equals(content)).toBe(true);
    });

    test("with wrong content are rejected and leave nothing", async () => {
      const before = kept();
      const authorization = basic(alice);
      expect((await put("alice/open", "abcd", authorization, oidOf("other"))).status).toBe(422);
      expect((await put("alice/open", "short", authorization, oidOf("short"), 6)).status).toBe(422);
      expect((await put("alice/open", "longer", authorization, oidOf("longer"), 5)).status).toBe(413);
      expect((await put("alice/open", "x", authorization, "..%2f..%2fx", 1)).status).toBe(404);
      expect((await put("alice/open", "x", authorization, oidOf("x").toUpperCase(), 1)).status).toBe(422);
      expect((await put("alice/open", Buffer.alloc(1_000_001), authorization)).status).toBe(413);
      expect(kept()).toBe(before);
    });

    test("an aborted upload leaves no partial file", async () => {
      const before = kept();
      const { hostname, port } = new URL(forge.url);
      const sending = request({
        hostname,
        port,
        method: "PUT",
        path: `/alice/open.git/info/lfs/objects/${oidOf("never")}/900000`,
        headers: { authorization: basic(alice), "content-length": 900_000 },
      });
      sending.on("error", () => {});
      sending.write(Buffer.alloc(500_000));
      await expect.poll(kept).toBe(before + 1);
      sending.destroy();
      await expect.poll(kept).toBe(before);
    });

    test("that are truncated on disk are not served", async () => {
      const { context } = forge.forge;
      const content = randomBytes(100);
      expect((await put("alice/hidden", content, basic(alice))).status).toBe(200);
      const { file } = await context.db.sql.selectFrom("stored_files").select("file").where("digest", "=", oidOf(content)).executeTakeFirstOrThrow();
      const path = join(forge.dataDirectory, "files", file.slice(0, 2), file);
      writeFileSync(path, content.subarray(1));
      expect(await call("GET", `${base("alice/hidden")}/objects/${oidOf(content)}`, basic(alice))).toMatchObject({
        status: 503,
        json: { Message: "the content of this large file cannot be read" },
      });
      writeFileSync(path, content);
    });

    test("invalid objects are rejected individually in a batch", async () => {
      const { json, status } = await batch(
        "alice/open",
        "upload",
        [{ oid: "../../x", size: 1 }, { oid: missing, size: -1 }, { oid: missing, size: 1_000_001 }, { oid: oidOf("abc"), size: 4 }, {}],
        basic(alice),
      );
      expect(status).toBe(200);
      expect(json.objects.map(({ error }: { error: { code: number } }) => error?.code)).toEqual([422, 422, 413, 422, 422]);
      expect((await batch("alice/open", "download", [{ oid: missing, size: 1 }])).json.objects).toEqual([
        { oid: missing, size: 1, error: { code: 404, message: "Not Found" } },
      ]);
    });

    test("belong to one repository and are not found in another", async () => {
      const oid = oidOf("abc");
      await bob.post("/user/repos", { name: "mine" }).expect(201);
      expect((await batch("bob/mine", "download", [{ oid, size: 3 }], basic(bob))).json.objects[0].error.code).toBe(404);
      expect((await call("GET", `${base("bob/mine")}/objects/${oid}`, basic(bob))).status).toBe(404);
      expect((await batch("bob/mine", "upload", [{ oid, size: 3 }], basic(bob))).json.objects[0].actions.upload).toBeDefined();
    });

    test("cost two statements and no process per batch, for any number", async () => {
      const many = Array.from({ length: 100 }, (_, index) => ({ oid: oidOf(String(index)), size: 1 }));
      const { result, statements, processes } = await forge.cost(() => batch("alice/open", "download", many));
      expect(result.status).toBe(200);
      expect({ statements: statements.length, processes }).toEqual({ statements: 2, processes: 0 });
      expect(
        (
          await batch(
            "alice/open",
            "download",
            Array.from({ length: 1_001 }, () => many[0] ?? {}),
          )
        ).status,
      ).toBe(400);
    });
  });

  describe("files", () => {
    const pointer = (content: Buffer): string => `version https://git-lfs.github.com/spec/v1\noid sha256:${oidOf(content)}\nsize ${content.length}\n`;

    test("that are pointers are served with the LFS content if it exists", async () => {
      const [kept, lost] = [randomBytes(50_000), randomBytes(10)];
      for (const [name, content] of [
        ["kept.bin", kept],
        ["lost.bin", lost],
      ] as const) {
        await alice.post(`/repos/alice/hidden/contents/${name}`, { content: Buffer.from(pointer(content)).toString("base64") }).expect(201);
      }
      const get = (path: string, headers: Record<string, string> = {}) =>
        fetch(`${forge.url}${path}`, { headers: { authorization: `token ${alice.token}`, ...headers } });
      const media = (name: string, headers?: Record<string, string>) => get(`/api/v1/repos/alice/hidden/media/${name}`, headers);
      expect(await (await media("kept.bin")).text()).toBe(pointer(kept));
      expect((await put("alice/hidden", kept, basic(alice))).status).toBe(200);
      for (const path of ["/api/v1/repos/alice/hidden/media/kept.bin", "/alice/hidden/media/branch/main/kept.bin"]) {
        const answer = await get(path);
        expect(Buffer.from(await answer.arrayBuffer()).equals(kept)).toBe(true);
        expect(answer.headers.get("etag")).toBe(`"${oidOf(kept)}"`);
        expect(answer.headers.get("content-disposition")).toBe("inline; filename=kept.bin");
      }
      expect((await media("kept.bin", { "if-none-match": `"${oidOf(kept)}"` })).status).toBe(304);
      const part = await media("kept.bin", { range: "bytes=10-19" });
      expect([part.status, Buffer.from(await part.arrayBuffer()).equals(kept.subarray(10, 20))]).toEqual([206, true]);
      expect(await (await media("lost.bin")).text()).toBe(pointer(lost));
      expect(await (await get("/api/v1/repos/alice/hidden/raw/kept.bin")).text()).toBe(pointer(kept));
      const page = async (name: string) => (await get(`/alice/hidden/src/branch/main/${name}`)).text();
      for (const words of ["48.8 KiB", "Stored with Git LFS", 'href="/alice/hidden/media/branch/main/kept.bin" download="kept.bin"'])
        expect(await page("kept.bin")).toContain(words);
      expect(await page("lost.bin")).toContain("The Git LFS content of this file is missing");
      expect(
        (
          await fetch(`${forge.url}/alice/hidden/media/branch/main/kept.bin`, { method: "HEAD", headers: { authorization: `token ${alice.token}` } })
        ).headers.get("content-length"),
      ).toBe("50000");
    });

    test("with an image's first bytes are shown as images, also in rendered text and diffs, and cannot run scripts", async () => {
      const pictures = [
        Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), randomBytes(100)]),
        Buffer.from("<svg xmlns='x'><script>alert(1)</script></svg>"),
      ];
      const [png, svg] = pictures;
      if (png === undefined || svg === undefined) throw new Error("no pictures");
      const page = Buffer.from("<!doctype html><script>alert(2)</script>");
      const write = (name: string, text: string) =>
        alice.post<{ commit: { sha: string } }>(`/repos/alice/hidden/contents/${name}`, { content: Buffer.from(text).toString("base64") }).expect(201);
      for (const [name, content] of Object.entries({ "a.png": png, "b.svg": svg, "page.png": page })) {
        await write(name, pointer(content));
        expect((await put("alice/hidden", content, basic(alice))).status).toBe(200);
      }
      await write("doc.md", "![a picture](a.png)");
      const get = (path: string) => fetch(`${forge.url}${path}`, { headers: { authorization: `token ${alice.token}` } });
      const types = { "a.png": "image/png", "b.svg": "image/svg+xml", "page.png": "application/octet-stream" };
      for (const [name, type] of Object.entries(types)) {
        const answer = await get(`/alice/hidden/media/branch/main/${name}`);
        const headers = ["content-type", "x-content-type-options", "content-security-policy"].map((header) => answer.headers.get(header));
        expect(headers).toEqual([type, "nosniff", "default-src 'none'; style-src 'unsafe-inline'; sandbox"]);
        const shown = await (await get(`/alice/hidden/src/branch/main/${name}`)).text();
        expect([name, /<img src="\/alice\/hidden\/media\/commit\/[0-9a-f]{40}\//.test(shown)]).toEqual([name, name !== "page.png"]);
      }
      const rendered = await (await get("/alice/hidden/src/branch/main/doc.md")).text();
      expect(rendered).toContain(`src="${forge.url}/alice/hidden/media/branch/main/a.png"`);
      const { sha } = await alice.get<{ sha: string }>("/repos/alice/hidden/contents/a.png").expect(200);
      const edit = { sha, content: Buffer.from(pointer(svg)).toString("base64") };
      const { commit } = await alice.put<{ commit: { sha: string; parents: { sha: string }[] } }>("/repos/alice/hidden/contents/a.png", edit).expect(200);
      const changed = await (await get(`/alice/hidden/commit/${commit.sha}`)).text();
      expect(changed).toContain("Git LFS: 108 B → 46 B");
      for (const oid of [commit.parents[0]?.sha, commit.sha]) expect(changed).toContain(`<img src="/alice/hidden/media/commit/${oid}/a.png"`);
    });
  });

  describe("LFS requests", () => {
    test("with another media type or without content are rejected", async () => {
      const url = `${base("alice/open")}/objects/batch`;
      expect(await call("POST", url, undefined, "{}", { "content-type": "application/json" })).toMatchObject({
        status: 415,
        json: { Message: "Unsupported Media Type" },
      });
      for (const body of ["", "{", "[]", "null", `{"operation":"steal","objects":[]}`, `{"operation":"download"}`]) {
        expect(await call("POST", url, undefined, body, { "content-type": type }), body).toMatchObject({ status: 400, json: { Message: "Bad Request" } });
      }
      expect((await call("POST", url, undefined, { operation: "download", objects: [], hash_algo: "sha512" })).status).toBe(422);
    });

    test("with too many values are rejected before they are parsed", async () => {
      const body = `{"operation":"download","objects":[],"unknown":[${"[],".repeat(250_000)}1]}`;
      const answer = await call("POST", `${base("alice/open")}/objects/batch`, undefined, body, { "content-type": type });
      expect([answer.status, answer.json]).toEqual([413, { Message: "the request body has too many values" }]);
    });

    test("without permission get a credential challenge, alike for hidden and missing repositories", async () => {
      const object = [{ oid: missing, size: 1 }];
      const refused = { status: 401, json: { Message: "Unauthorized" } };
      for (const repository of ["alice/hidden", "alice/nosuch", "nobody/nosuch"]) {
        const answer = await batch(repository, "download", object);
        expect(answer).toMatchObject(refused);
        expect(answer.headers.get("www-authenticate")).toContain("Basic realm=");
        expect(await batch(repository, "download", object, basic(bob))).toMatchObject({ status: 404, json: { Message: "Not Found" } });
      }
      expect(await batch("alice/open", "upload", object)).toMatchObject(refused);
      expect(await batch("alice/open", "upload", object, basic(bob))).toMatchObject(refused);
      expect(await put("alice/open", "theirs", basic(bob))).toMatchObject(refused);
      expect((await batch("alice/hidden", "upload", object, basic(alice))).status).toBe(200);
      expect((await batch("alice/open", "download", object, basic(alice, "wrong password"))).status).toBe(401);
    });

    test("with a token require its scope", async () => {
      const login = `Basic ${Buffer.from(`alice:${alice.password}`).toString("base64")}`;
      const token = async (scopes: readonly string[]): Promise<string> => {
        const response = await fetch(`${forge.url}/api/v1/users/alice/tokens`, {
          method: "POST",
          headers: { authorization: login, "content-type": "application/json" },
          body: JSON.stringify({ name: scopes.join(), scopes }),
        });
        return `token ${((await response.json()) as { sha1: string }).sha1}`;
      };
      const [reads, other] = [await token(["read:repository"]), await token(["write:issue"])];
      expect((await batch("alice/hidden", "download", [], reads)).status).toBe(200);
      expect((await batch("alice/hidden", "upload", [], reads)).status).toBe(403);
      expect((await batch("alice/hidden", "download", [], other)).status).toBe(403);
    });

    test("cannot upload to an archived repository", async () => {
      await alice.post("/user/repos", { name: "shelved" }).expect(201);
      await alice.patch("/repos/alice/shelved", { archived: true }).expect(200);
      expect((await batch("alice/shelved", "download", [], basic(alice))).status).toBe(200);
      expect((await batch("alice/shelved", "upload", [], basic(alice))).status).toBe(403);
    });
  });

  describe("LFS tokens issued over SSH", () => {
    let keyId: number;
    let repoId: number;
    const publicKey = (): string => {
      const { x = "" } = generateKeyPairSync("ed25519").publicKey.export({ format: "jwk" });
      const field = (bytes: Buffer): Buffer => Buffer.concat([Buffer.from([0, 0, 0, bytes.length]), bytes]);
      return `ssh-ed25519 ${Buffer.concat([field(Buffer.from("ssh-ed25519")), field(Buffer.from(x, "base64url"))]).toString("base64")}`;
    };
    const pass = (operation: "download" | "upload", changes: object = {}): string =>
      makeLfsToken(forge.context.sealer, { keyId, repoId, operation, expiresMs: now + 60_000, ...changes });

    beforeAll(async () => {
      ({ id: keyId } = await alice.post<{ id: number }>("/user/keys", { title: "k", key: publicKey() }).expect(201));
      ({ id: repoId } = await alice.get<{ id: number }>("/repos/alice/hidden").expect(200));
    });

    test("let downloads wait for places as those of the user's programs, and uploads need none", async () => {
      const entered = (): number[] => (["automated", "anonymous"] as const).map((kind) => forge.context.readLane.counts(kind).entered);
      const [programs = 0, visitors = 0] = entered();
      await batch("alice/hidden", "download", [], pass("download"));
      expect(entered()).toEqual([programs + 1, visitors]);
      await batch("alice/hidden", "upload", [], pass("upload"));
      expect(entered()).toEqual([programs + 1, visitors]);
    });

    test("authorize their operation in their repository until they expire", async () => {
      expect((await batch("alice/hidden", "download", [], pass("download"))).status).toBe(200);
      expect((await batch("alice/hidden", "download", [], pass("upload"))).status).toBe(200);
      expect((await put("alice/hidden", "by pass", pass("upload"))).status).toBe(200);
      expect((await batch("alice/hidden", "upload", [], pass("download"))).status).toBe(401);
      expect((await batch("alice/open", "upload", [], pass("upload"))).status).toBe(404);
      const early = pass("upload");
      now += 61_000;
      expect((await batch("alice/hidden", "upload", [], early)).status).toBe(401);
      expect((await batch("alice/open", "download", [], "RemoteAuth nonsense")).status).toBe(401);
    });

    test("are not accepted by any other endpoint", async () => {
      for (const header of [pass("upload"), pass("upload").replace("RemoteAuth", "Bearer"), pass("upload").replace("RemoteAuth", "token")]) {
        expect((await fetch(`${forge.url}/api/v1/user`, { headers: { authorization: header } })).status).toBe(401);
        expect((await fetch(`${forge.url}/alice/hidden.git/info/refs?service=git-upload-pack`, { headers: { authorization: header } })).status).toBe(401);
      }
    });

    test("end with the key and with the account's right to sign in", async () => {
      const edit = (change: object) => forge.admin.patch("/admin/users/alice", { login_name: "alice", source_id: 0, ...change }).expect(200);
      await edit({ prohibit_login: true });
      expect((await batch("alice/hidden", "download", [], pass("download"))).status).toBe(403);
      await edit({ prohibit_login: false });
      expect((await batch("alice/hidden", "download", [], pass("download"))).status).toBe(200);
      await alice.delete(`/user/keys/${keyId}`).expect(204);
      expect((await batch("alice/hidden", "download", [], pass("download"))).status).toBe(401);
    });

    test("tokens of a deploy key are limited to its permission", async () => {
      for (const isReadOnly of [true, false]) {
        const made = await alice
          .post<{ key_id: number }>("/repos/alice/hidden/keys", { title: `d ${isReadOnly}`, key: publicKey(), read_only: isReadOnly })
          .expect(201);
        expect((await batch("alice/hidden", "download", [], pass("download", { keyId: made.key_id }))).status).toBe(200);
        expect((await batch("alice/hidden", "upload", [], pass("upload", { keyId: made.key_id }))).status).toBe(isReadOnly ? 401 : 200);
        const locked = await call("POST", `${base("alice/hidden")}/locks`, pass("upload", { keyId: made.key_id }), { path: "a" });
        expect(locked.status).toBe(isReadOnly ? 401 : 403);
      }
    });
  });

  describe("LFS locks", () => {
    const locks = (path: string, authorization?: string, body?: object): Promise<Answer> =>
      call(body === undefined ? "GET" : "POST", `${base("alice/open")}/locks${path}`, authorization, body);

    test("are created once, listed, verified and deleted", async () => {
      await alice.put("/repos/alice/open/collaborators/bob", { permission: "write" }).expect(204);
      const made = await locks("", basic(alice), { path: "art/a.psd" });
      expect(made).toMatchObject({ status: 201, json: { lock: { id: expect.stringMatching(/^\d+$/), path: "art/a.psd", owner: { name: "alice" } } } });
      expect(Date.parse(made.json.lock.locked_at)).toBeGreaterThan(0);
      expect(await locks("", basic(bob), { path: "art/a.psd" })).toMatchObject({
        status: 409,
        json: { message: "already created lock", lock: made.json.lock },
      });
      const others = await locks("", basic(bob), { path: "art/b.psd" });
      expect((await locks("", basic(bob))).json).toEqual({ locks: [made.json.lock, others.json.lock] });
      expect((await locks("?limit=1", basic(bob))).json).toEqual({ locks: [made.json.lock], next_cursor: others.json.lock.id });
      expect((await locks(`?cursor=${others.json.lock.id}`, basic(bob))).json).toEqual({ locks: [others.json.lock] });
      expect((await locks("?path=art/b.psd", basic(bob))).json.locks).toEqual([others.json.lock]);
      expect((await locks(`?id=${made.json.lock.id}`, basic(bob))).json.locks).toEqual([made.json.lock]);
      expect((await locks("/verify", basic(bob), {})).json).toEqual({ ours: [others.json.lock], theirs: [made.json.lock] });
      expect(await locks(`/${made.json.lock.id}/unlock`, basic(bob), {})).toMatchObject({ status: 403 });
      expect(await locks(`/${made.json.lock.id}/unlock`, basic(bob), { force: true })).toMatchObject({ status: 200, json: { lock: made.json.lock } });
      expect(await locks(`/${others.json.lock.id}/unlock`, basic(bob), {})).toMatchObject({ status: 200 });
      expect((await locks(`/${others.json.lock.id}/unlock`, basic(bob), {})).status).toBe(404);
      const events = await eventsOf(forge, { type: "lfs_lock.*" });
      expect(events.map(({ type: name }) => name)).toEqual(["lfs_lock.created", "lfs_lock.created", "lfs_lock.deleted", "lfs_lock.deleted"]);
      expect(events[2]?.payload).toMatchObject({ path: "art/a.psd", accountId: alice.id, isForced: true });
      await alice.delete("/repos/alice/open/collaborators/bob").expect(204);
    });

    test("can be read with read access and created with write access", async () => {
      expect(await locks("")).toMatchObject({ status: 401, json: { message: "You must have pull access to list locks" } });
      expect((await locks("", basic(bob))).json).toEqual({ locks: [] });
      for (const [path, body] of [
        ["", { path: "x" }],
        ["/verify", {}],
        ["/1/unlock", {}],
      ] as const) {
        expect(await locks(path, undefined, body)).toMatchObject({ status: 401, json: { message: "Unauthorized" } });
        expect((await locks(path, basic(bob), body)).status).toBe(401);
      }
      for (const path of ["", "a\0b", "x".repeat(5_000)]) expect((await locks("", basic(alice), { path })).status).toBe(422);
    });

    test("of another repository are not found", async () => {
      const { json } = await locks("", basic(alice), { path: "own" });
      expect((await call("POST", `${base("bob/mine")}/locks/${json.lock.id}/unlock`, basic(bob), { force: true })).status).toBe(404);
      expect((await locks("/abc/unlock", basic(alice), {})).status).toBe(404);
    });
  });
});

describe("a server with LFS disabled", () => {
  eachDialect((dialect) => {
    test("reports it in every response", async () => {
      await using forge = await startForge({ dialect, environment: { HEARTH_LFS_ENABLED: "false" } });
      expect((await fetch(`${forge.url}/a/b.git/info/lfs/objects/batch`, { method: "POST", body: "{}" })).status).toBe(404);
      expect(await forge.anonymous.get("/settings/repository").expect(200)).toMatchObject({ lfs_disabled: true });
    });
  });
});
