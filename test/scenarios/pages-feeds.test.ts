import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Browser, createBrowser } from "../kit/browser.ts";
import { eachDialect } from "../kit/databases.ts";
import { startForge, type TestForge, type TestUser } from "../kit/forge.ts";
import { createClient } from "../kit/git.ts";
import { readPage } from "../kit/page.ts";
import { push } from "../kit/push.ts";
import { readXml, textsOf } from "../kit/xml.ts";

/** Pages for programs: feeds, `go get`, search engines, link previews. */

const evil = '"><script>alert(1)</script>]]>&amp;\u001b[31m\u0007\u202e';
const client = createClient();
afterAll(() => client.remove());
const first = client.commit({ "README.md": "# Read\n", "src/a b.ts": "1\n" });
client.commit({ "src/a b.ts": "2\n" }, { message: `Second ${evil}\n\nbody ${evil}\n` });
client.git("tag", "-a", "-m", `tagged ${evil.replace("\u001b[31m\u0007", "")}`, "v1.0");

eachDialect((dialect) => {
  let forge: TestForge;
  let alice: TestUser;
  let bob: TestUser;
  let visitor: Browser;
  beforeAll(async () => {
    forge = await startForge({ dialect });
    alice = await forge.createUser("alice");
    bob = await forge.createUser("bob");
    await forge.createUser("hidden", { visibility: "private" });
    await alice.post("/user/repos", { name: "r", description: `Things ${evil}` }).expect(201);
    await alice.post("/user/repos", { name: "secret", private: true, auto_init: true }).expect(201);
    await push(client, alice, "alice/r", `${first}:refs/heads/main`);
    await push(client, alice, "alice/r", "main", "v1.0");
    await alice.post("/repos/alice/r/issues", { title: `Odd ${evil}`, body: "words" }).expect(201);
    await alice.post("/repos/alice/r/issues/1/comments", { body: `Said ${evil}` }).expect(201);
    await alice.post("/repos/alice/r/releases", { tag_name: "v1.0", name: `One ${evil}`, body: `**Bold** ${evil}` }).expect(201);
    await forge.settled();
    visitor = createBrowser(forge.url);
  });
  afterAll(() => forge[Symbol.asyncDispose]());

  const feedsOf = (path: string) => [`${path}.rss`, `${path}.atom`];

  describe("feeds", () => {
    test.each([
      ...["/alice", "/alice/r", "/alice/r/releases", "/alice/r/tags"].flatMap(feedsOf),
      "/alice/r/rss/branch/main",
      "/alice/r/atom/branch/main/src/a%20b.ts",
    ])("%s is well-formed for any content, and contains nothing active", async (path) => {
      const { status, headers, text } = await visitor.get(path);
      expect(status).toBe(200);
      expect(headers.get("content-type")).toMatch(/^application\/(rss|atom)\+xml; charset=utf-8$/);
      const feed = readXml(text);
      const entries = textsOf(feed, "title");
      expect(entries.length).toBeGreaterThan(1);
      expect(text).not.toMatch(/[\u0000-\u0008\u001b\u202e]/);
      for (const html of [...textsOf(feed, "description"), ...textsOf(feed, "content")]) expect(readPage(html).dangers).toEqual([]);
      for (const id of [...textsOf(feed, "guid"), ...textsOf(feed, "id")]) expect(id).toMatch(/^http:\/\//);
    });

    test("describe events in the user's language", async () => {
      const titles = textsOf(readXml((await visitor.get("/alice/r.rss")).text), "title");
      expect(titles).toEqual(
        expect.arrayContaining([
          expect.stringMatching(/^alice pushed 1 commit to main in alice\/r$/),
          expect.stringMatching(/^alice pushed the branch main in alice\/r$/),
          expect.stringMatching(/^alice opened issue #1 Odd .* in alice\/r$/),
          expect.stringMatching(/^alice commented on issue #1 in alice\/r$/),
          expect.stringMatching(/^alice published the release One .* in alice\/r$/),
          "alice created the repository alice/r",
        ]),
      );
      const german = textsOf(readXml((await visitor.get("/alice.atom", { "accept-language": "de" })).text), "title");
      expect(german).toContain("alice hat 1 Commit auf main in alice/r gepusht");
      const ofFile = await visitor.get("/alice/r/rss/branch/main/README.md");
      expect(textsOf(readXml(ofFile.text), "item")).toHaveLength(1);
    });

    test("are sent again only when they have changed, and run a constant number of statements", async () => {
      const { headers } = await visitor.get("/alice/r.atom");
      expect((await visitor.get("/alice/r.atom", { "if-none-match": headers.get("etag") ?? "" })).status).toBe(304);
      await visitor.get("/alice/r.rss");
      const few = await forge.cost(() => visitor.get("/alice/r.rss"));
      for (let count = 0; count < 5; count += 1) await alice.post("/repos/alice/r/issues/1/comments", { body: `again ${count}` }).expect(201);
      await visitor.get("/alice/r.rss");
      const many = await forge.cost(() => visitor.get("/alice/r.rss"));
      expect(many.statements).toHaveLength(few.statements.length);
    });

    test("a page links to its feeds", async () => {
      const { text } = await visitor.get("/alice/r");
      expect(text).toContain('href="/alice/r.rss"');
      expect((await visitor.get("/alice/r/commits/branch/main")).text).toContain('href="/alice/r/atom/branch/main"');
    });
  });

  describe("private resources", () => {
    test.each([
      "/alice/NAME.rss",
      "/alice/NAME.atom",
      "/alice/NAME/releases.rss",
      "/alice/NAME/tags.atom",
      "/alice/NAME/rss/branch/main",
      "/alice/NAME?go-get=1",
    ])("%s answers like a missing resource", async (template) => {
      const [hidden, missing] = [await visitor.get(template.replace("NAME", "secret")), await visitor.get(template.replace("NAME", "nothing"))];
      expect(hidden.status).toBe(missing.status);
      expect(hidden.text.replaceAll("secret", "nothing")).toBe(missing.text);
    });

    test.each(["rss", "atom", "png", "keys", "gpg"])("a hidden user has no .%s", async (ending) => {
      const [hidden, missing] = [await visitor.get(`/hidden.${ending}`), await visitor.get(`/nobody.${ending}`)];
      expect([hidden.status, hidden.text.replace("hidden", "nobody")]).toEqual([missing.status, missing.text]);
      if (ending !== "gpg" && ending !== "keys") expect(hidden.status).toBe(404);
    });

    test("are in the feed of a user with access, who authenticates with a token", async () => {
      const fetched = await fetch(`${forge.url}/alice/secret.rss?token=${alice.token}`);
      const text = await fetched.text();
      expect([fetched.status, text.includes(alice.token)]).toEqual([200, false]);
      expect((await fetch(`${forge.url}/alice/secret.rss?token=${bob.token}`)).status).toBe(404);
      expect((await visitor.get("/alice.rss")).text).not.toContain("secret");
    });
  });

  describe("resources for programs", () => {
    test("go get finds the repository of a module and of its packages", async () => {
      const host = new URL(forge.url).host;
      for (const path of ["/alice/r?go-get=1", "/alice/r/deep/package?go-get=1"]) {
        const { status, text } = await visitor.get(path);
        expect([status, text.includes(`<meta name="go-import" content="${host}/alice/r git ${forge.url}/alice/r.git">`)]).toEqual([200, true]);
      }
      expect((await visitor.get("/api/v1/version?go-get=1")).text).toContain('"version"');
    });

    test("robots.txt and sitemap list public pages, and exclude others", async () => {
      const robots = await visitor.get("/robots.txt");
      expect(robots.text).toContain(`Sitemap: ${forge.url}/sitemap.xml`);
      const locations = textsOf(readXml((await visitor.get("/sitemap.xml")).text), "loc");
      expect(locations).toEqual([`${forge.url}/alice`, `${forge.url}/alice/r`]);
      expect((await visitor.get("/sitemap.xml?part=2")).status).toBe(404);
    });

    test("pages have metadata for link previews", async () => {
      const { text } = await visitor.get("/alice/r");
      expect(text).toContain('<meta property="og:title" content="alice/r"');
      expect(text).toContain(`<meta property="og:url" content="${forge.url}/alice/r"`);
      expect(readPage((await visitor.get("/alice/r/issues/1")).text).dangers).toEqual([]);
      expect((await visitor.get("/alice/r/issues/1")).text).toContain('<meta property="og:description" content="words"');
      const release = await visitor.get("/alice/r/releases/tag/v1.0");
      expect(readPage(release.text).dangers).toEqual([]);
      expect(release.text).toContain(`<meta property="og:url" content="${forge.url}/alice/r/releases/tag/v1.0"`);
      expect(release.text).toContain('<meta property="og:description" content="**Bold** ');
      expect((await visitor.get("/alice")).text).toContain('<meta property="og:type" content="profile"');
      const [, style] = /^<(\/assets\/[^>]+\.css)>; rel=preload; as=style$/.exec(release.headers.get("link") ?? "") ?? [];
      expect(release.text).toContain(`<link rel="stylesheet" href="${style}"`);
      expect((await visitor.get(style ?? "")).headers.get("cache-control")).toContain("immutable");
    });

    test("avatars are found by user name", async () => {
      const { status, location } = await visitor.get("/alice.png");
      expect(status).toBe(303);
      expect((await fetch(location ?? "")).headers.get("content-type")).toBe("image/png");
    });
  });

  test("a 404 page explains the error and offers links, in the user's language", async () => {
    for (const path of ["/nobody-here", "/alice/r/src/branch/none/x", "/no/such/place/at/all"]) {
      const { status, text } = await visitor.get(path, { accept: "text/html", "accept-language": "de" });
      expect(status, path).toBe(404);
      const page = readPage(text);
      expect([page.dangers, page.headings], path).toEqual([[], ["Nicht gefunden"]]);
      expect(page.text).toContain("Die Seite wurde vielleicht verschoben oder gelöscht");
      // The log contains the same request id as the page.
      const [id = ""] = /\b[0-9a-f]{12}\b/.exec(page.text) ?? [];
      await expect.poll(() => JSON.stringify(forge.log)).toContain(`"requestId":"${id}"`);
    }
    const plain = await fetch(`${forge.url}/no/such/place/at/all`);
    expect(await plain.text()).toBe("Not found.\n");
  });
});
