import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { differences } from "../../../../test/kit/contract.ts";
import { eachDialect } from "../../../../test/kit/databases.ts";
import { eventsOf } from "../../../../test/kit/events.ts";
import { startForge, type TestForge, type TestUser } from "../../../../test/kit/forge.ts";

/** The test key number `seed`. */
const key = (seed: number, comment = ""): string => {
  const blob = Buffer.concat([Buffer.from("\0\0\0\x0bssh-ed25519\0\0\0\x20", "latin1"), Buffer.alloc(30, 1), Buffer.from([seed >> 8, seed & 255])]);
  return `ssh-ed25519 ${blob.toString("base64")}${comment}`;
};

eachDialect((dialect) => {
  let forge: TestForge;
  let alice: TestUser;
  let bob: TestUser;
  let seed = 0;
  beforeAll(async () => {
    forge = await startForge({ dialect });
    alice = await forge.createUser("alice");
    bob = await forge.createUser("bob");
    await alice.post("/user/repos", { name: "demo" }).expect(201);
    await alice.post("/user/repos", { name: "other" }).expect(201);
  });
  afterAll(() => forge[Symbol.asyncDispose]());
  const events = async (type: string): Promise<unknown[]> => (await eventsOf(forge, { type })).map(({ payload }) => payload);

  describe("keys of a user", () => {
    test("are added, shown, listed and deleted", async () => {
      const carol = await forge.createUser("carol");
      const content = key(++seed, " carol@desk");
      const made = await carol.post("/user/keys", { title: "desk", key: `${content}\n`, read_only: true }).expect(201);
      expect(differences(made, "PublicKey")).toEqual([]);
      expect(made).toMatchObject({ title: "desk", key: content, url: `${forge.url}/api/v1/user/keys/${made.id}`, key_type: "user", user: { login: "carol" } });
      expect(made).not.toHaveProperty("read_only");
      expect(made.last_used_at).toBe(made.created_at);
      expect(await carol.get(`/user/keys/${made.id}`).expect(200)).toEqual(made);
      await carol.post("/user/keys", { title: "lap", key: key(++seed) }).expect(201);
      const listed = await carol.get("/user/keys?limit=1");
      expect(listed.json).toEqual([made]);
      expect([listed.headers.get("x-total-count"), listed.headers.get("link")]).toEqual(["2", expect.stringContaining('rel="next"')]);
      expect(await carol.get(`/users/CAROL/keys?fingerprint=${encodeURIComponent(made.fingerprint)}`).expect(200)).toEqual([made]);
      expect(await carol.get("/user/keys?fingerprint=SHA256:none").expect(200)).toEqual([]);

      await carol.delete(`/user/keys/${made.id}`).expect(204);
      await carol.delete(`/user/keys/${made.id}`).expect(404);
      await carol.get(`/user/keys/${made.id}`).expect(404);
      const payload = { accountId: carol.id, keyId: made.id, fingerprint: made.fingerprint };
      expect(await events("public_key.created")).toContainEqual(payload);
      expect(await events("public_key.deleted")).toEqual([payload]);
    });

    test("can be read by others without their owner, and deleted only by their owner or an administrator", async () => {
      const made = await alice.post("/user/keys", { title: "shown", key: key(++seed) }).expect(201);
      const { user: _, key_type: __, ...rest } = made;
      expect(await bob.get(`/user/keys/${made.id}`).expect(200)).toEqual(rest);
      expect(await bob.get("/users/alice/keys").expect(200)).toEqual([rest]);
      expect(await forge.admin.get("/users/alice/keys").expect(200)).toMatchObject([{ id: made.id, user: { login: "alice" } }]);
      await bob.delete(`/user/keys/${made.id}`).expect(403);
      await bob.delete(`/admin/users/alice/keys/${made.id}`).expect(403);
      await bob.post("/admin/users/alice/keys", { title: "x", key: key(++seed) }).expect(403);
      await forge.admin.delete(`/admin/users/bob/keys/${made.id}`).expect(404);
      await forge.admin.delete(`/admin/users/alice/keys/${made.id}`).expect(204);
      await forge.admin.delete(`/admin/users/alice/keys/${made.id}`).expect(404);
      expect(await forge.admin.post("/admin/users/alice/keys", { title: "given", key: key(++seed) }).expect(201)).toMatchObject({ user: { login: "alice" } });
      expect(await alice.get("/user/keys").expect(200)).toMatchObject([{ title: "given" }]);
      await alice.post("/orgs", { username: "acme" }).expect(201);
      await forge.admin.post("/admin/users/acme/keys", { title: "org", key: key(++seed) }).expect(404);
    });

    test("require a signed-in caller", async () => {
      for (const path of ["/user/keys", "/user/keys/1", "/users/alice/keys"]) await forge.anonymous.get(path).expect(401);
      await forge.anonymous.get("/users/nosuch/keys").expect(401);
      await forge.anonymous.post("/user/keys", { title: "x", key: key(++seed) }).expect(401);
      for (const id of ["0", "x", "999999999999999999", "1e3"]) await alice.get(`/user/keys/${id}`).expect(404);
    });

    test("a public key belongs to one user only, once, under one title", async () => {
      const taken = key(++seed);
      await alice.post("/user/keys", { title: "taken", key: taken }).expect(201);
      const refusal = async (user: TestUser, body: object): Promise<string> => (await user.post("/user/keys", body).expect(422)).message;
      expect(await refusal(alice, { title: "taken", key: key(++seed) })).toBe("Key title has been used");
      expect(await refusal(alice, { title: "again", key: `${taken} other comment` })).toBe("Key content has been used as non-deploy key");
      expect(await refusal(bob, { title: "stolen", key: taken })).toBe("Key content has been used as non-deploy key");
      expect(await refusal(bob, { title: "bad", key: "ssh-rsa notakey" })).toMatch(/^Invalid key content: /);
      expect(await refusal(bob, { title: "long", key: `${taken} ${"x".repeat(10_000)}` })).toBe("Invalid key content: the key is too long");
      expect(await refusal(bob, { key: key(++seed) })).toBe("[Title]: Required");
      expect(await refusal(bob, { title: "none", key: "" })).toBe("[Key]: Required");
      await bob.post("/user/keys", { title: ["list"], key: taken }).expect(422);
      expect(await bob.get("/user/keys").expect(200)).toEqual([]);
    });

    test("are added once by concurrent requests", async () => {
      const wanted = key(++seed);
      const both = await Promise.all([alice, bob].map((user) => user.post("/user/keys", { title: "race", key: wanted })));
      expect(both.map(({ status }) => status).sort()).toEqual([201, 422]);
    });

    test("of a hidden user are not visible to others", async () => {
      const hidden = await forge.createUser("hidden", { visibility: "private" });
      const { id } = await hidden.post("/user/keys", { title: "secret", key: key(++seed) }).expect(201);
      const missing = await bob.get("//nosuch.keys");
      const concealed = await bob.get("//hidden.keys");
      expect([concealed.status, concealed.text]).toEqual([404, missing.text]);
      await bob.get("/users/hidden/keys").expect(404);
      await bob.get(`/user/keys/${id}`).expect(404);
      await bob.delete(`/user/keys/${id}`).expect(404);
      expect(await forge.admin.get(`/user/keys/${id}`).expect(200)).toMatchObject({ user: { login: "hidden" } });
      expect((await hidden.get("//hidden.keys")).text).toBe(`${key(seed)}\n`);
    });

    test("are served as a file without comments, also under a former name", async () => {
      const erin = await forge.createUser("erin.x");
      const contents = [key(++seed), key(++seed)];
      for (const [at, content] of contents.entries()) await erin.post("/user/keys", { title: `${at}`, key: `${content} erin@private.example` }).expect(201);
      const file = await forge.anonymous.get("//erin.x.keys");
      expect([file.status, file.headers.get("content-type"), file.text]).toEqual([200, "text/plain; charset=utf-8", `${contents.join("\n")}\n`]);
      await forge.admin.post("/admin/users/erin.x/rename", { new_username: "erin" }).expect(204);
      const moved = await forge.anonymous.get("//erin.x.keys");
      expect([moved.status, moved.headers.get("location")]).toEqual([307, `${forge.url}/erin.keys`]);
      expect((await forge.anonymous.get("//bob.keys")).status).toBe(200);
    });

    test("are deleted with their user", async () => {
      const leaving = await forge.createUser("leaving");
      const content = key(++seed);
      await leaving.post("/user/keys", { title: "mine", key: content }).expect(201);
      await forge.admin.delete("/admin/users/leaving").expect(204);
      await bob.post("/user/keys", { title: "inherited", key: content }).expect(201);
    });
  });

  describe("deploy keys", () => {
    const base = "/repos/alice/demo/keys";

    test("are added, shown, listed and deleted", async () => {
      const content = key(++seed, " deploy");
      const made = await alice.post(base, { title: "ci", key: content, read_only: true }).expect(201);
      expect(differences(made, "DeployKey")).toEqual([]);
      expect(made).toMatchObject({ key: content, title: "ci", read_only: true, url: `${forge.url}/api/v1/repos/alice/demo/keys/${made.id}` });
      const shown = await alice.get(`${base}/${made.id}`).expect(200);
      expect(shown).toEqual({
        ...made,
        repository: expect.objectContaining({ full_name: "alice/demo", permissions: { admin: false, push: false, pull: true } }),
      });
      expect(differences(shown, "DeployKey")).toEqual([]);
      const second = await alice.post(base, { title: "ship", key: key(++seed) }).expect(201);
      const listed = await alice.get(`${base}?limit=1`);
      expect(listed.json).toEqual([shown]);
      expect([listed.headers.get("x-total-count"), listed.headers.get("link")]).toEqual(["2", null]);
      expect(await alice.get(`${base}?key_id=${second.key_id}`).expect(200)).toMatchObject([{ id: second.id, read_only: false }]);
      expect(await alice.get(`${base}?fingerprint=${encodeURIComponent(second.fingerprint)}`).expect(200)).toMatchObject([{ id: second.id }]);
      expect(await alice.get(`${base}?fingerprint=none`).expect(200)).toEqual([]);
      for (const { id } of [made, second, made]) await alice.delete(`${base}/${id}`).expect(204);
      await alice.get(`${base}/${made.id}`).expect(404);
      expect(await alice.get(base).expect(200)).toEqual([]);
      const { id: repoId } = await alice.get("/repos/alice/demo").expect(200);
      const payload = { repoId, repoName: "alice/demo", deployKeyId: made.id, fingerprint: made.fingerprint, isReadOnly: true };
      expect(await events("deploy_key.created")).toContainEqual(payload);
      expect((await events("deploy_key.deleted")).filter((event) => (event as typeof payload).deployKeyId === made.id)).toEqual([payload]);
    });

    test("are visible only to administrators of their repository", async () => {
      const { id } = await alice.post(base, { title: "own", key: key(++seed) }).expect(201);
      await alice.get(`/repos/alice/other/keys/${id}`).expect(404);
      await alice.delete(`/repos/alice/other/keys/${id}`).expect(204);
      await alice.get(`${base}/${id}`).expect(200);
      await alice.put("/repos/alice/demo/collaborators/bob", { permission: "write" }).expect(204);
      for (const path of [base, `${base}/${id}`]) await bob.get(path).expect(403);
      await bob.post(base, { title: "evil", key: key(++seed) }).expect(403);
      await bob.delete(`${base}/${id}`).expect(403);
      await forge.anonymous.get(base).expect(401);
      await alice.post("/user/repos", { name: "closed", private: true }).expect(201);
      await bob.get("/repos/alice/closed/keys").expect(404);
    });

    test("can serve several repositories, with one title each, and belong to no user", async () => {
      const shared = key(++seed);
      const refusal = async (path: string, body: object): Promise<string> => (await alice.post(path, body).expect(422)).message;
      const first = await alice.post(base, { title: "shared", key: shared }).expect(201);
      const second = await alice.post("/repos/alice/other/keys", { title: "shared", key: shared }).expect(201);
      expect(second.key_id).toBe(first.key_id);
      expect(await refusal(base, { title: "shared", key: key(++seed) })).toBe("A key with the same name already exists");
      expect(await refusal(base, { title: "again", key: shared })).toBe("This key has already been added to this repository");
      expect(await refusal(base, { title: "bad", key: "nokey" })).toMatch(/^Invalid key content: /);
      expect(await refusal("/user/keys", { title: "mine now", key: shared })).toBe("Key content has been used as non-deploy key");
      const personal = key(++seed);
      await bob.post("/user/keys", { title: "personal", key: personal }).expect(201);
      expect(await refusal(base, { title: "his", key: personal })).toBe("Key content has been used as non-deploy key");
      await alice.get(`/user/keys/${first.key_id}`).expect(404);
      await alice.delete(`/user/keys/${first.key_id}`).expect(404);

      await alice.delete(`${base}/${first.id}`).expect(204);
      expect(await refusal("/user/keys", { title: "mine now", key: shared })).toBe("Key content has been used as non-deploy key");
      await alice.delete(`/repos/alice/other/keys/${second.id}`).expect(204);
      await alice.post("/user/keys", { title: "mine now", key: shared }).expect(201);
    });

    test("of a deleted repository can be added again", async () => {
      const content = key(++seed);
      await alice.post("/user/repos", { name: "gone" }).expect(201);
      await alice.post("/repos/alice/gone/keys", { title: "k", key: content }).expect(201);
      await alice.delete("/repos/alice/gone").expect(204);
      await bob.post("/user/keys", { title: "reused", key: content }).expect(201);
    });
  });

  test("cost a fixed number of statements", async () => {
    const dave = await forge.createUser("dave");
    await dave.post("/user/repos", { name: "r" }).expect(201);
    const cost = async (path: string): Promise<{ statements: number; processes: number }> => {
      await dave.get(path).expect(200);
      const { statements, processes } = await forge.cost(() => dave.get(path).expect(200));
      return { statements: statements.length, processes };
    };
    const add = async (): Promise<number[]> => {
      const user = await dave.post("/user/keys", { title: `t${++seed}`, key: key(seed) }).expect(201);
      const deploy = await dave.post("/repos/dave/r/keys", { title: `t${++seed}`, key: key(seed) }).expect(201);
      return [user.id, deploy.id];
    };
    const [userKey, deployKey] = await add();
    const paths = ["/user/keys", "/users/dave/keys", "/repos/dave/r/keys"];
    const before: Awaited<ReturnType<typeof cost>>[] = [];
    for (const path of paths) before.push(await cost(path));
    for (let count = 0; count < 9; count++) await add();
    for (const [at, path] of paths.entries()) {
      const after = await cost(path);
      expect([path, after]).toEqual([path, before[at]]);
      expect(after.statements).toBeLessThanOrEqual(8);
      expect(after.processes).toBe(0);
    }
    for (const path of [`/user/keys/${userKey}`, `/repos/dave/r/keys/${deployKey}`]) {
      const one = await cost(path);
      expect([path, one.statements <= 5, one.processes]).toEqual([path, true, 0]);
    }
  });
});
