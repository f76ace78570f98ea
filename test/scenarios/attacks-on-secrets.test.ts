import { expect, test } from "vitest";
import { canary, underAttack } from "../kit/attack.ts";
import { createBrowser } from "../kit/browser.ts";
import { eachDialect } from "../kit/databases.ts";

/** Hidden resources stay hidden: by URL, by object id, by counts, and after a repository was made private. */

const base64 = (text: string): string => Buffer.from(text).toString("base64");

eachDialect((dialect) => {
  const attack = underAttack(dialect);

  test("a hidden repository answers like a missing one at every URL", async () => {
    const { probe, secretTip, mallory, raw } = attack();
    const below = [
      "",
      "/branches",
      "/branches/main",
      "/tags",
      `/tags/${canary}`,
      "/commits",
      "/contents",
      "/contents/a.txt",
      "/raw/a.txt",
      "/media/a.txt",
      `/git/commits/${secretTip}`,
      `/git/commits/${secretTip}.diff`,
      `/git/trees/${secretTip}`,
      `/git/notes/${secretTip}`,
      "/git/refs",
      "/git/refs/heads/main",
      "/archive/main.zip",
      "/compare/main...main",
      "/languages",
      "/licenses",
      "/topics",
      "/collaborators",
      "/assignees",
      "/reviewers",
      "/editorconfig/a.txt",
    ];
    for (const path of below) {
      const [hidden, missing] = [await probe(`/repos/alice/secret${path}`), await probe(`/repos/alice/nosuch${path}`)];
      expect(hidden.status, path).toBe(404);
      expect(hidden.text.replaceAll("secret", "nosuch"), path).toBe(missing.text);
    }
    for (const path of [
      "alice/secret?go-get=1",
      "alice/secret.rss",
      "alice/secret/raw/branch/main/a.txt",
      "alice/secret/archive/main.zip",
      "alice/secret",
      `alice/secret/commit/${secretTip}.diff`,
    ]) {
      for (const headers of [{}, { authorization: `token ${mallory.token}` }]) {
        const [hidden, missing] = [await raw(`/${path}`, headers), await raw(`/${path.replace("secret", "nosuch")}`, headers)];
        expect(hidden.text).not.toContain(canary);
        expect({ ...hidden, text: hidden.text.replaceAll("secret", "nosuch") }, path).toEqual(missing);
      }
    }
  });

  test("requests for hidden and missing repositories run the same number of statements", async () => {
    const { forge, mallory } = attack();
    const veiled = await forge.createUser("veiled", { visibility: "private" });
    await veiled.post("/orgs", { username: "veiled-guild", visibility: "private" }).expect(201);
    for (const [hidden, missing] of [
      ["/repos/alice/secret", "/repos/alice/nosuch"],
      ["/repos/alice/secret/issues", "/repos/alice/nosuch/issues"],
      ["//alice/secret", "//alice/nosuch"],
      ["//alice/secret.git/info/refs?service=git-upload-pack", "//alice/nosuch.git/info/refs?service=git-upload-pack"],
      ["/users/veiled", "/users/absent"],
      ["//veiled", "//absent"],
      ["/orgs/veiled-guild", "/orgs/absent-guild"],
    ] as const) {
      for (const user of [mallory, forge.anonymous]) {
        const [one, other] = [await forge.cost(() => user.get(hidden)), await forge.cost(() => user.get(missing))];
        expect([hidden, one.result.status, one.statements]).toEqual([hidden, other.result.status, other.statements]);
      }
    }
  });

  test("writes to a hidden repository are answered like writes to a missing one", async () => {
    const { probe, alice } = attack();
    for (const [method, path, body] of [
      ["PATCH", "", { name: "taken" }],
      ["DELETE", "", undefined],
      ["POST", "/branches", { new_branch_name: "x" }],
      ["DELETE", "/branches/main", undefined],
      ["POST", "/contents/x.txt", { content: "" }],
      ["PUT", "/collaborators/mallory", { permission: "admin" }],
      ["PUT", "/topics", { topics: ["x"] }],
      ["POST", "/diffpatch", { content: "x" }],
    ] as const) {
      expect((await probe(`/repos/alice/secret${path}`, { method, body })).status, path).toBe(404);
    }
    expect(await alice.get("/repos/alice/secret").expect(200)).toMatchObject({ name: "secret", private: true });
  });

  test("lists and counts contain only what the caller may see", async () => {
    const { probe, alice, mallory, forge } = attack();
    const { id } = await alice.get("/repos/alice/secret").expect(200);
    for (const path of [
      "/repos/search?q=secret",
      `/repos/search?q=${canary}&includeDesc=true`,
      "/repos/search?uid=2&private=true&limit=1",
      "/users/alice/repos?limit=1",
    ]) {
      const mine = await alice.get(path);
      const theirs = await probe(path);
      const count = (answer: { headers: Headers }) => Number(answer.headers.get("x-total-count"));
      expect(count(theirs), path).toBe(count(mine) - 1);
      expect(theirs.headers.get("link") ?? "").not.toContain("page=2");
    }
    expect((await probe(`/repositories/${id}`)).status).toBe(404);
    await alice.put("/repos/alice/secret/topics/canary-topic").expect(204);
    expect(JSON.stringify((await probe("/topics/search?q=canary-topic")).json)).not.toContain("canary-topic");
    for (const sort of ["lastlogin", "reverselastlogin", "password_hash"]) expect((await probe(`/users/search?sort=${sort}`)).status).toBeLessThan(500);
    expect(
      (await mallory.get(`/users/search?q=${encodeURIComponent(alice.email)}`).expect(200)).data.map(({ email }: { email: string }) => email),
    ).not.toContain(alice.email);
    expect((await forge.anonymous.get("/repos/search").expect(200)).data.map(({ name }: { name: string }) => name)).not.toContain("secret");
  });

  test("sorting a list does not reveal hidden sort keys", async () => {
    const { probe, alice, bob, forge } = attack();
    const order = async (sort: string): Promise<readonly string[]> => {
      const { status, json } = await probe(`/users/search?limit=50&sort=${sort}`);
      expect(status).toBe(200);
      return (json as { data: { login: string }[] }).data.map(({ login }) => login);
    };
    const sorts = ["lastlogin", "reverselastlogin", "last_login", "email", "reverseemail", "password_hash", "id", "is_admin"];
    const before = await Promise.all(sorts.map(order));
    for (const user of [bob, alice]) expect((await createBrowser(forge.url).signIn(user)).status).toBe(303);
    await bob.post("/user/emails", { emails: ["aaa@example.com"] }).expect(201);
    expect(await Promise.all(sorts.map(order))).toEqual(before);
  });

  test("references to hidden resources do not reveal them and have no effect", async () => {
    const { probe, alice, mallory, secretTip, forge } = attack();
    const { number } = await alice.post("/repos/alice/secret/issues", { title: canary, body: canary }).expect(201);
    await alice.post("/orgs", { username: "veiled-org", visibility: "private" }).expect(201);
    await alice.post("/orgs/veiled-org/teams", { name: "inner", units_map: { "repo.code": "read" } }).expect(201);
    await mallory.post("/user/repos", { name: "naming", auto_init: true, default_branch: "main" }).expect(201);
    const words = `closes alice/secret#${number}, see alice/secret!${number}, alice/secret@${secretTip}, ${secretTip} and @veiled-org/inner`;
    const R = "/repos/mallory/naming";
    const post = (path: string, body: unknown) => probe(path, { method: "POST", body });
    expect((await post(`${R}/issues`, { title: words, body: words })).status).toBe(201);
    expect((await post(`${R}/issues/1/comments`, { body: words })).status).toBe(201);
    expect((await post(`${R}/contents/x.txt`, { content: base64("x"), message: words, branch: "main" })).status).toBe(201);
    for (const change of ["dependencies", "blocks"]) {
      const [hidden, missing] = await Promise.all(["secret", "nosuch"].map((repo) => post(`${R}/issues/1/${change}`, { owner: "alice", repo, index: number })));
      expect([hidden?.status, hidden?.text.replaceAll("secret", "nosuch")]).toEqual([404, missing?.text]);
    }
    await forge.settled();
    for (const mode of ["gfm", "comment", "markdown"]) {
      const rendered = async (text: string): Promise<string> => (await post("/markdown", { text, mode, context: "mallory/naming" })).text;
      // References to hidden and missing resources are linked in the same way, by their form only.
      const [hidden, missing] = [await rendered(words), await rendered(words.replaceAll("secret", "nosuch").replaceAll("veiled-org", "nosuch-org"))];
      expect(hidden.replaceAll("secret", "nosuch").replaceAll("veiled-org", "nosuch-org")).toBe(missing);
    }
    for (const path of [`${R}/issues/1`, `${R}/issues/1/timeline`, `${R}/commits`, "//mallory/naming/issues/1", "//mallory/naming/commits/branch/main"])
      await probe(path);
    expect(await alice.get(`/repos/alice/secret/issues/${number}`).expect(200)).toMatchObject({ state: "open", comments: 0 });
    expect(await alice.get(`/repos/alice/secret/issues/${number}/timeline`).expect(200)).toBeNull();
  });

  test("URLs of a hidden user answer like those of a missing user", async () => {
    const { raw, forge, mallory } = attack();
    const hider = await forge.createUser("wraith", { visibility: "private" });
    await hider.post("/user/repos", { name: "own", auto_init: true }).expect(201);
    for (const path of [
      "/NAME",
      "/NAME.keys",
      "/NAME.gpg",
      "/NAME.rss",
      "/NAME.atom",
      "/NAME.png",
      "/NAME?tab=activity",
      "/NAME/own?go-get=1",
      "/NAME/own.rss",
      "/api/v1/users/NAME/heatmap",
    ]) {
      for (const headers of [{}, { authorization: `token ${mallory.token}` }]) {
        const [shown, none] = await Promise.all(["wraith", "nobody"].map((name) => raw(path.replace("NAME", name), headers)));
        expect({ ...shown, text: shown?.text.replaceAll("wraith", "nobody") }, path).toEqual(none);
      }
    }
  });

  test("objects of another repository cannot be read by id, over git or the API", async () => {
    const { probe, work, mallory, secretTip, forge } = attack();
    await mallory.post("/user/repos", { name: "own", auto_init: true }).expect(201);
    const blob = await work.git("secret", "rev-parse", "main:a.txt");
    const tree = await work.git("secret", "rev-parse", "main^{tree}");
    for (const url of [`${mallory.gitOrigin}/mallory/own`, `${forge.url}/alice/open`]) {
      for (const oid of [secretTip, blob, tree]) {
        for (const version of [0, 1, 2]) {
          const { code } = await work.attempt("open", "-c", `protocol.version=${version}`, "fetch", url, oid);
          expect(code, `${oid} by version ${version}`).not.toBe(0);
        }
      }
    }
    for (const path of [
      `git/commits/${secretTip}`,
      `git/trees/${tree}`,
      `git/trees/${secretTip}`,
      `git/blobs/${blob}`,
      `git/tags/${secretTip}`,
      `commits?sha=${secretTip}`,
      `compare/main...${secretTip}`,
      "compare/main...alice:secret:main",
      "compare/main...alice:main",
      `compare/main...alice/secret:${canary}`,
      `contents?ref=${secretTip}`,
      `contents/a.txt?ref=${secretTip}`,
      `archive/${secretTip}.zip`,
      `branches/${secretTip}`,
      `git/commits/${secretTip.slice(0, 4)}`,
      `git/commits/${secretTip.slice(0, 12)}`,
      `git/blobs/${blob.slice(0, 4)}`,
    ]) {
      // A comparison with a branch of the same name elsewhere may be one within the repository.
      expect([400, 404, 422], path).toContain((await probe(`/repos/mallory/own/${path}`)).status);
    }
    // Neither a new branch nor a push can refer to such an object.
    expect((await probe("/repos/mallory/own/branches", { method: "POST", body: { new_branch_name: "x", old_ref_name: secretTip } })).status).toBe(404);
    expect([404, 422]).toContain((await probe("/repos/mallory/own/tags", { method: "POST", body: { tag_name: "x", target: secretTip } })).status);
  });

  test("objects of a private fork outside its pull request are not in the base repository", async () => {
    const { alice, mallory, probe, work, forge } = attack();
    await mallory.post("/user/repos", { name: "base" }).expect(201);
    await work.git("open", "push", "-q", `${mallory.gitOrigin}/mallory/base`, "main");
    await alice.post("/repos/mallory/base/forks", { name: "closed-fork" }).expect(202);
    await alice.patch("/repos/alice/closed-fork", { private: true }).expect(200);
    const fork = `${alice.gitOrigin}/alice/closed-fork`;
    await work.git(".", "clone", "-q", fork, "closed-fork");
    await work.git("closed-fork", "checkout", "-q", "-b", "shown");
    await work.commit("closed-fork", { "shown.txt": "for everybody\n" });
    await work.git("closed-fork", "push", "-q", fork, "shown");
    await work.git("closed-fork", "checkout", "-q", "-b", "kept");
    const kept = await work.commit("closed-fork", { "kept.txt": `${canary}\n` });
    await work.git("closed-fork", "push", "-q", fork, "kept");
    const blob = await work.git("closed-fork", "rev-parse", "kept:kept.txt");
    const { number } = await alice.post("/repos/mallory/base/pulls", { title: "Shown", head: "alice:shown", base: "main" }).expect(201);
    await alice.patch(`/repos/mallory/base/pulls/${number}`, { state: "closed" }).expect(201);
    // Comparing with them as the owner from the base does not copy them: the page offers a pull request without their content.
    await alice.get("/repos/mallory/base/compare/main...alice:kept").expect(404);
    const compared = await alice.get("//mallory/base/compare/main...alice:kept");
    expect(compared.status).toBe(200);
    for (const secret of [kept, canary, "kept.txt"]) expect(compared.text).not.toContain(secret);
    expect((await mallory.get("//mallory/base/compare/main...alice:kept")).status).toBe(404);
    await forge.settled();
    for (const oid of [kept, blob]) {
      for (const version of [0, 1, 2]) {
        const { code } = await work.attempt("open", "-c", `protocol.version=${version}`, "fetch", `${mallory.gitOrigin}/mallory/base`, oid);
        expect(code, `${oid} by version ${version}`).not.toBe(0);
      }
    }
    for (const path of [`git/commits/${kept}`, `git/blobs/${blob}`, `contents/kept.txt?ref=${kept}`, `compare/main...${kept}`, "compare/main...alice:kept"])
      expect([400, 404, 422], path).toContain((await probe(`/repos/mallory/base/${path}`)).status);
  });

  test.each(["the API", "a push option"])("a repository made private by %s is private on every path", async (entryPoint) => {
    const { alice, mallory, probe, raw, work, forge } = attack();
    const name = `closing-${entryPoint === "the API" ? 1 : 2}`;
    await alice.post("/user/repos", { name }).expect(201);
    await work.git("open", "push", "-q", `${alice.gitOrigin}/alice/${name}`, "main");
    await alice.put(`/repos/alice/${name}/topics/closing`).expect(204);
    const { id } = await mallory.get(`/repos/alice/${name}`).expect(200);
    await work.git(".", "clone", "-q", `${forge.url}/alice/${name}`, name);
    if (entryPoint === "the API") await alice.patch(`/repos/alice/${name}`, { private: true }).expect(200);
    else await work.git("open", "push", "-q", "-o", "repo.private=true", `${alice.gitOrigin}/alice/${name}`, "main:refs/heads/more");
    await forge.settled();
    for (const path of [
      `/repos/alice/${name}`,
      `/repositories/${id}`,
      `/repos/alice/${name}/contents`,
      `/repos/alice/${name}/commits`,
      `/repos/alice/${name}/archive/main.zip`,
    ]) {
      expect((await probe(path)).status, path).toBe(404);
    }
    expect((await raw(`/alice/${name}/archive/main.zip`)).status).toBe(404);
    expect((await work.attempt(name, "fetch")).code).not.toBe(0);
    expect((await work.attempt(name, "fetch", `${mallory.gitOrigin}/alice/${name}`)).code).not.toBe(0);
    expect(JSON.stringify((await probe("/repos/search")).json)).not.toContain(name);
    expect(JSON.stringify((await probe("/topics/search?q=closing")).json)).not.toContain("closing");
  });

  test("push options cannot change visibility for writers, or anything for readers", async () => {
    const { alice, bob, mallory, work } = attack();
    await alice.post("/user/repos", { name: "options", private: true }).expect(201);
    await work.git("open", "push", "-q", `${alice.gitOrigin}/alice/options`, "main");
    const options = ["-o", "repo.private=false", "-o", "repo.template=true"];
    for (const [who, permission] of [
      [bob, "write"],
      [mallory, "read"],
    ] as const) {
      await alice.put(`/repos/alice/options/collaborators/${who.name}`, { permission }).expect(204);
      await work.attempt("open", "push", ...options, `${who.gitOrigin}/alice/options`, `main:refs/heads/by-${who.name}`);
      expect(await alice.get("/repos/alice/options").expect(200)).toMatchObject({ private: true, template: false });
    }
    expect(await work.git(".", "ls-remote", "--heads", `${alice.gitOrigin}/alice/options`)).not.toContain("by-mallory");
  });

  test("links use the configured root URL and ignore the Host header", async () => {
    const { raw, forge } = attack();
    for (const headers of [
      { host: "evil.example" },
      { "x-forwarded-host": "evil.example", "x-forwarded-proto": "javascript" },
      { forwarded: "host=evil.example;proto=http" },
      { "x-original-url": "/evil.example", "x-rewrite-url": "/evil.example" },
    ]) {
      const { status, text } = await raw("/api/v1/repos/alice/open", headers);
      expect(status).toBe(200);
      expect(text).not.toContain("evil.example");
      expect(JSON.parse(text)).toMatchObject({ clone_url: `${forge.url}/alice/open.git`, html_url: `${forge.url}/alice/open` });
    }
  });
});
