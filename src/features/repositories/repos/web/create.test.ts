import { afterAll, beforeAll, expect, test } from "vitest";
import { type Browser, createBrowser } from "../../../../../test/kit/browser.ts";
import { eachDialect } from "../../../../../test/kit/databases.ts";
import { startForge, type TestForge } from "../../../../../test/kit/forge.ts";
import { readPage } from "../../../../../test/kit/page.ts";

eachDialect((dialect) => {
  let forge: TestForge;
  let browser: Browser;
  beforeAll(async () => {
    forge = await startForge({ dialect });
    const alice = await forge.createUser("alice");
    const bob = await forge.createUser("bob");
    await alice.post("/orgs", { username: "guild" }).expect(201);
    await bob.post("/orgs", { username: "lodge" }).expect(201);
    browser = createBrowser(forge.url);
    await browser.signIn(alice);
  });
  afterAll(() => forge[Symbol.asyncDispose]());

  const path = "/repo/create";
  const make = async (fields: Readonly<Record<string, string>>) => browser.submit(await browser.get(path), path, fields);

  test("creates an empty or initialized repository for the user or an organization", async () => {
    const page = readPage((await browser.get(path)).text);
    expect([page.dangers, page.headings]).toEqual([[], ["New repository"]]);
    expect((await make({ owner: "alice", name: "plain", description: "Words" })).location).toBe("/alice/plain");
    expect(await forge.admin.get("/repos/alice/plain").expect(200)).toMatchObject({ empty: true, private: false, description: "Words" });
    expect((await make({ owner: "guild", name: "begun", private: "true", license: "MIT" })).location).toBe("/guild/begun");
    expect(await forge.admin.get("/repos/guild/begun").expect(200)).toMatchObject({ empty: false, private: true });
  });

  test("the forms of new repositories and migrations offer the organizations in which the user can create repositories", async () => {
    const carol = await forge.createUser("carol");
    for (const [org, can_create_org_repo] of [
      ["builders", true],
      ["readers", false],
    ] as const) {
      await forge.admin.post("/orgs", { username: org }).expect(201);
      const team = { name: "crew", permission: "write", units: ["repo.code"], can_create_org_repo };
      const { id } = await forge.admin.post(`/orgs/${org}/teams`, team).expect(201);
      await forge.admin.put(`/teams/${id}/members/carol`).expect(204);
    }
    const hers = createBrowser(forge.url);
    await hers.signIn(carol);
    for (const form of [path, "/repo/migrate"]) {
      const [, select = ""] = /<select[^>]* name="owner"[^>]*>(.*?)<\/select>/s.exec((await hers.get(form)).text) ?? [];
      expect([...select.matchAll(/<option[^>]*>([^<]+)/g)].map(([, name]) => name)).toEqual(["carol", "builders"]);
    }
  });

  test("offers ignore files, licenses, label sets, templates and the name of the default branch", async () => {
    const form = await browser.get(path);
    for (const option of ["Node", "MIT", "Default"]) expect(form.text).toContain(`<option value="${option}"`);
    expect(readPage(form.text).links).toContain("/repo/migrate");
    const chosen = { gitignores: "Node", license: "MIT", labels: "Default", default_branch: "trunk" };
    expect((await make({ owner: "alice", name: "chosen", ...chosen })).location).toBe("/alice/chosen");
    expect(await forge.admin.get("/repos/alice/chosen").expect(200)).toMatchObject({ default_branch: "trunk", licenses: ["MIT"] });
    await forge.admin.get("/repos/alice/chosen/contents/.gitignore").expect(200);
    expect((await forge.admin.get("/repos/alice/chosen/labels").expect(200)).length).toBeGreaterThan(3);
    await forge.admin.patch("/repos/alice/chosen", { template: true }).expect(200);
    expect((await browser.get(`${path}?template=alice/chosen`)).form(path)).toMatchObject({ template: "alice/chosen" });
    const generated = await make({ owner: "guild", name: "generated", template: "alice/chosen", private: "true" });
    expect([generated.location, /class="wrong"[^>]*>([^<]*)/.exec(generated.text)?.[1]]).toEqual(["/guild/generated", undefined]);
    expect(await forge.admin.get("/repos/guild/generated").expect(200)).toMatchObject({ private: true, empty: false, fork: false });
    await forge.admin.get("/repos/guild/generated/contents/LICENSE").expect(200);
    for (const [fields, field] of [
      [{ template: "alice/nosuch" }, "template"],
      [{ default_branch: "a..b" }, "default_branch"],
    ] as const) {
      const refused = await make({ owner: "alice", name: "refused", ...fields });
      expect([refused.status, /id="(\w+)-problem"/.exec(refused.text)?.[1]]).toEqual([422, field]);
    }
    await forge.admin.get("/repos/alice/refused").expect(404);
  });

  test("shows an error next to its field, and keeps the submitted values", async () => {
    await make({ owner: "alice", name: "taken" });
    for (const [fields, field, words] of [
      [{ owner: "alice", name: "taken" }, "name", "A repository with this name already exists."],
      [{ owner: "alice", name: "x.git" }, "name", "This name is reserved. Choose another one."],
      [{ owner: "alice", name: "a b" }, "name", "Use only A–Z, a–z, digits, dashes, underscores, and dots."],
      [{ owner: "lodge", name: "other" }, "owner", "You are not authorized to create repositories in this organization."],
      [{ owner: "nowhere", name: "other" }, "owner", "User or organization not found."],
    ] as const) {
      const refused = await make({ ...fields, description: "Long words" });
      const [, shownAt] = /id="(\w+)-problem"/.exec(refused.text) ?? [];
      expect([shownAt, refused.status, refused.text.includes(words), refused.text.includes("Long words")]).toEqual([field, 422, true, true]);
    }
    expect((await createBrowser(forge.url).get(path)).location).toBe(`/user/login?redirect_to=${encodeURIComponent(path)}`);
  });
});
