import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { differences } from "../../../../test/kit/contract.ts";
import { eachDialect } from "../../../../test/kit/databases.ts";
import { eventsOf } from "../../../../test/kit/events.ts";
import { startForge, type TestForge, type TestUser } from "../../../../test/kit/forge.ts";
import { createClient } from "../../../../test/kit/git.ts";
import { push } from "../../../../test/kit/push.ts";

eachDialect((dialect) => {
  let forge: TestForge;
  let alice: TestUser;
  let bob: TestUser;
  let carol: TestUser;
  beforeAll(async () => {
    forge = await startForge({ dialect, environment: { HEARTH_ATTACHMENTS_RELEASE_MAX_BYTES: "5000" } });
    [alice, bob, carol] = [await forge.createUser("alice"), await forge.createUser("bob"), await forge.createUser("carol")];
  });
  afterAll(() => forge[Symbol.asyncDispose]());

  let number = 0;
  /** @returns the path of a new repository owned by alice, with bob as a writer */
  const repository = async (options: Readonly<Record<string, unknown>> = {}): Promise<string> => {
    number += 1;
    await alice.post("/user/repos", { name: `r${number}`, auto_init: true, default_branch: "main", ...options }).expect(201);
    await alice.put(`/repos/alice/r${number}/collaborators/bob`, { permission: "write" }).expect(204);
    return `/repos/alice/r${number}`;
  };
  const events = async (path: string): Promise<unknown[]> => {
    const { id } = await alice.get(path).expect(200);
    return (await eventsOf(forge, { type: "release.*", repositoryId: id })).map(({ type, payload }) => [type, payload.tagName]);
  };
  const count = async (path: string): Promise<number> => (await alice.get(path).expect(200)).release_counter;
  const names = (releases: readonly { tag_name: string }[]): string[] => releases.map(({ tag_name }) => tag_name);

  describe("releases", () => {
    test("a release creates its tag, and deleting the release keeps the tag", async () => {
      const path = await repository();
      const web = `${forge.url}${path.replace("/repos", "")}`;
      const made = await bob.post(`${path}/releases`, { tag_name: "v1.0", name: "One", body: "notes **1**" }).expect(201);
      expect(differences(made, "Release")).toEqual([]);
      expect(made).toEqual({
        id: made.id,
        tag_name: "v1.0",
        target_commitish: "main",
        name: "One",
        body: "notes **1**",
        url: `${forge.url}/api/v1${path}/releases/${made.id}`,
        html_url: `${web}/releases/tag/v1.0`,
        tarball_url: `${web}/archive/v1.0.tar.gz`,
        zipball_url: `${web}/archive/v1.0.zip`,
        upload_url: `${forge.url}/api/v1${path}/releases/${made.id}/assets`,
        draft: false,
        prerelease: false,
        created_at: made.created_at,
        published_at: made.created_at,
        author: expect.objectContaining({ login: "bob", email: expect.stringContaining("bob@noreply.") }),
        assets: [],
      });
      expect(await alice.get(`${path}/tags/v1.0`).expect(200)).toMatchObject({ message: "Initial commit" });
      for (const address of ["/releases/latest", "/releases/tags/v1.0", `/releases/${made.id}`]) {
        for (const user of [bob, forge.anonymous]) expect(await user.get(path + address).expect(200)).toEqual(made);
      }
      const led = await forge.anonymous.get(`/${path.replace("/repos", "")}/releases/latest`);
      expect([led.status, led.headers.get("location")]).toEqual([303, `${path.replace("/repos", "")}/releases/tag/v1.0`]);
      expect((await forge.anonymous.get(`/${path.replace("/repos", "")}/archive/v1.0.zip`)).status).toBe(200);
      expect(await count(path)).toBe(1);

      expect(await bob.patch(`${path}/releases/${made.id}`, { name: "One!", body: "new" }).expect(200)).toEqual({ ...made, name: "One!", body: "new" });
      expect(await bob.patch(`${path}/releases/${made.id}`, { name: "", draft: null }).expect(200)).toEqual({ ...made, name: "One!", body: "new" });
      await bob.delete(`${path}/releases/${made.id}`).expect(204);
      await bob.delete(`${path}/releases/${made.id}`).expect(404);
      await alice.get(`${path}/releases/latest`).expect(404);
      await alice.get(`${path}/tags/v1.0`).expect(200);
      expect(await count(path)).toBe(0);
      expect(await events(path)).toEqual([
        ["release.published", "v1.0"],
        ["release.updated", "v1.0"],
        ["release.updated", "v1.0"],
        ["release.deleted", "v1.0"],
      ]);
      const feed = await alice.get(`${path}/activities/feeds`).expect(200);
      expect(feed).toContainEqual(
        expect.objectContaining({ op_type: "publish_release", ref_name: "v1.0", content: "One", act_user: expect.objectContaining({ login: "bob" }) }),
      );
    });

    test("uses an existing tag, or creates an annotated one on the given target", async () => {
      const path = await repository();
      await alice.post(`${path}/tags`, { tag_name: "plain" }).expect(201);
      expect(await alice.post(`${path}/releases`, { tag_name: "plain", name: "From tag" }).expect(201)).toMatchObject({ target_commitish: "" });
      await alice.post(`${path}/releases`, { tag_name: "v/1 .2", target_commitish: "main" }).expect(422);
      await alice.post(`${path}/releases`, { tag_name: "v/1.2", target_commitish: "main", tag_message: "annotated message" }).expect(201);
      expect(await alice.get(`${path}/tags/v/1.2`).expect(200)).toMatchObject({ message: "annotated message" });
      expect(await alice.get(`${path}/releases/tags/v/1.2`).expect(200)).toMatchObject({ tag_name: "v/1.2" });
      await alice.post(`${path}/contents/x.txt`, { content: "eA==", message: "more" }).expect(201);
      const { id } = (await alice.get(`${path}/branches/main`).expect(200)).commit;
      await alice.post(`${path}/releases`, { tag_name: "at", target_commitish: id.slice(0, 12) }).expect(201);
      expect(await alice.get(`${path}/tags/at`).expect(200)).toMatchObject({ commit: { sha: id } });

      expect((await alice.post(`${path}/releases`, { tag_name: "plain" }).expect(409)).message).toBe("Release is has no Tag");
      expect((await alice.post(`${path}/releases`, { tag_name: "v3", target_commitish: "nosuch" }).expect(404)).message).toBe(
        'target "nosuch" not found: object does not exist [id: nosuch, rel_path: ]',
      );
      await alice.get(`${path}/tags/v3`).expect(404);
      // Git stores refs as files, so these names conflict.
      await alice.post(`${path}/releases`, { tag_name: "plain/1" }).expect(409);
      for (const tag of ["bad tag", "-x..y", "a\u0000b"]) await alice.post(`${path}/releases`, { tag_name: tag }).expect(422);
      expect((await alice.post(`${path}/releases`, { name: "no tag" }).expect(422)).message).toContain("TagName");
      await alice.post("/user/repos", { name: `empty${number}` }).expect(201);
      expect((await alice.post(`/repos/alice/empty${number}/releases`, { tag_name: "v1" }).expect(422)).message).toBe("repo is empty");
    });

    test("of concurrent requests for one tag, exactly one creates a release", async () => {
      const path = await repository();
      const answers = await Promise.all([1, 2, 3, 4].map((n) => alice.post(`${path}/releases`, { tag_name: "v1", name: `n${n}` })));
      expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
      expect(await count(path)).toBe(1);
      const others = await Promise.all([alice.post(`${path}/releases`, { tag_name: "v2" }), alice.post(`${path}/tags`, { tag_name: "v2" })]);
      expect([201, 409]).toContain(others[1]?.status);
      expect(others[0]?.status).toBe(201);
    });
  });

  test("drafts are visible to writers only, create no tag, and can be published by an edit", async () => {
    const path = await repository();
    const first = await bob.post(`${path}/releases`, { tag_name: "v1", name: "One" }).expect(201);
    const draft = await bob.post(`${path}/releases`, { tag_name: "v2", name: "Draft", draft: true, target_commitish: "main" }).expect(201);
    const candidate = await bob.post(`${path}/releases`, { tag_name: "v3-rc", prerelease: true }).expect(201);
    await alice.get(`${path}/tags/v2`).expect(404);
    const all = await alice.get(`${path}/releases`);
    expect([names(all.json), all.headers.get("x-total-count")]).toEqual([["v3-rc", "v2", "v1"], "3"]);
    for (const user of [carol, forge.anonymous]) {
      expect(names(await user.get(`${path}/releases`).expect(200))).toEqual(["v3-rc", "v1"]);
      expect(await user.get(`${path}/releases?draft=true`).expect(200)).toEqual([]);
      for (const address of [`/releases/${draft.id}`, "/releases/tags/v2", `/releases/${draft.id}/assets`]) {
        const hidden = await user.get(path + address);
        expect([hidden.status, hidden.text]).toEqual([404, (await user.get(`${path}/releases/999999`)).text]);
      }
    }
    const lists = [
      ["draft=true", ["v2"]],
      ["draft=false", ["v3-rc", "v1"]],
      ["pre-release=true", ["v3-rc"]],
      ["pre-release=false&draft=false", ["v1"]],
      ["limit=1", ["v3-rc"]],
      ["limit=1&page=3", ["v1"]],
      ["limit=2&page=3", []],
      ["per_page=1", ["v3-rc"]],
      ["per_page=1&page=3", ["v1"]],
      ["per_page=3&limit=1", ["v3-rc"]],
    ] as const;
    for (const [input, expected] of lists) expect([input, names(await bob.get(`${path}/releases?${input}`).expect(200))]).toEqual([input, expected]);
    expect((await bob.get(`${path}/releases?limit=1`)).headers.get("link")).toContain('rel="next"');
    expect(await count(path)).toBe(2);
    expect(await bob.get(`${path}/releases/latest`).expect(200)).toEqual(first);

    const published = await bob.patch(`${path}/releases/${draft.id}`, { draft: false }).expect(200);
    expect(published).toMatchObject({ draft: false, tag_name: "v2", created_at: draft.created_at });
    await alice.get(`${path}/tags/v2`).expect(200);
    expect(await bob.get(`${path}/releases/latest`).expect(200)).toEqual(published);
    expect(await count(path)).toBe(3);
    // A new tag name creates that tag; the old tag is kept.
    await bob.patch(`${path}/releases/${candidate.id}`, { prerelease: false, tag_name: "v3" }).expect(200);
    expect(await alice.get(`${path}/tags?limit=50`).expect(200)).toHaveLength(4);
    await bob.patch(`${path}/releases/${candidate.id}`, { tag_name: "v1" }).expect(409);
    await bob.patch(`${path}/releases/${candidate.id}`, { tag_name: "x y" }).expect(422);
    await bob.patch(`${path}/releases/${candidate.id}`, { tag_name: "v9", target_commitish: "nosuch" }).expect(404);
    await bob.patch(`${path}/releases/999999`, { name: "x" }).expect(404);
    expect(await events(path)).toEqual([
      ["release.published", "v1"],
      ["release.drafted", "v2"],
      ["release.published", "v3-rc"],
      ["release.published", "v2"],
      ["release.updated", "v3"],
    ]);
    await bob.patch(`${path}/releases/${first.id}`, { draft: true }).expect(200);
    expect(await count(path)).toBe(2);
    await carol.get(`${path}/releases/tags/v1`).expect(404);
    await bob.delete(`${path}/releases/tags/v1`).expect(204);
    await bob.delete(`${path}/releases/tags/v1`).expect(404);
    expect(await count(path)).toBe(2);
  });

  test("the tag of a release cannot be deleted alone, and deleting it by a push turns the release into a draft", async () => {
    const path = await repository();
    for (const tag of ["v1", "v2", "v3"]) await alice.post(`${path}/releases`, { tag_name: tag }).expect(201);
    expect((await alice.delete(`${path}/tags/v1`).expect(409)).message).toBe("a tag attached to a release cannot be deleted directly");
    const client = createClient();
    await push(client, alice, path.slice("/repos/".length), ":refs/tags/v1", ":refs/tags/v2");
    expect(await forge.anonymous.get(`${path}/releases`).expect(200)).toMatchObject([{ tag_name: "v3" }]);
    const drafts = await alice.get(`${path}/releases?draft=true`).expect(200);
    expect(names(drafts)).toEqual(["v2", "v1"]);
    expect(await count(path)).toBe(1);
    expect((await events(path)).slice(3).sort()).toEqual([
      ["release.drafted", "v1"],
      ["release.drafted", "v2"],
    ]);
    // Publishing the release again creates the tag again.
    await alice.patch(`${path}/releases/${drafts[0].id}`, { draft: false }).expect(200);
    await alice.get(`${path}/tags/v2`).expect(200);
    expect(await count(path)).toBe(2);
    await alice.delete(`${path}/releases/tags/v3`).expect(204);
    await alice.delete(`${path}/tags/v3`).expect(204);
  });

  test("finds deleted tags of a push with more refs than an event lists", async () => {
    const path = await repository();
    const fullName = path.slice("/repos/".length);
    await alice.post(`${path}/releases`, { tag_name: "z-last" }).expect(201);
    const client = createClient();
    const oid = client.commit({ "a.txt": "a" });
    const many = Array.from({ length: 210 }, (_unused, n) => `refs/tags/t${n}`);
    await push(client, alice, fullName, ...many.map((name) => `${oid}:${name}`));
    expect(await count(path)).toBe(1);
    await push(client, alice, fullName, ...many.map((name) => `:${name}`), ":refs/tags/z-last");
    expect(await count(path)).toBe(0);
    expect(await alice.get(`${path}/releases`).expect(200)).toMatchObject([{ tag_name: "z-last", draft: true }]);
  });

  describe("release attachments", () => {
    const form = (name: string, content: string | Uint8Array, field = "attachment") => ({
      body: Buffer.concat([
        Buffer.from(`--form\r\nContent-Disposition: form-data; name="${field}"; filename="${name}"\r\n\r\n`),
        Buffer.from(content),
        Buffer.from("\r\n--form--\r\n"),
      ]),
      headers: { "content-type": "multipart/form-data; boundary=form" },
    });
    const alone = { "content-type": "application/octet-stream" };
    const upload = (user: TestUser, path: string, name: string, content: string | Uint8Array) => {
      const { body, headers } = form(name, content);
      return user.post(path, body, headers);
    };

    test("can be uploaded as forms or raw bodies, and are listed, renamed and deleted", async () => {
      const path = await repository();
      const release = await alice.post(`${path}/releases`, { tag_name: "v/1" }).expect(201);
      const assets = `${path}/releases/${release.id}/assets`;
      const made = await upload(bob, `${assets}?name=app.bin`, "app.txt", Buffer.from([0, 1, 2])).expect(201);
      expect(differences(made, "Attachment")).toEqual([]);
      expect(made).toMatchObject({ name: "app.bin", size: 3, download_count: 0, browser_download_url: `${forge.url}/attachments/${made.uuid}` });
      await upload(bob, assets, "app.bin", "of the same name").expect(201);
      const raw = await bob.post(`${assets}?name=tool.exe`, "raw octets", alone).expect(201);
      expect((await bob.post(assets, "raw octets", alone).expect(400)).message).toBe("Could not determine name of attachment.");
      const wrong = form("q.txt", "q", "wrong");
      await bob.post(assets, wrong.body, wrong.headers).expect(400);
      await bob.post(assets).expect(400);
      await upload(bob, assets, "large.bin", Buffer.alloc(5001)).expect(413);
      await upload(carol, assets, "e.txt", "e").expect(403);
      await upload(alice, `${path}/releases/999999/assets`, "e.txt", "e").expect(404);

      const listed = await forge.anonymous.get(assets).expect(200);
      expect(listed.map(({ name }: { name: string }) => name)).toEqual(["app.bin", "app.bin", "tool.exe"]);
      expect(listed[0]).toEqual({ ...made, browser_download_url: `${forge.url}${path.replace("/repos", "")}/releases/download/v/1/app.bin` });
      expect(await forge.anonymous.get(`${assets}/${made.id}`).expect(200)).toEqual(made);
      const address = `${forge.url}${path.replace("/repos", "")}/releases/download/v/1/app.bin`;
      expect((await alice.get(`${path}/releases/${release.id}`).expect(200)).assets[0]).toEqual({ ...made, browser_download_url: address });
      const other = await alice.post(`${path}/releases`, { tag_name: "v2" }).expect(201);
      await alice.get(`${path}/releases/${other.id}/assets/${made.id}`).expect(404);
      await alice.delete(`${path}/releases/${other.id}/assets/${made.id}`).expect(404);
      expect(await bob.patch(`${assets}/${raw.id}`, { name: "better.exe" }).expect(201)).toEqual({ ...raw, name: "better.exe" });
      await bob.patch(`${assets}/${raw.id}`, { name: "a/b" }).expect(422);
      await bob.delete(`${assets}/${raw.id}`).expect(204);
      await bob.delete(`${assets}/${raw.id}`).expect(404);
      expect((await forge.anonymous.get(`//attachments/${raw.uuid}`)).status).toBe(404);
    });

    test("are downloaded by tag and file name, whole or in ranges, and counted", async () => {
      const path = await repository();
      const web = `/${path.replace("/repos", "")}/releases/download`;
      const release = await alice.post(`${path}/releases`, { tag_name: "v/1" }).expect(201);
      const made = await upload(alice, `${path}/releases/${release.id}/assets`, "page.html", "<script>alert(1)</script>").expect(201);
      const got = await forge.anonymous.get(`${web}/v/1/page.html`);
      expect([got.status, got.text, got.headers.get("etag")]).toEqual([200, "<script>alert(1)</script>", `"${made.uuid}"`]);
      expect([got.headers.get("content-type"), got.headers.get("x-content-type-options"), got.headers.get("content-security-policy")]).toEqual([
        "text/plain; charset=utf-8",
        "nosniff",
        expect.stringContaining("sandbox"),
      ]);
      const part = await forge.anonymous.get(`${web}/v%2F1/page.html`, { range: "bytes=1-6" });
      expect([part.status, part.text, part.headers.get("content-range")]).toEqual([206, "script", "bytes 1-6/25"]);
      expect((await forge.anonymous.get(`${web}/v/1/page.html`, { "if-none-match": `"${made.uuid}"` })).status).toBe(304);
      const head = await fetch(`${forge.url}${web.slice(1)}/v/1/page.html`, { method: "HEAD" });
      expect([head.status, head.headers.get("content-length")]).toEqual([200, "25"]);
      expect((await alice.get(`${path}/releases/${release.id}`).expect(200)).assets).toMatchObject([{ download_count: 1 }]);
      for (const missing of ["v/1/none.bin", "v/1/..%2f..%2fetc", "none/page.html", "page.html"]) {
        expect((await forge.anonymous.get(`${web}/${missing}`)).status).toBe(404);
      }
      expect((await forge.anonymous.get(`${web}/v/1/none.bin`)).text).toBe("Not Found\n");
    });

    test("are downloaded from the latest release, unless a release has the tag `latest`", async () => {
      const path = await repository();
      const web = `/${path.replace("/repos", "")}/releases/download/latest`;
      const publish = async (tag: string, more: object = {}) => {
        const { id } = await alice.post(`${path}/releases`, { tag_name: tag, ...more }).expect(201);
        await upload(alice, `${path}/releases/${id}/assets`, "app.txt", `app of ${tag}`).expect(201);
      };
      expect((await forge.anonymous.get(`${web}/app.txt`)).status).toBe(404);
      await publish("v1");
      await publish("v2");
      await publish("v3-rc", { prerelease: true });
      await publish("v4", { draft: true });
      for (const user of [forge.anonymous, alice]) expect((await user.get(`${web}/app.txt`)).text).toBe("app of v2");
      expect((await forge.anonymous.get(`${web}/none.txt`)).status).toBe(404);
      expect((await forge.anonymous.get(`/${path.replace("/repos", "")}/releases/latest`)).headers.get("location")).toMatch(/\/releases\/tag\/v2$/);
      await publish("latest", { prerelease: true });
      expect((await forge.anonymous.get(`${web}/app.txt`)).text).toBe("app of latest");
    });

    test("are downloaded by their ids, also below the repository", async () => {
      const path = await repository();
      const other = await repository();
      const { id } = await alice.post(`${path}/releases`, { tag_name: "v1" }).expect(201);
      const made = await upload(alice, `${path}/releases/${id}/assets`, "app.txt", "content").expect(201);
      const below = (repo: string, rest: string) => `/${repo.replace("/repos", "")}${rest}/${made.uuid}`;
      for (const rest of ["/attachments", "/releases/attachments"]) {
        const got = await forge.anonymous.get(below(path, rest));
        expect([rest, got.status, got.text]).toEqual([rest, 200, "content"]);
        expect((await forge.anonymous.get(below(other, rest))).status).toBe(404);
      }
    });

    test("have a Last-Modified header, and 304 is sent to clients that are up to date", async () => {
      const path = await repository();
      const { id } = await alice.post(`${path}/releases`, { tag_name: "v1" }).expect(201);
      const made = await upload(alice, `${path}/releases/${id}/assets`, "app.txt", "content").expect(201);
      const date = new Date(made.created_at).toUTCString();
      const later = new Date(Date.parse(made.created_at) + 3_600_000).toUTCString();
      const earlier = new Date(Date.parse(made.created_at) - 1_000).toUTCString();
      const byId = `//attachments/${made.uuid}`;
      const byName = `/${path.replace("/repos", "")}/releases/download/v1/app.txt`;
      for (const address of [byId, byName]) {
        const status = async (headers: Readonly<Record<string, string>>) => (await forge.anonymous.get(address, headers)).status;
        expect((await forge.anonymous.get(address)).headers.get("last-modified")).toBe(date);
        expect(await status({ "if-modified-since": date })).toBe(304);
        expect(await status({ "if-modified-since": earlier })).toBe(200);
        expect(await status({ "if-modified-since": "yesterday" })).toBe(200);
        // If-None-Match takes precedence.
        expect(await status({ "if-modified-since": date, "if-none-match": '"another"' })).toBe(200);
        expect(await status({ "if-modified-since": earlier, "if-none-match": `"${made.uuid}"` })).toBe(304);
        expect(await status({ range: "bytes=0-1", "if-range": date })).toBe(206);
        expect(await status({ range: "bytes=0-1", "if-range": `"${made.uuid}"` })).toBe(206);
        expect(await status({ range: "bytes=0-1", "if-range": earlier })).toBe(200);
      }
      expect((await forge.anonymous.get(byId, { "if-modified-since": later })).status).toBe(304);
      // Another file can get this name, so dates are not reliable.
      expect((await forge.anonymous.get(byName, { "if-modified-since": later })).status).toBe(200);
    });

    test("files of drafts and of hidden repositories are not found", async () => {
      const path = await repository();
      const hidden = await repository({ private: true });
      const draft = await alice.post(`${path}/releases`, { tag_name: "v1", draft: true }).expect(201);
      const secret = await alice.post(`${hidden}/releases`, { tag_name: "v1" }).expect(201);
      for (const [at, { id }] of [
        [path, draft],
        [hidden, secret],
      ] as const) {
        const made = await upload(alice, `${at}/releases/${id}/assets`, "a.bin", "a").expect(201);
        const below = `/${at.replace("/repos", "")}`;
        const addresses = [
          `//attachments/${made.uuid}`,
          `${below}/attachments/${made.uuid}`,
          `${below}/releases/attachments/${made.uuid}`,
          `/${at.replace("/repos", "")}/releases/download/v1/a.bin`,
        ];
        for (const user of [carol, forge.anonymous]) {
          for (const address of addresses) expect([address, (await user.get(address)).status]).toEqual([address, 404]);
          await user.get(`${at}/releases/${id}/assets/${made.id}`).expect(404);
        }
        for (const address of addresses) expect([address, (await bob.get(address)).text]).toEqual([address, "a"]);
        await bob.delete(`${at}/releases/${id}`).expect(204);
        expect((await bob.get(`//attachments/${made.uuid}`)).status).toBe(404);
      }
    });
  });

  test("releases require write permission, and protected tags require being listed", async () => {
    const path = await repository();
    const made = await alice.post(`${path}/releases`, { tag_name: "v1" }).expect(201);
    const writes = [
      ["post", "/releases", { tag_name: "evil" }],
      ["patch", `/releases/${made.id}`, { name: "evil" }],
      ["delete", `/releases/${made.id}`, undefined],
      ["delete", "/releases/tags/v1", undefined],
      ["patch", `/releases/${made.id}/assets/1`, { name: "evil" }],
      ["delete", `/releases/${made.id}/assets/1`, undefined],
    ] as const;
    for (const [method, address, body] of writes) {
      expect((await carol[method](path + address, body).expect(403)).message).toBe("user should have a permission to write to a repo");
      await forge.anonymous[method](path + address, body).expect(401);
    }
    const hidden = await repository({ private: true });
    const secret = await alice.post(`${hidden}/releases`, { tag_name: "v1" }).expect(201);
    for (const address of ["/releases", "/releases/latest", "/releases/tags/v1", `/releases/${secret.id}`]) await carol.get(hidden + address).expect(404);
    // The id of a release in another repository is not found.
    for (const method of ["get", "patch", "delete"] as const)
      await alice[method](`${path}/releases/${secret.id}`, method === "get" ? undefined : {}).expect(404);

    await alice.post(`${path}/tag_protections`, { name_pattern: "v*", whitelist_usernames: ["alice"] }).expect(201);
    expect((await bob.post(`${path}/releases`, { tag_name: "v3.0.0" }).expect(422)).message).toBe("release tag name is protected [tag_name: v3.0.0]");
    const draft = await bob.post(`${path}/releases`, { tag_name: "v3.0.0", draft: true }).expect(201);
    await bob.patch(`${path}/releases/${draft.id}`, { draft: false }).expect(422);
    expect(await bob.get(`${path}/releases/${draft.id}`).expect(200)).toMatchObject({ draft: true });
    await bob.post(`${path}/releases`, { tag_name: "w1" }).expect(201);
    await alice.post(`${path}/releases`, { tag_name: "v3.0.1" }).expect(201);

    await alice.patch(path, { archived: true }).expect(200);
    await bob.patch(`${path}/releases/${made.id}`, { name: "still" }).expect(200);
    await alice.post(`${path}/releases`, { tag_name: "new" }).expect(423);
    await alice.patch(path, { archived: false, has_releases: false }).expect(200);
    await alice.get(`${path}/releases`).expect(200);
    expect((await carol.get(`${path}/releases`).expect(403)).message).toBe("user should have specific read permission or be a repo admin or a site admin");
    await alice.post(`${path}/releases`, { tag_name: "off" }).expect(403);
  });

  test("the number of statements does not depend on the number of releases", async () => {
    const path = await repository();
    for (const tag of ["a", "b", "c"]) await alice.post(`${path}/releases`, { tag_name: tag }).expect(201);
    for (const [limit, statements] of [
      [1, 5],
      [3, 5],
    ] as const) {
      const cost = await forge.cost(() => alice.get(`${path}/releases?limit=${limit}`).expect(200));
      expect([limit, cost.statements.length, cost.processes]).toEqual([limit, statements, 0]);
    }
    const { id } = await alice.get(`${path}/releases/latest`).expect(200);
    expect((await forge.cost(() => alice.get(`${path}/releases/${id}`).expect(200))).statements).toHaveLength(4);
    const made = await forge.cost(() => alice.post(`${path}/releases`, { tag_name: "d", target_commitish: "main" }).expect(201));
    expect([made.statements.length, made.processes]).toEqual([20, 0]);
  });
});
