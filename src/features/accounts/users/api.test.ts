import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createApiClient } from "../../../../test/kit/api-client.ts";
import { eachDialect } from "../../../../test/kit/databases.ts";
import { startForge, type TestForge, type TestUser } from "../../../../test/kit/forge.ts";

eachDialect((dialect) => {
  let forge: TestForge;
  let alice: TestUser;
  let bob: TestUser;
  beforeAll(async () => {
    forge = await startForge({ dialect });
    alice = await forge.createUser("alice");
    bob = await forge.createUser("bob", { visibility: "limited" });
  });
  afterAll(() => forge[Symbol.asyncDispose]());

  const as = (authorization: string) => createApiClient(forge.url, authorization);
  const basic = (name: string, password: string) => as(`Basic ${Buffer.from(`${name}:${password}`).toString("base64")}`);

  describe("credentials", () => {
    test("authenticate the same user in every header and parameter", async () => {
      const { token } = alice;
      for (const client of [
        as(`token ${token}`),
        as(`bearer  ${token}`),
        basic(token, ""),
        basic(token, "x-oauth-basic"),
        basic("whoever", token),
        basic("alice", alice.password),
        basic("ALICE@example.com", alice.password),
      ]) {
        expect((await client.get("/user").expect(200)).login).toBe("alice");
      }
      const byQuery = await forge.anonymous.get(`/user?access_token=${token}`);
      expect(byQuery.status).toBe(200);
      expect(byQuery.headers.get("x-gitea-warning")).toContain("deprecated");
    });

    test("are rejected on public paths too, alike for wrong passwords and unknown users", async () => {
      for (const client of [basic("alice", "wrong password"), basic("nobody", "wrong password"), as(`token ${"0".repeat(40)}`), basic("alice", "")]) {
        const answer = await client.get("/version");
        expect({ status: answer.status, message: answer.json.message, challenge: answer.headers.get("www-authenticate") }).toEqual({
          status: 401,
          message: "invalid username, password or token",
          challenge: null,
        });
      }
    });

    test("are required where an endpoint needs a user", async () => {
      expect(await forge.anonymous.get("/user").expect(401)).toMatchObject({ message: "token is required" });
    });

    test("of a previous password become invalid when it changes", async () => {
      const carol = await forge.createUser("carol");
      const former = basic("carol", carol.password);
      await former.get("/user").expect(200);
      await forge.admin.patch("/admin/users/carol", { login_name: "carol", source_id: 0, password: "another pass phrase" }).expect(200);
      await former.get("/user").expect(401);
      await basic("carol", "another pass phrase").get("/user").expect(200);
    });

    test("of a prohibited account: a token gets the reason, a password does not", async () => {
      const dave = await forge.createUser("dave");
      await forge.admin.patch("/admin/users/dave", { login_name: "dave", source_id: 0, prohibit_login: true }).expect(200);
      expect((await dave.get("/user").expect(403)).message).toContain("prohibited from signing in");
      await basic("dave", dave.password).get("/user").expect(401);
    });

    test("of an inactive account get 403 with a correct token or password, and 401 with a wrong password", async () => {
      const ines = await forge.createUser("ines");
      await forge.admin.patch("/admin/users/ines", { login_name: "ines", source_id: 0, active: false }).expect(200);
      const message = "This account is prohibited from signing in, please contact your site administrator.";
      expect(await ines.get("/user").expect(403)).toEqual({ message });
      expect(await basic("ines", ines.password).get("/user").expect(403)).toEqual({ message });
      expect(await basic("ines", ines.password).get("/user").expect(403)).toEqual({ message });
      await basic("ines", "wrong").get("/user").expect(401);
    });

    test("of an account that must change its password give access to nothing else", async () => {
      await forge.admin.post("/admin/users", { username: "erin", email: "erin@example.com", password: "erin's pass phrase" }).expect(201);
      const message = `You must change your password. Change it at: ${forge.url}//user/change_password`;
      expect(await basic("erin", "erin's pass phrase").get("/user").expect(403)).toEqual({ message });
    });

    test("are resolved in one statement", async () => {
      await alice.get("/version");
      const { statements } = await forge.cost(() => alice.get("/version").expect(200));
      expect(statements.filter((sql) => sql.startsWith("select"))).toHaveLength(1);
    });

    test("GET /user with a token takes two statements at most", async () => {
      await alice.get("/user").expect(200);
      const { statements } = await forge.cost(() => alice.get("/user").expect(200));
      expect(statements.length).toBeLessThanOrEqual(2);
    });
  });

  describe("sudo", () => {
    test("lets an administrator act as another user", async () => {
      expect((await forge.admin.get("/user", { sudo: "alice" }).expect(200)).login).toBe("alice");
      expect((await forge.admin.get("/user?sudo=ALICE").expect(200)).login).toBe("alice");
    });
    test("is refused to everyone else, on public paths too", async () => {
      expect(await alice.get("/version", { sudo: "bob" }).expect(403)).toEqual({ message: "Only administrators allowed to sudo." });
      await forge.anonymous.get("/version?sudo=alice").expect(403);
      await forge.admin.get("/user", { sudo: "nobody" }).expect(404);
      await forge.admin.get("/user?sudo=a%00b").expect(404);
    });
    test("does not widen the administrator's token", async () => {
      const { sha1 } = await basic("chief", forge.admin.password)
        .post("/users/chief/tokens", { name: "narrow", scopes: ["read:repository"] })
        .expect(201);
      await as(`token ${sha1}`).get("/user", { sudo: "alice" }).expect(403);
    });
  });

  describe("visibility", () => {
    test("shows private details only to the user and to administrators", async () => {
      const shown = async (client: { get: TestUser["get"] }) => (await client.get("/users/alice").expect(200)) as Record<string, unknown>;
      expect(await shown(alice)).toMatchObject({ login: "alice", username: "alice", email: "alice@example.com", active: true });
      expect(await shown(forge.admin)).toMatchObject({ email: "alice@example.com", active: true });
      expect(await shown(bob)).toMatchObject({ email: "alice@example.com", active: false, last_login: "0001-01-01T00:00:00Z" });
      expect(await shown(forge.anonymous)).toMatchObject({ email: `${alice.id}+alice@noreply.127.0.0.1`, active: false });
    });

    test("hides a hidden address from others", async () => {
      await alice.patch("/user/settings", { hide_email: true }).expect(200);
      expect((await bob.get("/users/alice").expect(200)).email).toBe(`${alice.id}+alice@noreply.127.0.0.1`);
      expect(await alice.patch("/user/settings", { hide_email: false }).expect(200)).toMatchObject({ hide_email: false, theme: "gitea-auto" });
    });

    test("hides limited accounts from anonymous callers and private ones from all others, in lists and by name", async () => {
      await forge.createUser("hidden", { visibility: "private" });
      await forge.anonymous.get("/users/bob").expect(404);
      await alice.get("/users/bob").expect(200);
      await alice.get("/users/hidden").expect(404);
      await forge.admin.get("/users/hidden").expect(200);
      const names = async (client: { get: TestUser["get"] }, q: string) => {
        const answer = await client.get(`/users/search?q=${q}`);
        expect(answer.headers.get("x-total-count")).toBe(String(answer.json.data.length));
        expect(Object.keys(answer.json)).toEqual(["data", "ok"]);
        return answer.json.data.map((user: { login: string }) => user.login);
      };
      expect(await names(forge.anonymous, "bob")).toEqual([]);
      expect(await names(alice, "bob")).toEqual(["bob"]);
      expect(await names(alice, "hidden")).toEqual([]);
      expect(await names(forge.admin, "hidden")).toEqual(["hidden"]);
      expect(await names(alice, "%")).toEqual([]);
    });
  });

  describe("access tokens", () => {
    const mine = () => basic("alice", alice.password);

    test("are shown once and authenticate their owner", async () => {
      const made = await mine()
        .post("/users/alice/tokens", { name: "ci", scopes: ["read:user", "write:issue"] })
        .expect(201);
      expect(made).toMatchObject({
        name: "ci",
        scopes: ["write:issue", "read:user"],
        token_last_eight: made.sha1.slice(-8),
        created_at: "0001-01-01T00:00:00Z",
      });
      await as(`token ${made.sha1}`).get("/user").expect(200);
      const listed = await mine().get("/users/alice/tokens");
      expect(listed.json.find((token: { name: string }) => token.name === "ci")).toMatchObject({ sha1: "", created_at: expect.stringMatching(/^20/) });
      expect(listed.text).not.toContain(made.sha1);
    });

    test("lack the scopes that they were not given", async () => {
      const { sha1 } = await mine()
        .post("/users/alice/tokens", { name: "reader", scopes: ["read:user"] })
        .expect(201);
      const answer = await as(`token ${sha1}`).patch("/user/settings", {}).expect(403);
      expect(answer.message).toBe("token does not have at least one of required scope(s), required=[write:user], token scope=read:user");
    });

    test("cannot create tokens with more rights, and only a Basic header can create any", async () => {
      expect(await alice.post("/users/alice/tokens", { name: "x", scopes: ["all"] }).expect(401)).toMatchObject({ message: "auth required" });
      const { sha1 } = await mine()
        .post("/users/alice/tokens", { name: "maker", scopes: ["write:user"] })
        .expect(201);
      await basic("alice", sha1)
        .post("/users/alice/tokens", { name: "wider", scopes: ["write:repository"] })
        .expect(403);
      await basic("alice", sha1)
        .post("/users/alice/tokens", { name: "as wide", scopes: ["read:user"] })
        .expect(201);
    });

    test.each([
      [{ name: "ci", scopes: ["all"] }, 400, "access token name has been used already"],
      [{ name: "none" }, 400, "access token must have a scope"],
      [{ name: "bogus", scopes: ["bogus"] }, 400, "invalid access token scope provided: invalid access token scope: bogus"],
      [{ scopes: ["all"] }, 422, "[Name]: Required"],
    ])("reject the input %j", async (body, status, message) => {
      expect((await mine().post("/users/alice/tokens", body).expect(status)).message).toBe(message);
    });

    test("are deleted by id or name, only by their owner", async () => {
      const { id } = await mine()
        .post("/users/alice/tokens", { name: "gone", scopes: ["all"] })
        .expect(201);
      const { message } = await basic("bob", bob.password).delete(`/users/alice/tokens/${id}`).expect(403);
      expect(message).toBe("doer should be the site admin or be same as the contextUser");
      await basic("bob", bob.password).delete(`/users/bob/tokens/${id}`).expect(404);
      await mine().delete(`/users/alice/tokens/${id}`).expect(204);
      await mine().delete("/users/alice/tokens/gone").expect(404);
    });
  });

  describe("administration", () => {
    test("is only for administrators", async () => {
      expect(await alice.get("/admin/users").expect(403)).toMatchObject({ message: "user should be the site admin" });
      await forge.anonymous.get("/admin/users").expect(401);
      await alice.post("/admin/users", {}).expect(403);
    });

    const valid = { username: "frank", email: "frank@example.com", password: "frank's pass phrase" };
    test.each([
      [{ username: "Alice" }, 422, "user already exists [name: Alice]"],
      [{ email: "ALICE@example.com" }, 422, "e-mail already in use [email: ALICE@example.com]"],
      [{ email: "nope" }, 422, "[Email]: Email"],
      [{ email: "" }, 422, "[Email]: Required"],
      [{ username: "bad name" }, 422, "[Username]: invalid username"],
      [{ username: "x".repeat(41) }, 422, "[Username]: MaxSize"],
      [{ username: "api" }, 422, "name is reserved [name: api]"],
      [{ username: "x.keys" }, 422, "name pattern is not allowed [pattern: *.keys]"],
      [{ password: "short" }, 400, "PasswordIsRequired"],
      [{ visibility: "secret" }, 422, "[Visibility]: In"],
      [{ source_id: 5 }, 422, "login source does not exist [id: 5]"],
    ])("rejects the user input %j and creates nothing", async (change, status, message) => {
      const count = async () => (await forge.admin.get("/admin/users?limit=1")).headers.get("x-total-count");
      const before = await count();
      expect((await forge.admin.post("/admin/users", { ...valid, ...change }).expect(status)).message).toBe(message);
      expect(await count()).toBe(before);
    });

    test("twenty concurrent requests with one name create one user", async () => {
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          forge.admin.post("/admin/users", { ...valid, username: index % 2 === 0 ? "grace" : "GRACE", email: `grace${index}@example.com` }),
        ),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(19).fill(422)]);
    });

    test("a renamed user is found by the previous name until another account takes it", async () => {
      const henry = await forge.createUser("henry");
      await forge.admin.post("/admin/users/henry/rename", { new_username: "harry" }).expect(204);
      const moved = await forge.anonymous.get("/users/henry");
      expect([moved.status, moved.headers.get("location")]).toEqual([307, "/api/v1/users/harry"]);
      await forge.createUser("users");
      await forge.admin.post("/admin/users/users/rename", { new_username: "people" }).expect(204);
      expect((await forge.admin.get("/users/users?x=/users/users")).headers.get("location")).toBe("/api/v1/users/people?x=/users/users");
      expect((await henry.get("/user").expect(200)).login).toBe("harry");
      await forge.createUser("henry", { email: "other-henry@example.com" });
      expect((await forge.anonymous.get("/users/henry").expect(200)).login).toBe("henry");
      expect((await forge.admin.post("/admin/users/henry/rename", { new_username: "alice" }).expect(422)).message).toBe("user already exists [name: alice]");
    });

    test("the last administrator cannot be demoted or deleted", async () => {
      const refused = await forge.admin.patch("/admin/users/chief", { login_name: "chief", source_id: 0, admin: false }).expect(400);
      expect(refused.message).toContain("last admin user");
    });

    test("an edit keeps omitted fields", async () => {
      await forge.admin.patch("/admin/users/alice", { login_name: "alice", source_id: 0, full_name: "Alice A.", website: "https://a.example" }).expect(200);
      const edited = await forge.admin.patch("/admin/users/alice", { login_name: "alice", source_id: 0, location: "Here" }).expect(200);
      expect(edited).toMatchObject({ full_name: "Alice A.", website: "https://a.example", location: "Here", email: "alice@example.com" });
      expect((await forge.admin.patch("/admin/users/alice", { source_id: 0 }).expect(422)).message).toBe("[LoginName]: Required");
    });

    test.each(["bad", "a@", "@b.c", "a b@c.d", "a@b@c", ""])("rejects the email address %j for new and for existing users", async (email) => {
      const user = { username: "newcomer", password: "a pass phrase", email, must_change_password: false };
      expect((await forge.admin.post("/admin/users", user)).status).toBe(422);
      const edited = await forge.admin.patch("/admin/users/alice", { login_name: "alice", source_id: 0, email });
      expect([edited.status, edited.json.message]).toEqual([422, `e-mail address contains unsupported character [email: ${email}]`]);
      expect((await forge.admin.get("/users/alice").expect(200)).email).toBe("alice@example.com");
    });

    test("administrators sort users and filter them by visibility and prohibited sign-in", async () => {
      await forge.createUser("zoe");
      await forge.admin.patch("/admin/users/zoe", { login_name: "zoe", source_id: 0, visibility: "limited", prohibit_login: true }).expect(200);
      const listed = async (query: string): Promise<{ id: number; login: string }[]> => forge.admin.get(`/admin/users?limit=50&${query}`).expect(200);
      const names = async (query: string) => (await listed(query)).map(({ login }) => login);
      expect(await names("visibility=limited")).toContain("zoe");
      expect(await names("visibility=private")).not.toContain("zoe");
      for (const query of ["visibility=limited", "visibility=private", "is_prohibit_login=true"]) expect(await names(query)).not.toContain("alice");
      expect(await names("is_prohibit_login=true")).toContain("zoe");
      expect(await names("is_prohibit_login=false")).not.toContain("zoe");
      const ids = (await listed("sort=id")).map(({ id }) => id);
      expect(ids).toEqual(ids.toSorted((a, b) => a - b));
      for (const sort of ["id", "created"]) expect((await listed(`sort=${sort}&order=desc`)).map(({ id }) => id)).toEqual(ids.toReversed());
      expect(await names("sort=name&order=desc")).toEqual((await names("sort=name")).toReversed());
      expect((await names("sort=updated&order=desc"))[0]).toBe("zoe");
    });

    test("lists are paged with a constant number of statements", async () => {
      const pageOf = async (limit: number) => (await forge.cost(() => forge.admin.get(`/admin/users?limit=${limit}`).expect(200))).statements.length;
      expect(await pageOf(5)).toBe(await pageOf(1));
      const first = await forge.admin.get("/admin/users?limit=2");
      expect(first.json).toHaveLength(2);
      expect(first.headers.get("link")).toContain(`<${forge.url}/api/v1/admin/users?limit=2&page=2>; rel="next"`);
    });
  });

  describe("bad input", () => {
    test.each([
      ["[]", 422],
      ["{", 422],
      ['"x"', 422],
      ["null", 422],
      [`{"username":${"[".repeat(100_000)}${"]".repeat(100_000)}}`, 422],
      ['{"username":{"$ne":1}}', 422],
      ['{"username":"a\\u0000b","email":"a@b","password":"long enough"}', 422],
      ['{"__proto__":{"is_admin":true},"username":"x"}', 422],
    ])("answers body %# with %d", async (body, status) => {
      await forge.admin.post("/admin/users", body).expect(status);
    });

    test("rejects a body over the limit before reading it", async () => {
      const answer = await forge.admin.post("/admin/users", JSON.stringify({ username: "x".repeat(5_000_000) }));
      expect(answer.status).toBe(413);
    });

    test("of an unsupported media type or encoding is rejected", async () => {
      expect((await forge.admin.post("/admin/users", "{}", { "content-type": "text/plain" }).expect(422)).message).toBe("[]: Unsupported Content-Type");
      await forge.admin.post("/admin/users", "{}", { "content-encoding": "gzip" }).expect(415);
    });

    test.each(["/users/%ff", "/users/%00", "/users/..%2fadmin", "/users/a%0ab", `/users/${"x".repeat(300)}`])("%s returns 404", async (path) => {
      expect((await forge.admin.get(path)).status).toBe(404);
    });
  });

  test("a repeated request with an Idempotency-Key gets the first response", async () => {
    const body = { username: "ivan", email: "ivan@example.com", password: "ivan's pass phrase", must_change_password: false };
    const headers = { "idempotency-key": "k-1" };
    const first = await forge.admin.post("/admin/users", body, headers);
    const second = await forge.admin.post("/admin/users", body, headers);
    expect([first.status, second.status, second.text]).toEqual([201, 201, first.text]);
    expect(second.headers.get("idempotent-replayed")).toBe("true");
    expect((await forge.admin.post("/admin/users", { ...body, username: "jane" }, headers).expect(422)).message).toContain("Idempotency-Key");
    expect((await forge.admin.post("/admin/users", { ...body, email: "taken@example.com" }, { "idempotency-key": "k-2" })).status).toBe(422);
    expect((await forge.admin.post("/admin/users", { ...body, username: "judy", email: "judy@example.com" }, { "idempotency-key": "k-2" })).status).toBe(201);
  });
});
