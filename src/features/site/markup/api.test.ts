import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createApiClient } from "../../../../test/kit/api-client.ts";
import { eachDialect } from "../../../../test/kit/databases.ts";
import { startForge, type TestForge, type TestUser } from "../../../../test/kit/forge.ts";

eachDialect((dialect) => {
  let forge: TestForge;
  let alice: TestUser;
  let bob: TestUser;
  let commit: string;

  beforeAll(async () => {
    forge = await startForge({ dialect });
    alice = await forge.createUser("alice");
    bob = await forge.createUser("bob");
    await forge.createUser("hidden", { visibility: "private" });
    await alice.post("/user/repos", { name: "demo", auto_init: true, private: true }).expect(201);
    commit = (await alice.get("/repos/alice/demo/branches/main").expect(200)).commit.id;
  });
  afterAll(() => forge[Symbol.asyncDispose]());

  const link = (path: string, words: string) => `<a data-markdown-generated-content="" href="${forge.url}/${path}" rel="nofollow">${words}</a>`;
  const render = async (user: TestUser, body: object, path = "/markdown") => (await user.post(path, body)).text.trim();

  describe("rendering", () => {
    test("returns HTML that is visible only to the caller", async () => {
      const answer = await alice.post("/markdown", { Text: "*a* #1", Mode: "comment", Context: "alice/demo" });
      expect({ status: answer.status, type: answer.headers.get("content-type"), sniffing: answer.headers.get("x-content-type-options") }).toEqual({
        status: 200,
        type: "text/html;charset=utf-8",
        sniffing: "nosniff",
      });
      expect(answer.text).toContain("<em>a</em>");
      expect(answer.text).toContain(`href="${forge.url}/alice/demo/issues/1"`);
    });

    test("supports the modes: plain Markdown, document, comment, wiki page and file", async () => {
      const body = { Text: "a\nb #1 [l](x.md)", Context: "/alice/demo" };
      const at = (path: string) => `<a href="${forge.url}/alice/demo/${path}" rel="nofollow">l</a>`;
      expect(await render(alice, body)).toBe('<p dir="auto">a\nb #1 <a href="x.md" rel="nofollow">l</a></p>');
      expect(await render(alice, { ...body, Mode: "markdown" })).toBe('<p dir="auto">a\nb #1 <a href="x.md" rel="nofollow">l</a></p>');
      expect(await render(alice, { ...body, Mode: "gfm" })).toBe(`<p dir="auto">a\nb #1 ${at("src/x.md")}</p>`);
      expect(await render(alice, { ...body, Mode: "comment" })).toContain("<br />");
      expect(await render(alice, { ...body, Mode: "wiki" })).toContain(at("wiki/x.md"));
      expect(await render(alice, { ...body, Wiki: true })).toContain(at("wiki/x.md"));
      expect(await render(alice, { ...body, Mode: "gfm", Context: "/alice/demo/src/branch/main/docs" })).toContain(at("src/branch/main/docs/x.md"));
      expect(await render(alice, { ...body, Mode: "file", FilePath: "docs/y.md", Context: "/alice/demo/src/branch/a/b/docs" }, "/markup")).toContain(
        at("src/branch/a/b/docs/x.md"),
      );
      expect(await render(alice, { Text: "a,b\n1,2\n", Mode: "file", FilePath: "x.csv" }, "/markup")).toContain('<table class="data-table">');
    });

    test("rejects input that cannot be rendered", async () => {
      for (const [path, body, message] of [
        ["/markdown", { Text: "x", Mode: "odd" }, "unsupported render mode: odd"],
        ["/markup", { Text: "x", Mode: "odd" }, "unsupported render mode: odd"],
        ["/markdown", { Text: "x", Mode: "file" }, "unable to find a render"],
        ["/markup", { Text: "x", Mode: "file", FilePath: "x.unknown" }, "unable to find a render"],
      ] as const) {
        expect(await alice.post(path, body).expect(422)).toMatchObject({ message });
      }
      await alice.post("/markdown", { Text: 7 }).expect(422);
      expect((await forge.anonymous.post("/markdown", { Text: "x" })).json).toMatchObject({ message: "token is required" });
      expect((await forge.anonymous.post("/markdown/raw", "x", { "content-type": "text/plain" })).status).toBe(401);
      expect((await alice.post("/markdown", { Text: "x".repeat(2_100_000) })).status).toBe(413);
      expect((await alice.post("/markdown/raw", "x".repeat(2_100_000), { "content-type": "text/plain" })).status).toBe(413);
    });

    test("accepts a plain text body", async () => {
      const answer = await alice.post("/markdown/raw", "# Title\n\n[x](javascript:alert(1)) #1", { "content-type": "text/plain" });
      expect(answer.text).toBe('<h1>Title</h1>\n<p dir="auto">x #1</p>\n');
      expect((await alice.post("/markdown/raw", "", { "content-type": "text/plain" })).text).toBe("");
    });

    test("rejects a body that is not valid UTF-8", async () => {
      const answer = await alice.post("/markdown/raw", Buffer.from([0x23, 0x20, 0xff, 0xfe]), { "content-type": "text/plain" });
      expect([answer.status, answer.json.message]).toEqual([422, "[]: the body is not valid UTF-8"]);
    });

    test("accepts a token with any scope", async () => {
      const basic = createApiClient(forge.url, `Basic ${Buffer.from(`alice:${alice.password}`).toString("base64")}`);
      const { sha1 } = await basic.post("/users/alice/tokens", { name: "narrow", scopes: ["read:user"] }).expect(201);
      expect((await createApiClient(forge.url, `token ${sha1}`).post("/markdown", { Text: "x" })).status).toBe(200);
    });
  });

  describe("references", () => {
    test("links visible users; hidden and missing ones are indistinguishable", async () => {
      const body = { Text: "@alice @BOB @hidden @nobody @chief", Mode: "gfm" };
      expect(await render(bob, body)).toBe(`<p dir="auto">${link("alice", "@alice")} ${link("BOB", "@BOB")} @hidden @nobody ${link("chief", "@chief")}</p>`);
      expect(await render(forge.admin, body)).toContain(link("hidden", "@hidden"));
    });

    test("links a commit only for users who can read it", async () => {
      // A short abbreviation can consist of digits only, which is not linked.
      const words = (oid: string) => `<code>${oid.slice(0, 10)}</code>`;
      const texts = [commit, commit.slice(0, 38), `alice/demo@${commit}`, "0123456789abcdef0123456789abcdef01234567", "bad0bad"];
      const body = { Text: texts.join(" "), Mode: "comment", Context: "alice/demo" };
      expect(await render(alice, body)).toBe(
        `<p dir="auto">${link(`alice/demo/commit/${commit}`, words(commit))} ${link(`alice/demo/commit/${commit.slice(0, 38)}`, words(commit))}` +
          ` ${link(`alice/demo/commit/${commit}`, `<code>alice/demo@${commit.slice(0, 10)}</code>`)} ${texts.slice(3).join(" ")}</p>`,
      );
      expect(await render(bob, body)).toBe(`<p dir="auto">${texts.join(" ")}</p>`);
    });

    test("links an issue from the text alone, whether or not it exists", async () => {
      const of = async (user: TestUser, place: string) => (await render(user, { Text: `${place}#1`, Mode: "gfm" })).replaceAll(place, "PLACE");
      expect(await of(bob, "alice/demo")).toBe(await of(bob, "nobody/nothing"));
    });

    test("cost a fixed number of statements", async () => {
      const cost = async (count: number) => {
        const text = Array.from({ length: count }, (_, at) => `@user-${at} a/b@0123ab${at % 10}`).join(" ");
        return (await forge.cost(() => render(alice, { Text: text, Mode: "comment", Context: "alice/demo" }))).statements.length;
      };
      expect(await cost(300)).toBe(await cost(3));
    });
  });

  describe("in a repository", () => {
    test("takes the context from the path and requires read access", async () => {
      const body = { Text: "#1 [l](x.md)", Mode: "comment", Context: "bob/other" };
      expect(await render(alice, body, "/repos/alice/demo/markdown")).toContain(`${forge.url}/alice/demo/issues/1`);
      expect(await render(alice, { ...body, Mode: "file", FilePath: "a.md" }, "/repos/alice/demo/markup")).toContain(`${forge.url}/alice/demo/src/x.md`);
      expect((await alice.post("/repos/alice/demo/markdown/raw", "*x*", { "content-type": "text/plain" })).text).toContain("<em>x</em>");
      expect((await bob.post("/repos/alice/demo/markdown", body)).status).toBe(404);
      expect((await forge.anonymous.post("/repos/alice/demo/markdown", body)).status).toBe(404);
    });
  });
});
