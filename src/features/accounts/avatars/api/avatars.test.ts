import { createHash } from "node:crypto";
import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createBrowser } from "../../../../../test/kit/browser.ts";
import { createTestClock, type TestClock } from "../../../../../test/kit/clock.ts";
import { eachDialect } from "../../../../../test/kit/databases.ts";
import { countEvents, eventsOf } from "../../../../../test/kit/events.ts";
import { startForge, type TestForge, type TestUser } from "../../../../../test/kit/forge.ts";
import { readPage } from "../../../../../test/kit/page.ts";
import { tableScans } from "../../../../../test/kit/plans.ts";
import { drawIdenticon } from "../identicon.ts";
import { maxPictureBytes } from "../picture.ts";
import { sweepAvatars } from "../service/sweep.ts";

const dayMs = 86_400_000;
const picture = drawIdenticon("somebody's face", 64);
const gif = Buffer.from("R0lGODlhAQABAIAAAAAAAP///ywAAAAAAQABAAACAUwAOw==", "base64");
const base64 = (content: Buffer): { readonly image: string } => ({ image: content.toString("base64") });
const md5 = (text: string): string => createHash("md5").update(text).digest("hex");

eachDialect((dialect) => {
  let forge: TestForge;
  let clock: TestClock;
  let alice: TestUser;
  let bob: TestUser;
  beforeAll(async () => {
    clock = createTestClock(Date.now());
    forge = await startForge({ dialect, clock });
    alice = await forge.createUser("alice");
    bob = await forge.createUser("bob");
    await alice.post("/orgs", { username: "acme" }).expect(201);
    await alice.post("/user/repos", { name: "site" }).expect(201);
    await alice.post("/user/repos", { name: "secret", private: true }).expect(201);
  });
  afterAll(() => forge[Symbol.asyncDispose]());

  const show = async (url: string, headers: Readonly<Record<string, string>> = {}, method = "GET") => {
    const response = await fetch(url, { headers, method, redirect: "manual" });
    return { status: response.status, headers: response.headers, body: Buffer.from(await response.arrayBuffer()) };
  };
  /** Names of all stored files. */
  const kept = async (): Promise<string[]> => {
    const root = join(forge.dataDirectory, "avatars");
    const shards = await readdir(root).catch(() => []);
    return (await Promise.all(shards.map((shard) => readdir(join(root, shard))))).flat();
  };
  const nameIn = (url: string): string => url.slice(url.lastIndexOf("/") + 1);

  describe("generated pictures", () => {
    test("are served without credentials at the address in a user's API response", async () => {
      const { avatar_url: url } = await bob.get("/user").expect(200);
      expect(url).toBe(`${forge.url}/avatars/${md5("bob@example.com")}`);
      const shown = await show(url);
      expect(shown.status).toBe(200);
      expect(shown.body.equals(drawIdenticon(md5("bob@example.com"), 256))).toBe(true);
      expect(Object.fromEntries(shown.headers)).toMatchObject({
        "content-type": "image/png",
        "content-length": String(shown.body.length),
        "cache-control": "public, max-age=21600, no-transform",
        "x-content-type-options": "nosniff",
        "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
        "content-disposition": "inline; filename=avatar.png",
      });
      const head = await show(url, {}, "HEAD");
      expect([head.status, head.body.length, head.headers.get("content-length"), head.headers.get("etag")]).toEqual([
        200,
        0,
        String(shown.body.length),
        shown.headers.get("etag"),
      ]);
    });

    test.each([
      ["?size=64", 64],
      ["?size=1", 16],
      ["?size=0", 16],
      ["?size=-5", 16],
      ["?size=100000", 512],
      ["", 256],
    ])("draws size %j with %d pixels", async (search, side) => {
      const { body } = await show(`${forge.url}/avatars/${md5("bob@example.com")}${search}`);
      expect(body.readUInt32BE(16)).toBe(side);
    });

    test("are served for missing accounts too, with equal headers and without a statement", async () => {
      const answerOf = async (digest: string) => {
        const { result, statements } = await forge.cost(() => show(`${forge.url}/avatars/${digest}`));
        const { date, etag, "content-length": length, ...headers } = Object.fromEntries(result.headers);
        expect(etag).toBe(`"${digest}-256"`);
        expect(Number(length)).toBe(result.body.length);
        return { status: result.status, headers, statements: statements.length, hasDate: date !== undefined };
      };
      expect(await answerOf(md5("nobody@example.com"))).toEqual({ ...(await answerOf(md5("bob@example.com"))), statements: 0 });
    });

    test("are sent again only if the client has another version", async () => {
      const url = `${forge.url}/avatars/${md5("bob@example.com")}`;
      const etag = (await show(url)).headers.get("etag") ?? "";
      const again = await show(url, { "if-none-match": `"other", W/${etag}` });
      expect([again.status, again.body.length, again.headers.get("etag")]).toEqual([304, 0, etag]);
      expect((await show(`${url}?size=64`, { "if-none-match": etag })).status).toBe(200);
    });

    test.each(["x", "..%2f..%2fhearth.db", "%2e%2e%2f", "a".repeat(63), "A".repeat(32), `${"a".repeat(32)}.png`, `${"a".repeat(32)}%00`])(
      "%j is not a valid picture name",
      async (name) => {
        expect((await show(`${forge.url}/avatars/${name}`)).status).toBe(404);
        expect((await show(`${forge.url}/repo-avatars/${name}`)).status).toBe(404);
      },
    );
  });

  describe("an uploaded picture", () => {
    test("replaces a user's generated picture, can be replaced and removed", async () => {
      const before = await kept();
      const { result, statements, processes } = await forge.cost(() => alice.post("/user/avatar", base64(picture)));
      expect([result.status, result.text, processes]).toEqual([204, "", 0]);
      expect(statements.length).toBeLessThanOrEqual(5);
      const { avatar_url: url } = await alice.get("/user").expect(200);
      expect(url).toMatch(new RegExp(`^${forge.url}/avatars/[0-9a-f]{64}$`));
      expect((await bob.get("/users/alice").expect(200)).avatar_url).toBe(url);
      expect(await kept()).toEqual([...before, nameIn(url)]);
      const shown = await forge.cost(() => show(url));
      expect(shown.result.body.equals(picture)).toBe(true);
      expect(shown.statements.length).toBe(1);
      expect(Object.fromEntries(shown.result.headers)).toMatchObject({
        "content-type": "image/png",
        "x-content-type-options": "nosniff",
        "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
        etag: `"${nameIn(url)}"`,
      });
      expect((await show(url, { "if-none-match": `"${nameIn(url)}"` })).status).toBe(304);

      await alice.post("/user/avatar", { image: base64(gif).image.replace(/(.{20})/g, "$1\r\n") }).expect(204);
      const { avatar_url: other } = await alice.get("/user").expect(200);
      expect(other).not.toBe(url);
      const replaced = await show(other);
      expect([replaced.headers.get("content-type"), replaced.headers.get("content-disposition")]).toEqual(["image/gif", "inline; filename=avatar.gif"]);
      expect(replaced.body.equals(gif)).toBe(true);
      // The sweep deletes the replaced one later.
      expect(new Set(await kept())).toEqual(new Set([...before, nameIn(url), nameIn(other)]));
      // A replaced picture's digest is treated like any unknown digest.
      expect((await show(url)).body.equals(drawIdenticon(nameIn(url), 256))).toBe(true);

      await alice.delete("/user/avatar").expect(204);
      await alice.delete("/user/avatar").expect(204);
      expect((await alice.get("/user").expect(200)).avatar_url).toBe(`${forge.url}/avatars/${md5("alice@example.com")}`);
      expect((await show(other)).body.equals(drawIdenticon(nameIn(other), 256))).toBe(true);
    });

    test("gets another address for another owner, so an address does not reveal whether a picture exists", async () => {
      await alice.post("/user/avatar", base64(picture)).expect(204);
      await bob.post("/user/avatar", base64(picture)).expect(204);
      const urls = await Promise.all([alice, bob].map(async (user) => (await user.get("/user").expect(200)).avatar_url));
      expect(urls[0]).not.toBe(urls[1]);
      expect(urls.join()).not.toContain(createHash("sha256").update(picture).digest("hex"));
      await bob.delete("/user/avatar").expect(204);
      expect((await show(urls[0])).body.equals(picture)).toBe(true);
      await alice.delete("/user/avatar").expect(204);
    });

    test("of an organization can be changed only by its owners", async () => {
      await bob.post("/orgs/acme/avatar", base64(picture)).expect(403);
      expect((await bob.delete("/orgs/acme/avatar").expect(403)).message).toBe("Must be an organization owner");
      await forge.anonymous.post("/orgs/acme/avatar", base64(picture)).expect(401);
      await alice.post("/orgs/nosuch/avatar", base64(picture)).expect(404);
      await alice.post("/orgs/acme/avatar", base64(picture)).expect(204);
      const { avatar_url: url } = await forge.anonymous.get("/orgs/acme").expect(200);
      expect((await show(url)).body.equals(picture)).toBe(true);
      await alice.delete("/orgs/acme/avatar").expect(204);
      expect((await alice.get("/orgs/acme").expect(200)).avatar_url).not.toBe(url);
    });

    test("of a repository can be changed only by its administrators, and returns 404 for a hidden repository", async () => {
      expect((await bob.post("/repos/alice/site/avatar", base64(picture)).expect(403)).message).toBe(
        "user should be an owner or a collaborator with admin write of a repository",
      );
      await bob.delete("/repos/alice/site/avatar").expect(403);
      await forge.anonymous.post("/repos/alice/site/avatar", base64(picture)).expect(403);
      const [hidden, missing] = await Promise.all(["secret", "nosuch"].map((name) => bob.post(`/repos/alice/${name}/avatar`, base64(picture))));
      expect([hidden?.status, hidden?.text]).toEqual([404, missing?.text]);
      expect((await alice.get("/repos/alice/site").expect(200)).avatar_url).toBe("");
      await alice.post("/repos/alice/site/avatar", base64(picture)).expect(204);
      const { avatar_url: url } = await forge.anonymous.get("/repos/alice/site").expect(200);
      expect(url).toMatch(new RegExp(`^${forge.url}/repo-avatars/[0-9a-f]{64}$`));
      expect((await show(url)).body.equals(picture)).toBe(true);
      // The address belongs to a repository's picture, not to an account's.
      expect((await show(url.replace("repo-avatars", "avatars"))).body.equals(picture)).toBe(false);
      // Previews of the repository on other sites show its picture, or that of its owner.
      const previewOf = async (): Promise<string | undefined> =>
        /<meta property="og:image" content="([^"]*)"/.exec(await (await fetch(`${forge.url}/alice/site`)).text())?.[1];
      expect(await previewOf()).toBe(url);
      await alice.delete("/repos/alice/site/avatar").expect(204);
      expect((await alice.get("/repos/alice/site").expect(200)).avatar_url).toBe("");
      expect(await previewOf()).toMatch(new RegExp(`^${forge.url}/avatars/`));
      expect((await show(url)).status).toBe(404);
    });

    test("a repository has an image for link previews, which its administrators upload and remove on the page of its avatar", async () => {
      const path = "/alice/site/settings/avatar";
      const [owner, stranger] = [createBrowser(forge.url), createBrowser(forge.url)];
      await owner.signIn(alice);
      await stranger.signIn(bob);
      const upload = async (content: Buffer | string, name = "p.png") =>
        owner.upload(await owner.get(path), `${path}/preview`, {}, [{ field: "preview", name, content }]);
      const previewOf = async (): Promise<string> =>
        /<meta property="og:image" content="([^"]*)"/.exec(await (await fetch(`${forge.url}/alice/site`)).text())?.[1] ?? "";
      const isFallback = async (): Promise<boolean> => (await previewOf()).startsWith(`${forge.url}/avatars/`);
      expect(await isFallback()).toBe(true);
      const refused = await upload("<svg onload=alert(1)>", "x.svg");
      expect([refused.status, readPage(refused.text).text.includes("Social preview"), await isFallback()]).toEqual([422, true, true]);
      expect((await upload(Buffer.concat([picture, Buffer.alloc(maxPictureBytes)]))).status).toBe(422);
      expect((await upload(picture)).location).toBe(`${path}?saved=true`);
      const url = await previewOf();
      // Issues and releases show it, too.
      const base = "/repos/alice/site";
      if ((await alice.get(base).expect(200)).empty) await alice.post(`${base}/contents/a`, { content: "", message: "a" }).expect(201);
      const issue = await alice.post(`${base}/issues`, { title: "An issue", body: "Its text" }).expect(201);
      await alice.post(`${base}/releases`, { tag_name: "v1", name: "First", body: "News" }).expect(201);
      await alice.post(`${base}/contents/b`, { content: "", message: "b", new_branch: "side" }).expect(201);
      const { default_branch } = await alice.get(base).expect(200);
      const pull = await alice.post(`${base}/pulls`, { title: "A change", body: "Its reason", base: default_branch, head: "side" }).expect(201);
      for (const [page, title, description] of [
        [`/alice/site/issues/${issue.number}`, `An issue #${issue.number}`, "Its text"],
        [`/alice/site/pulls/${pull.number}`, `A change #${pull.number}`, "Its reason"],
        ["/alice/site/releases/tag/v1", "First", "News"],
      ] as const) {
        const html = await (await fetch(`${forge.url}${page}`)).text();
        const card = (property: string): string | undefined => new RegExp(`<meta property="og:${property}" content="([^"]*)"`).exec(html)?.[1];
        expect([card("image"), card("title"), card("description")]).toEqual([url, expect.stringContaining(title), description]);
      }
      expect(url).toMatch(new RegExp(`^${forge.url}/repo-avatars/[0-9a-f]{64}$`));
      expect((await show(url)).body.equals(picture)).toBe(true);
      // The avatar is another image, and the API has no field for the preview.
      expect((await alice.get("/repos/alice/site").expect(200)).avatar_url).toBe("");
      expect(readPage((await owner.get(path)).text).text).toContain("Remove social preview");
      expect((await stranger.get(path)).status).toBe(403);
      expect((await stranger.post(`${path}/preview/delete`, {})).status).toBe(403);
      // The file is in use: no sweep deletes it.
      await forge.admin.post("/admin/cron/sweep_avatars").expect(204);
      await forge.settled();
      expect((await show(url)).status).toBe(200);
      await owner.submit(await owner.get(path), `${path}/preview/delete`);
      expect([await isFallback(), (await show(url)).status]).toEqual([true, 404]);
    });

    test("records an event for each change and none for a no-op", async () => {
      const earlier = await countEvents(forge);
      await bob.post("/user/avatar", base64(picture)).expect(204);
      await alice.post("/repos/alice/site/avatar", base64(picture)).expect(204);
      for (let n = 0; n < 2; n++) await bob.delete("/user/avatar").expect(204);
      const events = (await eventsOf(forge)).slice(earlier);
      expect(events.map(({ type, actorId }) => ({ type, actorId }))).toEqual([
        { type: "account.updated", actorId: bob.id },
        { type: "repo.updated", actorId: alice.id },
        { type: "account.updated", actorId: bob.id },
      ]);
      await alice.delete("/repos/alice/site/avatar").expect(204);
    });

    test("requires the scope", async () => {
      const basic = { authorization: `Basic ${Buffer.from(`bob:${bob.password}`).toString("base64")}` };
      const { sha1 } = await forge.anonymous.post("/users/bob/tokens", { name: "reader", scopes: ["read:user"] }, basic).expect(201);
      await forge.anonymous.post("/user/avatar", base64(picture), { authorization: `token ${sha1}` }).expect(403);
      await forge.anonymous.post("/user/avatar", base64(picture)).expect(401);
    });
  });

  describe("invalid pictures are rejected before anything is stored", () => {
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>');
    const vast = Buffer.from(picture);
    test.each([
      [{ image: "%%%" }, 400, "illegal base64 data at input byte 0"],
      [{ image: "zz" }, 400, "illegal base64 data at input byte 0"],
      [{ image: `data:image/png;base64,${picture.toString("base64")}` }, 400, "illegal base64 data at input byte 4"],
      [{}, 422, "[Image]: Required"],
      [{ image: "" }, 422, "[Image]: Required"],
      [{ image: "AAAA" }, 422, "the image is not a PNG, JPEG, GIF or WebP file, or it is damaged"],
      [base64(svg), 422, "the image is not a PNG, JPEG, GIF or WebP file, or it is damaged"],
      [base64(vast.subarray(0, 40)), 422, "the image is not a PNG, JPEG, GIF or WebP file, or it is damaged"],
      [base64(Buffer.from("4749463839610000ffff000000", "hex")), 422, "the image is not a PNG, JPEG, GIF or WebP file, or it is damaged"],
    ])("%j answers %d %s", async (body, status, message) => {
      const before = await kept();
      for (const path of ["/user/avatar", "/orgs/acme/avatar", "/repos/alice/site/avatar"])
        expect((await alice.post(path, body).expect(status)).message).toBe(message);
      expect(await kept()).toEqual(before);
    });

    test("rejects too many bytes even if the body is larger still", async () => {
      await alice.post("/user/avatar", base64(Buffer.alloc(maxPictureBytes + 1, picture))).expect(413);
      await alice.post("/user/avatar", base64(Buffer.alloc(10 * maxPictureBytes, picture))).expect(413);
    });
  });

  describe("the picture of a name", () => {
    test("redirects to the address in the API responses, also for a former name", async () => {
      const there = await show(`${forge.url}/user/avatar/bob/64`);
      expect([there.status, there.headers.get("location")]).toEqual([303, `${forge.url}/avatars/${md5("bob@example.com")}?size=64`]);
      expect((await show(`${forge.url}/user/avatar/BOB/-1`)).headers.get("location")).toBe(`${forge.url}/avatars/${md5("bob@example.com")}`);
      await forge.createUser("oldname");
      await forge.admin.post("/admin/users/oldname/rename", { new_username: "newname" }).expect(204);
      expect((await show(`${forge.url}/user/avatar/oldname/0`)).headers.get("location")).toBe(`${forge.url}/avatars/${md5("oldname@example.com")}`);
      expect((await show(`${forge.url}/user/avatar/acme/32`, {}, "HEAD")).status).toBe(303);
    });

    test("treats a hidden account like a missing one", async () => {
      await forge.createUser("ghostly", { visibility: "private" });
      const answerOf = async (name: string) => {
        const { status, headers, body } = await show(`${forge.url}/user/avatar/${name}/64`);
        return { status, body: body.toString(), location: headers.get("location"), type: headers.get("content-type") };
      };
      expect(await answerOf("ghostly")).toEqual({ status: 404, body: "Not found.\n", location: null, type: "text/plain; charset=utf-8" });
      expect(await answerOf("nosuch")).toEqual(await answerOf("ghostly"));
    });

    test("requires sign-in on an instance that requires it", async () => {
      await using closed = await startForge({ dialect, environment: { HEARTH_SERVER_SIGN_IN_REQUIRED: "true" } });
      const url = `${closed.url}/user/avatar/${closed.admin.name}/64`;
      expect((await show(url)).status).toBe(401);
      expect((await show(url, { authorization: `token ${closed.admin.token}` })).status).toBe(303);
    });
  });

  describe("the files of pictures", () => {
    test("are deleted once their account, organization or repository is gone for good", async () => {
      const before = await kept();
      const carol = await forge.createUser("carol");
      await carol.post("/orgs", { username: "carols" }).expect(201);
      await carol.post("/user/repos", { name: "hers" }).expect(201);
      for (const path of ["/user/avatar", "/orgs/carols/avatar", "/repos/carol/hers/avatar"]) await carol.post(path, base64(picture)).expect(204);
      await alice.post("/user/avatar", base64(picture)).expect(204);
      const { avatar_url: alices } = await alice.get("/user").expect(200);
      const { avatar_url: carols } = await carol.get("/user").expect(200);
      const { avatar_url: hers } = await carol.get("/repos/carol/hers").expect(200);
      const added = (await kept()).filter((name) => !before.includes(name));
      expect(added).toHaveLength(4);

      await carol.delete("/repos/carol/hers").expect(204);
      expect((await show(hers)).status).toBe(404);
      await carol.delete("/orgs/carols").expect(204);
      await forge.admin.delete("/admin/users/carol?purge=true").expect(204);
      expect((await show(carols)).body.equals(drawIdenticon(nameIn(carols), 256))).toBe(true);

      const context = { ...forge.context, clock };
      expect(await sweepAvatars(context)).toBe(0);
      // The forge's own sweep is not due, because its clock does not advance.
      const at = (days: number) => ({ ...context, clock: { now: () => clock.now() + days * dayMs } });
      // A backup that began before the deletion still finds them.
      expect([await sweepAvatars(at(2)), await sweepAvatars(at(4.9))]).toEqual([0, 0]);
      expect(await kept()).toEqual(expect.arrayContaining(added));
      const { result, statements } = await forge.cost(() => sweepAvatars(at(5.1)));
      expect(result).toBeGreaterThanOrEqual(3);
      expect(await kept()).toEqual([nameIn(alices)]);
      expect((await show(alices)).body.equals(picture)).toBe(true);
      // Three statements for each folder of files, and one at the end; none scans a whole table.
      const folders = new Set([...before, ...added].map((name) => name.slice(0, 2))).size;
      expect(statements.length).toBeLessThanOrEqual(3 * folders + 3);
      if (dialect.name === "sqlite") expect(await tableScans(forge.context.db, statements)).toEqual([]);
      await alice.delete("/user/avatar").expect(204);
    });

    test("are swept every day", async () => {
      const orphan = await forge.context.avatars.put(picture);
      for (let days = 0; days < 6; days += 1) {
        clock.advance(dayMs);
        await forge.settled();
      }
      expect(await kept()).not.toContain(orphan);
    });

    test("a lost file counts as no picture", async () => {
      await alice.post("/user/avatar", base64(picture)).expect(204);
      await alice.post("/repos/alice/site/avatar", base64(picture)).expect(204);
      const { avatar_url: own } = await alice.get("/user").expect(200);
      const { avatar_url: site } = await alice.get("/repos/alice/site").expect(200);
      for (const url of [own, site]) {
        const path = join(forge.dataDirectory, "avatars", nameIn(url).slice(0, 2), nameIn(url));
        expect((await stat(path)).size).toBe(picture.length);
        await rm(path);
      }
      expect((await show(own)).body.equals(drawIdenticon(nameIn(own), 256))).toBe(true);
      expect((await show(site)).status).toBe(404);
      await alice.delete("/user/avatar").expect(204);
      await alice.delete("/repos/alice/site/avatar").expect(204);
    });
  });
});
