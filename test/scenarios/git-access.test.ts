import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { eachDialect } from "../kit/databases.ts";
import { startForge, type TestForge, type TestUser } from "../kit/forge.ts";
import { createGitUser, type GitUser } from "../kit/git-user.ts";

/** Authorization at the URLs of git, and the accepted forms of the URLs. */

const basic = (name: string, secret: string): string => `Basic ${Buffer.from(`${name}:${secret}`).toString("base64")}`;

eachDialect((dialect) => {
  let forge: TestForge;
  let alice: TestUser;
  let bob: TestUser;
  let work: GitUser;
  let tip: string;

  beforeAll(async () => {
    work = await createGitUser();
    forge = await startForge({ dialect });
    alice = await forge.createUser("alice");
    bob = await forge.createUser("Bob");
    await work.init("source");
    tip = await work.commit("source", { "a.txt": "one\n" });
    for (const body of [{ name: "open" }, { name: "Hidden", private: true }, { name: "shelved" }]) {
      await alice.post("/user/repos", body).expect(201);
      await work.git("source", "push", "-q", `${alice.gitOrigin}/alice/${body.name}`, "main");
    }
    await alice.patch("/repos/alice/shelved", { archived: true }).expect(200);
  });
  afterAll(async () => {
    await forge[Symbol.asyncDispose]();
    await work[Symbol.asyncDispose]();
  });

  interface Answer {
    readonly status: number;
    readonly text: string;
    readonly challenge: string | null;
    readonly headers: Headers;
  }
  /** The first request of a fetch or a push. */
  async function knock(path: string, service: "upload" | "receive" | undefined, authorization?: string): Promise<Answer> {
    const query = service === undefined ? "" : `?service=git-${service}-pack`;
    const response = await fetch(`${forge.url}/${path}/info/refs${query}`, { redirect: "manual", headers: { ...(authorization && { authorization }) } });
    return { status: response.status, text: (await response.text()).trimEnd(), challenge: response.headers.get("www-authenticate"), headers: response.headers };
  }

  describe("without credentials", () => {
    test("allows fetching public repositories and requests credentials for a push", async () => {
      expect((await knock("alice/open.git", "upload")).status).toBe(200);
      expect(await knock("alice/open.git", "receive")).toMatchObject({ status: 401, text: "Unauthorized", challenge: expect.stringMatching(/^Basic realm=/) });
    });

    test("does not distinguish hidden from missing repositories", async () => {
      for (const service of ["upload", "receive"] as const) {
        const [hidden, missing] = [await knock("alice/Hidden.git", service), await knock("alice/Nosuch.git", service)];
        expect(hidden).toMatchObject({ status: 401, text: "Unauthorized" });
        const plain = ({ headers, ...rest }: Answer) => ({ ...rest, headers: [...headers].filter(([name]) => name !== "date") });
        expect(plain(hidden)).toEqual(plain(missing));
        expect(plain(await knock("nobody/x.git", service))).toEqual(plain(missing));
      }
    });
  });

  describe("credentials", () => {
    const carriers: readonly (readonly [string, () => string])[] = [
      ["a password", () => basic("alice", alice.password)],
      ["a password under the mail address", () => basic(alice.email, alice.password)],
      ["a token as the password", () => basic("alice", alice.token)],
      ["a token as the password of anybody", () => basic("x-access-token", alice.token)],
      ["a token as the user's name", () => basic(alice.token, "")],
      ["a token as the name, oauth-like", () => basic(alice.token, "x-oauth-basic")],
      ["a bearer token", () => `Bearer ${alice.token}`],
      ["the token header", () => `token ${alice.token}`],
    ];
    test.each(carriers)("%s give access to a hidden repository, for fetches and pushes", async (_what, authorization) => {
      expect((await knock("alice/Hidden.git", "upload", authorization())).status).toBe(200);
      expect((await knock("alice/Hidden.git", "receive", authorization())).status).toBe(200);
    });

    test("wrong credentials are rejected even for public repositories", async () => {
      for (const authorization of [basic("alice", "wrong"), basic("nobody", "wrong"), `token ${"0".repeat(40)}`, "Bearer ../../x", basic("alice", "")]) {
        for (const path of ["alice/open.git", "alice/Hidden.git", "alice/Nosuch.git"]) {
          const answer = await knock(path, "upload", authorization);
          expect(answer.status, `${authorization} ${path}`).toBe(401);
          expect(answer.text).not.toContain("alice");
        }
      }
    });

    test("of another user do not reveal whether a repository exists", async () => {
      for (const service of ["upload", "receive"] as const) {
        const [hidden, missing] = [
          await knock("alice/Hidden.git", service, basic("Bob", bob.token)),
          await knock("alice/Nosuch.git", service, basic("Bob", bob.token)),
        ];
        expect(hidden).toMatchObject({ status: 404, text: "Repository not found" });
        expect(missing).toMatchObject({ status: hidden.status, text: hidden.text });
      }
      expect((await knock("bob/nosuch.git", "receive", basic("Bob", bob.token))).text).toMatch(
        /^Push to create is not enabled for users\. Create the repository on the website/,
      );
    });

    test("a token needs the scope of the operation, except for fetching public repositories", async () => {
      const authorization = basic("alice", alice.password);
      const token = async (...scopes: readonly string[]): Promise<string> => {
        const made = await forge.anonymous.post("/users/alice/tokens", { name: scopes.join(" "), scopes }, { authorization }).expect(201);
        return basic("alice", made.sha1);
      };
      const [issue, read, write] = [await token("write:issue"), await token("read:repository"), await token("write:repository")];
      expect((await knock("alice/open.git", "upload", issue)).status).toBe(200);
      expect(await knock("alice/Hidden.git", "upload", issue)).toMatchObject({ status: 403, text: "Forbidden" });
      expect((await knock("alice/Nosuch.git", "upload", issue)).status).toBe(403);
      expect((await knock("alice/open.git", "receive", issue)).status).toBe(403);
      expect((await knock("alice/Hidden.git", "upload", read)).status).toBe(200);
      expect((await knock("alice/Hidden.git", "receive", read)).status).toBe(403);
      expect((await knock("alice/Hidden.git", "receive", write)).status).toBe(200);
    });

    test("a public-only token sees no hidden repository", async () => {
      const authorization = basic("alice", alice.password);
      const made = await forge.anonymous
        .post("/users/alice/tokens", { name: "public", scopes: ["public-only", "write:repository"] }, { authorization })
        .expect(201);
      expect((await knock("alice/open.git", "upload", basic("alice", made.sha1))).status).toBe(200);
      expect((await knock("alice/Hidden.git", "upload", basic("alice", made.sha1))).status).not.toBe(200);
      expect((await knock("alice/Hidden.git", "receive", basic("alice", made.sha1))).status).not.toBe(200);
    });

    test("of a user who may not sign in any more are rejected", async () => {
      const carol = await forge.createUser("carol");
      await carol.post("/user/repos", { name: "own", private: true }).expect(201);
      expect((await knock("carol/own", "upload", basic("carol", carol.token))).status).toBe(200);
      await forge.admin.patch("/admin/users/carol", { prohibit_login: true, source_id: 0, login_name: "carol" }).expect(200);
      for (const secret of [carol.token, carol.password]) expect((await knock("carol/own", "upload", basic("carol", secret))).status).not.toBe(200);
    });

    test("further requests of a fetch or a push are authorized like the first", async () => {
      const call = (path: string, service: string, authorization?: string) =>
        fetch(`${forge.url}/${path}/git-${service}-pack`, {
          method: "POST",
          headers: { "content-type": `application/x-git-${service}-pack-request`, ...(authorization && { authorization }) },
          body: "0000",
        }).then(async (response) => {
          await response.arrayBuffer();
          return response.status;
        });
      expect(await call("alice/Hidden", "upload")).toBe(401);
      expect(await call("alice/open", "receive")).toBe(401);
      expect(await call("alice/Hidden", "upload", basic("Bob", bob.token))).toBe(404);
      expect(await call("alice/shelved", "receive", basic("alice", alice.token))).toBe(403);
      expect(await call("alice/open", "receive", basic("alice", alice.token))).toBe(200);
    });
  });

  describe("URLs", () => {
    test.each(["alice/open", "alice/open.git", "ALICE/Open.git", "Alice/OPEN", "alice/open.git/"])("%s is the repository", async (path) => {
      expect(await work.git(".", "ls-remote", `${forge.url}/${path}`, "HEAD")).toBe(`${tip}\tHEAD`);
    });

    test("a renamed repository is found under its former name, also by pushes", async () => {
      await alice.post("/user/repos", { name: "former" }).expect(201);
      await work.git("source", "push", "-q", `${alice.gitOrigin}/alice/former.git`, "main");
      await alice.patch("/repos/alice/former", { name: "latter" }).expect(200);
      const moved = await knock("alice/former.git", "upload");
      expect(moved).toMatchObject({ status: 301 });
      expect(moved.headers.get("location")).toBe("/alice/latter/info/refs?service=git-upload-pack");
      const { code, stderr } = await work.attempt(".", "clone", `${forge.url}/alice/former.git`, "followed");
      expect(code).toBe(0);
      expect(stderr).toContain(`redirecting to ${forge.url}/alice/latter`);
      await work.git("source", "push", "-q", `${alice.gitOrigin}/alice/former.git`, `${tip}:refs/heads/more`);
      expect((await alice.get("/repos/alice/latter").expect(200)).branch_count).toBe(2);
    });

    test("do not reveal the new name of a hidden repository to other users", async () => {
      await alice.post("/user/repos", { name: "was-hidden", private: true }).expect(201);
      await alice.patch("/repos/alice/was-hidden", { name: "is-hidden" }).expect(200);
      for (const authorization of [undefined, basic("Bob", bob.token)]) {
        const answer = await knock("alice/was-hidden.git", "upload", authorization);
        expect(answer.status).not.toBe(301);
        expect(JSON.stringify([...answer.headers]) + answer.text).not.toContain("is-hidden");
      }
      expect((await knock("alice/was-hidden.git", "upload", basic("alice", alice.token))).status).toBe(301);
    });

    test("list the refs as text when the service parameter is missing", async () => {
      const answer = await knock("alice/open.git", undefined);
      expect(answer.status).toBe(200);
      expect(answer.headers.get("content-type")).toMatch(/^text\/plain/);
      expect(answer.text).toBe(`${tip}\trefs/heads/main`);
      expect((await knock("alice/Hidden.git", undefined)).status).toBe(401);
    });

    test("responses forbid caching by proxies", async () => {
      const { headers } = await knock("alice/open.git", "upload");
      expect(headers.get("content-type")).toBe("application/x-git-upload-pack-advertisement");
      expect(headers.get("cache-control")).toBe("no-cache, max-age=0, must-revalidate");
      expect(headers.get("pragma")).toBe("no-cache");
      expect(headers.get("expires")).toBe("Fri, 01 Jan 1980 00:00:00 GMT");
    });

    test("name the default branch in HEAD and no packs, to readers only", async () => {
      const read = async (path: string): Promise<unknown> => {
        const answer = await fetch(`${forge.url}/alice/${path}`, { redirect: "manual" });
        return [answer.status, await answer.text()];
      };
      expect([await read("open.git/HEAD"), await read("open/HEAD")]).toEqual([
        [200, "ref: refs/heads/main\n"],
        [200, "ref: refs/heads/main\n"],
      ]);
      expect(await read("open.git/objects/info/packs")).toEqual([200, "\n"]);
      for (const path of ["HEAD", "objects/info/packs"]) {
        expect([path, await read(`closed.git/${path}`)]).toEqual([path, [401, expect.any(String)]]);
        expect([path, await read(`nosuch.git/${path}`)]).toEqual([path, [401, expect.any(String)]]);
      }
    });

    test("reject an unknown service and a body of another type", async () => {
      const bogus = await fetch(`${forge.url}/alice/open.git/info/refs?service=git-bogus`);
      expect([bogus.status, await bogus.text()]).toEqual([400, ""]);
      for (const type of ["text/plain", "application/x-git-receive-pack-request", "application/json"]) {
        const answer = await fetch(`${forge.url}/alice/open.git/git-upload-pack`, { method: "POST", headers: { "content-type": type }, body: "0000" });
        expect([answer.status, await answer.text()]).toEqual([400, ""]);
      }
    });
  });

  test("an archived repository can be cloned, and a push is rejected with the reason", async () => {
    await work.git(".", "clone", "-q", `${alice.gitOrigin}/alice/shelved.git`, "shelved");
    const { code, stderr } = await work.attempt("shelved", "push", "origin", "HEAD:refs/heads/x");
    expect(code).not.toBe(0);
    expect(stderr).toContain("This repo is archived. You can view files and clone it, but cannot push or open issues/pull-requests.");
  });
});
