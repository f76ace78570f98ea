import { afterAll, beforeAll, expect, test } from "vitest";
import { type Browser, createBrowser } from "../kit/browser.ts";
import { eachDialect } from "../kit/databases.ts";
import { startForge, type TestForge, type TestUser } from "../kit/forge.ts";
import { createClient } from "../kit/git.ts";
import { readPage } from "../kit/page.ts";
import { push } from "../kit/push.ts";

/** Forks, and changes that users propose without write access, in a browser without JavaScript. */

const client = createClient();
afterAll(() => client.remove());
client.commit({ "readme.md": "one\n", "docs/a.txt": "a\n" });

eachDialect((dialect) => {
  let forge: TestForge;
  let alice: TestUser;
  let carol: TestUser;
  let owner: Browser;
  let reader: Browser;
  beforeAll(async () => {
    forge = await startForge({ dialect });
    alice = await forge.createUser("alice");
    carol = await forge.createUser("carol");
    for (const name of ["up", "protected", "open", "fresh", "moving"]) {
      await alice.post("/user/repos", { name }).expect(201);
      await push(client, alice, `alice/${name}`, "main");
    }
    owner = createBrowser(forge.url);
    await owner.signIn(alice);
    reader = createBrowser(forge.url);
    await reader.signIn(carol);
  });
  afterAll(() => forge[Symbol.asyncDispose]());

  const contentOf = async (repository: string, path: string, ref: string): Promise<string> => {
    const file = await alice.get(`/repos/${repository}/contents/${path}?ref=${ref}`).expect(200);
    return Buffer.from(file.content, "base64").toString();
  };

  test("a reader's edit forks the repository, commits to a new branch of the fork, and leads to a pull request upstream", async () => {
    const path = "/alice/open/_edit/main/readme.md";
    expect(readPage((await reader.get("/alice/open/src/branch/main/readme.md")).text).links).toContain(path);
    const form = await reader.get(path);
    expect(readPage(form.text).text).toContain("A fork is created in your account");
    // Loading the form creates nothing.
    await carol.get("/repos/carol/open").expect(404);
    const done = await reader.submit(form, path, { content: "two\n", new_branch: "better", summary: "Say two" });
    expect([done.status, done.location]).toEqual([303, "/alice/open/compare/main...carol:better"]);
    expect(await contentOf("carol/open", "readme.md", "better")).toBe("two\n");
    expect(await contentOf("alice/open", "readme.md", "main")).toBe("one\n");
    const compared = await reader.get(done.location ?? "");
    const opened = await reader.submit(compared, done.location ?? "");
    expect(opened.location).toBe("/alice/open/pulls/1");
    const pull = await alice.get("/repos/alice/open/pulls/1").expect(200);
    expect([pull.title, pull.head.repo.full_name, pull.base.repo.full_name]).toEqual(["Say two", "carol/open", "alice/open"]);
  });

  test("a second edit uses the fork and starts from the present branch upstream, even if the fork is behind", async () => {
    await alice.post("/repos/alice/open/contents/later.txt", { content: Buffer.from("x").toString("base64"), message: "Later" }).expect(201);
    const path = "/alice/open/_new/main/docs";
    const form = await reader.get(path);
    const page = readPage(form.text);
    expect(page.text).toContain("The change is committed to a new branch of your fork carol/open");
    expect(page.links).toContain("/carol/open");
    const done = await reader.submit(form, path, { path: "docs/new.md", content: "# New", new_branch: "another" });
    expect(done.location).toBe("/alice/open/compare/main...carol:another");
    const { total_commits } = await alice.get("/repos/alice/open/compare/main...carol:another").expect(200);
    expect(total_commits).toBe(1);
    expect(await contentOf("carol/open", "later.txt", "another")).toBe("x");
  });

  test("a rejected edit of a reader keeps the text and creates neither branch nor commit", async () => {
    const path = "/alice/up/_edit/main/readme.md";
    const form = await reader.get(path);
    for (const fields of [{ new_branch: "a..b" }, { new_branch: "" }, { path: "docs" }]) {
      const again = await reader.submit(form, path, { content: "Long story", ...fields });
      expect([again.status, again.text.includes("Long story")], JSON.stringify(fields)).toEqual([422, true]);
    }
    // No fork was created for it.
    await carol.get("/repos/carol/up").expect(404);
    expect(await contentOf("alice/up", "readme.md", "main")).toBe("one\n");
  });

  test("a branch that the user cannot push to offers a new branch only, and says why", async () => {
    await alice.post("/repos/alice/protected/branch_protections", { rule_name: "main", enable_push: false }).expect(201);
    for (const path of [
      "/alice/protected/_edit/main/readme.md",
      "/alice/protected/_new/main",
      "/alice/protected/_delete/main/readme.md",
      "/alice/protected/_upload/main",
    ]) {
      const form = await owner.get(path);
      expect(readPage(form.text).text, path).toContain("You cannot push to main.");
      expect(form.form(path), path).toMatchObject({ target: "branch", new_branch: expect.stringMatching(/^alice-patch-/) });
    }
    const path = "/alice/protected/_edit/main/readme.md";
    const done = await owner.submit(await owner.get(path), path, { content: "two\n", new_branch: "mine" });
    expect(done.location).toBe("/alice/protected/compare/main...mine");
    // A form that was loaded before the branch was protected.
    const late = await owner.submit(await owner.get(path), path, { content: "Long story", target: "direct" });
    expect([late.status, late.text.includes("Long story"), readPage(late.text).text.includes("[user: alice]")]).toEqual([422, true, false]);
  });

  test("a commit to a new branch of a fork leads to a pull request for its parent", async () => {
    await carol.post("/repos/alice/up/forks", {}).expect(202);
    const path = "/carol/up/_edit/main/readme.md";
    const done = await reader.submit(await reader.get(path), path, { content: "three\n", target: "branch", new_branch: "idea" });
    expect(done.location).toBe("/alice/up/compare/main...carol:idea");
    expect((await reader.get("/carol/up/compare")).location).toBe("/alice/up/compare/main...carol:main");
    expect((await reader.get("/carol/up/pulls/new/idea")).location).toBe("/alice/up/compare/main...carol:idea");
  });

  test("the base repository of a comparison can be chosen", async () => {
    const page = await reader.get("/alice/up/compare/main...carol:idea");
    const { links } = readPage(page.text);
    expect(links).toContain("/alice/up/compare?in=carol%2Fup&base=main&head=carol%3Aidea");
    // The repositories and branches of the head, and the branches of the base.
    for (const path of ["/alice/up/compare/main...main", "/alice/up/compare/main...carol:main", "/alice/up/compare/main...carol:idea"])
      expect(links).toContain(path);
    expect((await reader.get("/alice/up/compare?in=carol%2Fup&base=main&head=carol%3Aidea")).location).toBe("/carol/up/compare?base=main&head=idea");
    expect((await reader.get("/carol/up/compare?base=main&head=idea")).location).toBe("/carol/up/compare/main...idea");
    expect((await reader.get("/carol/up/compare?in=alice%2Fup&base=main&head=idea")).location).toBe("/alice/up/compare?base=main&head=carol%3Aidea");
    expect((await reader.get("/alice/up/compare?in=%2F%2Fevil.example&head=x")).location).toMatch(/^\/[^/]/);
  });

  test("a pull request from a private fork is opened without showing its changes before", async () => {
    await alice.post("/user/repos", { name: "secret", private: true }).expect(201);
    await push(client, alice, "alice/secret", "main");
    await alice.put("/repos/alice/secret/collaborators/carol", { permission: "read" }).expect(204);
    const path = "/alice/secret/_edit/main/readme.md";
    const done = await reader.submit(await reader.get(path), path, { content: "withheld\n", new_branch: "quiet" });
    expect(done.location).toBe("/alice/secret/compare/main...carol:quiet");
    const page = await reader.get(done.location ?? "");
    expect([page.status, page.text.includes("withheld")]).toEqual([200, false]);
    expect(readPage(page.text).text).toContain("The fork is private.");
    // Other readers of the parent do not learn that the branch exists.
    const dave = await forge.createUser("dave");
    await alice.put("/repos/alice/secret/collaborators/dave", { permission: "read" }).expect(204);
    const other = createBrowser(forge.url);
    await other.signIn(dave);
    expect((await other.get(done.location ?? "")).status).toBe(404);
    expect((await reader.submit(page, done.location ?? "", { title: "Quiet change" })).location).toBe("/alice/secret/pulls/1");
  });

  test("edits from maintainers are offered with the pull request of a fork, and allowed or forbidden later by writers of the fork", async () => {
    await alice.post("/user/repos", { name: "helped" }).expect(201);
    await push(client, alice, "alice/helped", "main");
    await alice.patch("/repos/alice/helped", { default_allow_maintainer_edit: true }).expect(200);
    for (const branch of ["one", "two"]) {
      const path = "/alice/helped/_edit/main/readme.md";
      const page = await reader.get(path);
      await reader.submit(page, path, { content: `changed in ${branch}\n`, new_branch: branch });
    }
    const allows = async (number: number): Promise<boolean> => (await alice.get(`/repos/alice/helped/pulls/${number}`).expect(200)).allow_maintainer_edit;
    const propose = async (head: string, isChecked: boolean): Promise<void> => {
      const path = `/alice/helped/compare/main...${head}`;
      const { allow_edits: box = "", ...fields } = (await reader.get(path)).form(path);
      expect((await reader.post(path, { ...fields, title: head, ...(isChecked && { allow_edits: box }) })).status).toBe(303);
    };
    // The default of the repository is preselected, and the box that is sent decides.
    expect((await reader.get("/alice/helped/compare/main...carol:one")).text).toMatch(/<input[^>]*name="allow_edits"[^>]*checked/);
    await propose("carol:one", true);
    await propose("carol:two", false);
    expect([await allows(1), await allows(2)]).toEqual([true, false]);

    const [own, theirs] = [await reader.get("/alice/helped/pulls/1"), await owner.get("/alice/helped/pulls/1")];
    expect(readPage(own.text).text).toContain("Users who can merge this pull request can push to its branch. Forbid edits from maintainers");
    expect(readPage(theirs.text).text).toContain("Users who can merge this pull request can push to its branch.");
    expect(theirs.text).not.toContain("/maintainer_edits");
    const action = "/alice/helped/pulls/1/maintainer_edits";
    expect((await reader.submit(own, action, {})).status).toBe(303);
    expect([await allows(1), readPage((await reader.get("/alice/helped/pulls/1")).text).text.includes("Allow edits from maintainers")]).toEqual([false, true]);
    const { _csrf = "" } = theirs.form("/alice/helped/pulls/1/comments");
    expect((await owner.post(action, { _csrf, allowed: "true" })).status).toBe(403);
    expect(await allows(1)).toBe(false);
  });

  test("a pull request between branches of one repository does not offer edits from maintainers", async () => {
    await alice.post("/repos/alice/helped/branches", { new_branch_name: "inner", old_ref_name: "main" }).expect(201);
    const path = "/alice/helped/_edit/inner/readme.md";
    await owner.submit(await owner.get(path), path, { content: "inner\n", target: "direct" });
    expect((await owner.get("/alice/helped/compare/main...inner")).text).not.toContain("allow_edits");
  });

  test("archived repositories and mirrors offer no edits, and visitors are asked to sign in", async () => {
    await alice.patch("/repos/alice/protected", { archived: true }).expect(200);
    expect(readPage((await reader.get("/alice/protected/src/branch/main/readme.md")).text).links.filter((link) => link.includes("/_edit/"))).toEqual([]);
    expect((await reader.get("/alice/protected/_edit/main/readme.md")).status).toBe(423);
    expect((await createBrowser(forge.url).get("/alice/up/_edit/main/readme.md")).location).toMatch(/^\/user\/login/);
  });

  test("a fork is created for the user or an organization, with a name, and with all branches or one", async () => {
    await carol.post("/orgs", { username: "guild" }).expect(201);
    await alice.post("/repos/alice/fresh/branches", { new_branch_name: "other" }).expect(201);
    const path = "/alice/fresh/fork";
    const form = await reader.get(path);
    const page = readPage(form.text);
    expect([page.dangers, page.headings]).toEqual([[], ["Create a new fork"]]);
    expect(form.form(path)).toMatchObject({ name: "fresh", owner: "carol" });
    expect((await reader.submit(form, path, { owner: "guild", name: "ours", default_branch_only: "true", description: "Ours" })).location).toBe("/guild/ours");
    expect(await carol.get("/repos/guild/ours").expect(200)).toMatchObject({ description: "Ours", branch_count: 1, default_branch: "main", empty: false });
    await carol.get("/repos/guild/ours/contents/readme.md").expect(200);
    await carol.get("/repos/guild/ours/branches/other").expect(404);
    expect((await reader.submit(form, path)).location).toBe("/carol/fresh");
    expect(await carol.get("/repos/carol/fresh").expect(200)).toMatchObject({ branch_count: 2 });
    const complete = await reader.get(path);
    expect(readPage(complete.text).text).toContain("You already have forks of this repository: guild/ours, carol/fresh Each owner can have one fork");
    expect(readPage(complete.text).links).toEqual(expect.arrayContaining(["/guild/ours", "/carol/fresh"]));
    expect(complete.text).not.toContain(`action="${path}"`);
    const again = await reader.submit(form, path, { description: "kept" });
    expect([again.status, again.text.includes("kept"), readPage(again.text).text]).toEqual([422, true, expect.stringContaining("already has a fork")]);
    const strange = await reader.submit(form, path, { name: "a b" });
    expect([strange.status, /id="(\w+)-problem"/.exec(strange.text)?.[1]]).toEqual([422, "name"]);
  });

  test("the form for a fork offers owners who can have one, and preselects the first without a fork", async () => {
    const erin = await forge.createUser("erin");
    const visitor = createBrowser(forge.url);
    await visitor.signIn(erin);
    await alice.post("/user/repos", { name: "offered" }).expect(201);
    await push(client, alice, "alice/offered", "main");
    for (const [name, creates] of [
      ["makers", true],
      ["lookers", false],
    ] as const) {
      await alice.post("/orgs", { username: name }).expect(201);
      const { id } = await alice
        .post(`/orgs/${name}/teams`, { name: "crew", permission: "read", units: ["repo.code"], can_create_org_repo: creates })
        .expect(201);
      await alice.put(`/teams/${id}/members/erin`).expect(204);
    }
    await erin.post("/orgs", { username: "own" }).expect(201);
    const path = "/alice/offered/fork";
    const offered = async (browser: Browser, query = "") => {
      const page = await browser.get(path + query);
      const [, options = ""] = /<select[^>]*name="owner"[^>]*>(.*?)<\/select>/s.exec(page.text) ?? [];
      return [[...options.matchAll(/<option[^>]*value="([^"]*)"/g)].map(([, name]) => name), page.form(path).owner];
    };
    expect(await offered(visitor)).toEqual([["erin", "makers", "own"], "erin"]);
    expect((await offered(visitor, "?owner=own"))[1]).toBe("own");
    expect(await offered(owner)).toEqual([["lookers", "makers", "alice"], "lookers"]);
    await erin.post("/repos/alice/offered/forks", {}).expect(202);
    expect(await offered(visitor)).toEqual([["makers", "own"], "makers"]);
    const { statements: before } = await forge.cost(() => visitor.get(path));
    await erin.post("/repos/alice/offered/forks", { organization: "own" }).expect(202);
    expect(await offered(visitor)).toEqual([["makers"], "makers"]);
    expect((await forge.cost(() => visitor.get(path))).statements.length).toBe(before.length);
    const late = await visitor.submit(await visitor.get(path), path, { owner: "erin" });
    expect([late.status, late.form(path).owner]).toEqual([422, "erin"]);
  });

  test("the page of a fork shows how far a branch differs from its parent, and updates it", async () => {
    const barOf = async () => readPage((await reader.get("/carol/moving")).text).text;
    await carol.post("/repos/alice/moving/forks", {}).expect(202);
    expect(await barOf()).toContain("This branch is up to date with alice:main");
    const commit = (who: TestUser, repository: string, path: string) =>
      who.post(`/repos/${repository}/contents/${path}`, { content: "eA==", message: `Add ${path}` }).expect(201);
    await commit(alice, "alice/moving", "theirs.txt");
    expect(await barOf()).toMatch(/ 1 commit behind alice:main Sync fork/);
    await commit(carol, "carol/moving", "ours.txt");
    await commit(carol, "carol/moving", "ours2.txt");
    const before = await reader.get("/carol/moving");
    expect(readPage(before.text).text).toMatch(/ 2 commits ahead of, 1 commit behind alice:main Open pull request Sync fork/);
    expect(readPage(before.text).links).toEqual(
      expect.arrayContaining(["/alice/moving/compare/main...carol:main", "/carol/moving/compare/main...alice:main", "/carol/moving/pulls/new/main"]),
    );
    expect(readPage((await owner.get("/carol/moving")).text).text).not.toContain("Sync fork");
    const synced = await reader.submit(before, "/carol/moving/sync");
    expect(synced.location).toBe("/carol/moving?synced=1");
    const said = async (location = "", language = "en") => readPage((await reader.get(location, { "accept-language": language })).text).text;
    expect(await said(synced.location)).toContain("Updated from alice/moving: 1 new commit.");
    expect(await said(synced.location, "de")).toContain("Aus alice/moving aktualisiert: 1 neuer Commit.");
    const repeated = await reader.submit(before, "/carol/moving/sync");
    expect(await said(repeated.location)).toContain("Already up to date with alice/moving.");
    expect(await said("/carol/moving?synced=merge_conflict")).not.toContain("have diverged");
    await carol.get("/repos/carol/moving/contents/theirs.txt").expect(200);
    expect(await barOf()).toMatch(/ 3 commits ahead of alice:main Open pull request(?! Sync)/);
    // A conflict is explained, and changes nothing.
    for (const [who, repository] of [
      [alice, "alice/moving"],
      [carol, "carol/moving"],
    ] as const) {
      await who.post(`/repos/${repository}/contents/same.txt`, { content: Buffer.from(repository).toString("base64"), message: "Same" }).expect(201);
    }
    const refused = await reader.submit(await reader.get("/carol/moving"), "/carol/moving/sync");
    expect([refused.status, refused.location]).toEqual([303, "/carol/moving?synced=merge_conflict"]);
    const explained = readPage((await reader.get(refused.location ?? "")).text);
    expect(explained.text).toContain("This branch and alice:main have diverged, and their changes conflict. The branch was not updated.");
    expect(explained.text).toMatch(/git pull --no-rebase http\S+\/alice\/moving\.git main git push origin main/);
    expect(explained.links.filter((link) => link === "/carol/moving/compare/main...alice:main").length).toBe(2);
    const comparison = "/carol/moving/compare/main...alice:main";
    expect((await reader.submit(await reader.get(comparison), comparison)).location).toBe("/carol/moving/pulls/1");
    await alice.patch("/repos/alice/moving", { private: true }).expect(200);
    expect(await barOf()).not.toContain("alice:main");
    await alice.patch("/repos/alice/moving", { private: false }).expect(200);
  });

  test("a refused update of a fork returns to its page with the reason and the next step", async () => {
    await alice.post("/user/repos", { name: "kept" }).expect(201);
    await push(client, alice, "alice/kept", "main");
    await carol.post("/repos/alice/kept/forks", {}).expect(202);
    await alice.post("/repos/alice/kept/contents/later.txt", { content: "eA==", message: "Later" }).expect(201);
    const path = "/carol/kept";
    const loaded = await reader.get(path);
    const refusal = async (language = "en") => {
      const { status, location = "" } = await reader.submit(loaded, `${path}/sync`);
      expect(status).toBe(303);
      const { text, links } = readPage((await reader.get(location, { "accept-language": language })).text);
      return { text, pull: links.filter((link) => link === `${path}/compare/main...alice:main`).length };
    };
    await carol.post(`/repos${path}/branch_protections`, { rule_name: "main", enable_push: false }).expect(201);
    const ruled = await refusal();
    expect(ruled.text).toContain("The branch was not updated. You are not authorized to push to this branch. Pull request from alice:main");
    expect(ruled.pull).toBe(2);
    expect((await refusal("de")).text).toContain("Der Branch wurde nicht aktualisiert. ");
    await carol.delete(`/repos${path}/branch_protections/main`).expect(204);
    await carol.patch(`/repos${path}`, { archived: true }).expect(200);
    const archived = await refusal();
    expect(archived.text).toContain("The branch was not updated. This repository is archived. Unarchive the fork in its settings");
    await carol.patch(`/repos${path}`, { archived: false }).expect(200);
    const full = readPage((await reader.get(`${path}?synced=owner_storage_limit`)).text).text;
    expect(full).toContain("The branch was not updated. The repositories of carol have no storage left for the new commits.");
    expect(readPage((await reader.get(`${path}?synced=constructor`)).text).text).not.toContain("was not updated");
    expect((await reader.submit(loaded, `${path}/sync`)).location).toBe(`${path}?synced=1`);
  });

  test("the branches page of a fork shows the pull requests that are open upstream, to their readers only", async () => {
    await alice.post("/user/repos", { name: "target" }).expect(201);
    await push(client, alice, "alice/target", "main");
    await carol.post("/repos/alice/target/forks", {}).expect(202);
    const path = "/carol/target";
    await carol.post(`/repos${path}/branches`, { new_branch_name: "topic" }).expect(201);
    await carol.post(`/repos${path}/contents/x.txt`, { content: "eA==", message: "Add it", branch: "topic" }).expect(201);
    const pullsOf = async (browser: Browser) => readPage((await browser.get(`${path}/branches`)).text).links.filter((link) => /\/pulls\/\d+$/.test(link));
    expect(await pullsOf(reader)).toEqual([]);
    const { number } = await carol.post("/repos/alice/target/pulls", { base: "main", head: "carol:topic", title: "Add it" }).expect(201);
    const upstream = `/alice/target/pulls/${number}`;
    expect(new Set(await pullsOf(reader))).toEqual(new Set([upstream]));
    expect(readPage((await reader.get(`${path}/branches`)).text).text).toContain(`alice/target#${number}`);
    const visitor = createBrowser(forge.url);
    expect(new Set(await pullsOf(visitor))).toEqual(new Set([upstream]));
    await alice.patch("/repos/alice/target", { private: true }).expect(200);
    expect([await pullsOf(reader), await pullsOf(visitor)]).toEqual([[], []]);
    await alice.patch("/repos/alice/target", { private: false }).expect(200);
    await alice.patch(`/repos/alice/target/pulls/${number}`, { state: "closed" }).expect(201);
    expect(await pullsOf(reader)).toEqual([]);
  });

  test("recently pushed branches are offered to their author until a pull request contains them", async () => {
    const offers = async (browser: Browser, path: string) =>
      readPage((await browser.get(path)).text).links.filter((link) => link.includes("/pulls/new/pushed"));
    const commit = (branch: string, path: string) =>
      carol.post(`/repos/carol/moving/contents/${path}`, { content: "eA==", message: "Add it", branch: "main", new_branch: branch }).expect(201);
    await commit("pushed", "pushed.txt");
    for (const path of ["/alice/moving", "/carol/moving"]) expect(await offers(reader, path)).toEqual(["/carol/moving/pulls/new/pushed"]);
    expect(await offers(owner, "/alice/moving")).toEqual([]);
    const { result, statements } = await forge.cost(() => reader.get("/alice/moving"));
    expect(readPage(result.text).text).toContain("carol:pushed had recent pushes");
    expect(readPage((await reader.get("/carol/moving")).text).text).not.toContain("carol:pushed had");
    expect(readPage((await reader.get("/alice/moving/compare")).text).links).toContain("/alice/moving/compare/main...carol:pushed");
    expect(readPage((await owner.get("/alice/moving/compare")).text).links).not.toContain("/alice/moving/compare/main...carol:pushed");
    await commit("pushed2", "pushed2.txt");
    expect((await forge.cost(() => reader.get("/alice/moving"))).statements.length).toBe(statements.length);
    expect((await reader.get("/carol/moving/pulls/new/pushed")).location).toBe("/alice/moving/compare/main...carol:pushed");
    await carol.post("/repos/alice/moving/pulls", { base: "main", head: "carol:pushed", title: "Add it" }).expect(201);
    expect(await offers(reader, "/alice/moving")).toEqual(["/carol/moving/pulls/new/pushed2"]);
  });
});
