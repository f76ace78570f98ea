import { afterAll, beforeAll, expect, test } from "vitest";
import { eachDialect } from "../kit/databases.ts";
import { startForge, type TestForge, type TestUser } from "../kit/forge.ts";
import { createClient } from "../kit/git.ts";
import { push } from "../kit/push.ts";

const base64 = (text: string): string => Buffer.from(text).toString("base64");
const file = { content: base64("text"), message: "a change" };
const archived = "alice/old is archived";

eachDialect((dialect) => {
  let forge: TestForge;
  let alice: TestUser;
  beforeAll(async () => {
    forge = await startForge({ dialect });
    alice = await forge.createUser("alice");
    const bob = await forge.createUser("bob");
    await bob.post("/user/repos", { name: "old", auto_init: true }).expect(201);
    await alice.post("/repos/bob/old/forks", {}).expect(202);
    await alice.patch("/repos/alice/old", { has_issues: true, has_wiki: true, has_releases: true }).expect(200);
    await alice.post("/repos/alice/old/issues", { title: "open" }).expect(201);
    await alice.post("/repos/alice/old/wiki/new", { title: "Home", content_base64: base64("home") }).expect(201);
    await alice.post("/repos/alice/old/branches", { new_branch_name: "topic" }).expect(201);
    await alice.post("/repos/alice/old/releases", { tag_name: "kept" }).expect(201);
    await alice.patch("/repos/alice/old", { archived: true }).expect(200);
  });
  afterAll(() => forge[Symbol.asyncDispose]());

  test.each([
    ["post", "contents/new.txt", file, "alice/old is not allowed to edit"],
    ["post", "contents", { files: [{ operation: "create", path: "x", content: "" }], message: "x" }, "alice/old is not allowed to edit"],
    ["post", "diffpatch", { content: "diff --git a/x b/x\n" }, "alice/old is not allowed to edit"],
    ["post", "branches", { new_branch_name: "b" }, archived],
    ["patch", "branches/topic", { name: "renamed" }, archived],
    ["delete", "branches/topic", undefined, archived],
    ["post", "tags", { tag_name: "v1" }, archived],
    ["put", "issues/1/lock", {}, archived],
    ["post", "push_mirrors", { remote_address: "https://example.org/x.git", interval: "8h" }, archived],
    ["post", "merge-upstream", { branch: "main" }, archived],
    ["post", "issues", { title: "new" }, archived],
    ["patch", "issues/1", { state: "closed" }, archived],
    ["post", "issues/1/comments", { body: "text" }, archived],
    ["post", "pulls", { title: "new", head: "topic", base: "main" }, archived],
    ["post", "wiki/new", { title: "Other", content_base64: base64("x") }, archived],
    ["delete", "wiki/page/Home", undefined, archived],
    ["post", "branch_protections", { rule_name: "main" }, archived],
    ["post", "tag_protections", { name_pattern: "v*" }, archived],
  ] as const)("an archived repository refuses %s %s", async (method, path, body, message) => {
    expect(await alice[method](`/repos/alice/old/${path}`, body).expect(423)).toMatchObject({ message });
  });

  test("can be read, cloned, forked and edited, and accepts all changes after unarchiving", async () => {
    await alice.get("/repos/alice/old/contents").expect(200);
    const carol = await forge.createUser("carol");
    expect(await carol.post("/repos/alice/old/forks", {}).expect(202)).toMatchObject({ archived: false });
    await alice.put("/repos/alice/old/topics", { topics: ["kept"] }).expect(204);
    await alice.post("/repos/alice/old/labels", { name: "kept", color: "fff" }).expect(201);
    await alice.post("/repos/alice/old/milestones", { title: "kept" }).expect(201);
    const { id } = await alice.get("/repos/alice/old/releases/tags/kept").expect(200);
    await alice.post(`/repos/alice/old/releases/${id}/assets?name=a.txt`, "x", { "content-type": "application/octet-stream" }).expect(201);
    const client = createClient();
    try {
      client.commit({ "pushed.txt": "pushed" });
      await expect(push(client, alice, "alice/old", "main:pushed")).rejects.toThrow("This repo is archived");
      expect(await alice.patch("/repos/alice/old", { archived: false }).expect(200)).toMatchObject({ archived: false });
      await push(client, alice, "alice/old", "main:pushed");
    } finally {
      client.remove();
    }
    await alice.post("/repos/alice/old/contents/new.txt", file).expect(201);
    await alice.post("/repos/alice/old/merge-upstream", { branch: "main" }).expect(200);
    await alice.post("/repos/alice/old/issues", { title: "again" }).expect(201);
  });
});
