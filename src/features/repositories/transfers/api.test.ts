import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { eachDialect } from "../../../../test/kit/databases.ts";
import { startForge, type TestForge, type TestUser } from "../../../../test/kit/forge.ts";

eachDialect((dialect) => {
  let forge: TestForge;
  let alice: TestUser;
  let bob: TestUser;
  let carol: TestUser;
  beforeAll(async () => {
    forge = await startForge({ dialect });
    alice = await forge.createUser("alice");
    bob = await forge.createUser("bob");
    carol = await forge.createUser("carol");
    await alice.post("/orgs", { username: "acme" }).expect(201);
  });
  afterAll(() => forge[Symbol.asyncDispose]());

  const make = (name: string, options = {}) => alice.post("/user/repos", { name, auto_init: true, ...options }).expect(201);
  const transfer = (repo: string, body: object, who = alice) => who.post(`/repos/${repo}/transfer`, body);

  describe("transfer to a user", () => {
    test("is pending and visible to the recipient, who gets the complete repository on acceptance", async () => {
      await make("moving");
      await alice.put("/repos/alice/moving/collaborators/carol", { permission: "write" }).expect(204);
      expect(await transfer("alice/moving", { new_owner: "bob" }).expect(201)).toMatchObject({
        full_name: "alice/moving",
        repo_transfer: { doer: { login: "alice" }, recipient: { login: "bob" }, teams: [] },
      });
      const { result, statements } = await forge.cost(() => bob.get("/repos/alice/moving").expect(200));
      expect(result).toMatchObject({ repo_transfer: { recipient: { login: "bob" } }, permissions: { admin: false } });
      expect(statements.length).toBeLessThanOrEqual(6);
      expect(await transfer("alice/moving", { new_owner: "carol" }).expect(409)).toMatchObject({
        message: "repository is already being transferred [uname: , name: ]",
      });
      expect(await carol.post("/repos/alice/moving/transfer/accept").expect(403)).toMatchObject({ message: "permission denied" });
      const taken = await bob.post("/repos/alice/moving/transfer/accept").expect(202);
      expect(taken).toMatchObject({ full_name: "bob/moving", permissions: { admin: true, push: true, pull: true } });
      expect(taken.repo_transfer).toBeUndefined();
      // The old URL redirects; contents and collaborators are kept.
      const moved = await alice.get("/repos/alice/moving");
      expect({ status: moved.status, location: moved.headers.get("location") }).toEqual({ status: 301, location: "/api/v1/repos/bob/moving" });
      await bob.get("/repos/bob/moving/contents/README.md").expect(200);
      expect(await bob.get("/repos/bob/moving/collaborators/carol/permission").expect(200)).toMatchObject({ permission: "write" });
      await alice.patch("/repos/bob/moving", { description: "no longer hers" }).expect(403);
      expect(await bob.post("/repos/alice/moving/transfer/accept")).toMatchObject({ status: 301 });
      // A new repository under the old name takes precedence over the redirect.
      await make("moving");
      expect(await alice.get("/repos/alice/moving").expect(200)).toMatchObject({ full_name: "alice/moving" });
      const audit = await forge.admin.get("/admin/audit?action=repo.transferred").expect(200);
      expect(JSON.stringify(audit)).toContain("bob/moving");
    });

    test("is cancelled by the recipient or the owner", async () => {
      await make("kept");
      await transfer("alice/kept", { new_owner: "bob" }).expect(201);
      const rejected = await bob.post("/repos/alice/kept/transfer/reject").expect(200);
      expect(rejected).toMatchObject({ full_name: "alice/kept" });
      expect(rejected.repo_transfer).toBeUndefined();
      const { id } = await alice.get("/repos/alice/kept").expect(200);
      expect(await bob.post("/repos/alice/kept/transfer/reject").expect(404)).toMatchObject({
        message: `repository doesn't have a pending transfer [repo_id: ${id}]`,
      });
      await transfer("alice/kept", { new_owner: "bob" }).expect(201);
      await carol.post("/repos/alice/kept/transfer/reject").expect(403);
      await alice.post("/repos/alice/kept/transfer/reject").expect(200);
      await bob.post("/repos/alice/kept/transfer/accept").expect(404);
    });

    test("gives the recipient read access only while it is pending", async () => {
      await make("hidden", { private: true });
      await bob.get("/repos/alice/hidden").expect(404);
      await bob.post("/repos/alice/hidden/transfer/accept").expect(404);
      await transfer("alice/hidden", { new_owner: "bob" }).expect(201);
      await bob.get("/repos/alice/hidden/contents/README.md").expect(200);
      await bob.post("/repos/alice/hidden/transfer/reject").expect(200);
      await bob.get("/repos/alice/hidden").expect(404);
      await transfer("alice/hidden", { new_owner: "bob" }).expect(201);
      await bob.post("/repos/alice/hidden/transfer/accept").expect(202);
      expect(await bob.get("/repos/bob/hidden").expect(200)).toMatchObject({ private: true, permissions: { admin: true } });
      // The former owner has no access any more, and cannot find out the new name.
      await alice.get("/repos/alice/hidden").expect(404);
      await alice.get("/repos/bob/hidden").expect(404);
    });
  });

  describe("transfer to an organization", () => {
    test("is immediate for users who can create repositories there, and adds the given teams", async () => {
      await make("given");
      const { id } = await alice.post("/orgs/acme/teams", { name: "devs", permission: "write", units: ["repo.code"] }).expect(201);
      await alice.put(`/teams/${id}/members/carol`).expect(204);
      expect(await transfer("alice/given", { new_owner: "acme", team_ids: [id] }).expect(202)).toMatchObject({ full_name: "acme/given" });
      expect((await alice.get("/repos/acme/given/teams").expect(200)).map(({ name }: { name: string }) => name)).toContain("devs");
      expect(await carol.get("/repos/acme/given").expect(200)).toMatchObject({ permissions: { push: true } });
      expect((await alice.get("/users/alice/repos").expect(200)).map(({ name }: { name: string }) => name)).not.toContain("given");
    });

    test("is otherwise pending until an owner of the organization answers, even if no member could read the repository", async () => {
      await bob.post("/user/repos", { name: "offered", private: true }).expect(201);
      const [team] = (await alice.get("/orgs/acme/teams").expect(200)).filter(({ name }: { name: string }) => name === "devs");
      expect(await transfer("bob/offered", { new_owner: "acme", team_ids: [team.id] }, bob).expect(201)).toMatchObject({
        repo_transfer: { recipient: { login: "acme" }, teams: [{ name: "devs", units: ["repo.code"] }] },
      });
      await alice.get("/repos/bob/offered").expect(404);
      await carol.post("/repos/bob/offered/transfer/accept").expect(404);
      expect(await alice.post("/repos/bob/offered/transfer/accept").expect(202)).toMatchObject({ full_name: "acme/offered", private: true });
      await carol.get("/repos/acme/offered").expect(200);
      await bob.get("/repos/acme/offered").expect(404);
    });

    test("removes the organization's teams and labels from a repository that leaves it", async () => {
      const { id: labelId } = await alice.post("/orgs/acme/labels", { name: "theirs", color: "00ff00" }).expect(201);
      await alice.patch("/repos/acme/given", { has_issues: true }).expect(200);
      await alice.post("/repos/acme/given/issues", { title: "labelled", labels: [labelId] }).expect(201);
      await alice
        .post("/repos/acme/given/branch_protections", { rule_name: "main", enable_push_whitelist: true, enable_push: true, push_whitelist_teams: ["devs"] })
        .expect(201);
      expect(await transfer("acme/given", { new_owner: "alice" }).expect(202)).toMatchObject({ full_name: "alice/given" });
      expect(await carol.get("/repos/alice/given").expect(200)).toMatchObject({ permissions: { push: false } });
      expect(await alice.get("/repos/alice/given/issues/1").expect(200)).toMatchObject({ labels: [] });
      expect(await alice.get("/repos/alice/given/branch_protections/main").expect(200)).toMatchObject({ push_whitelist_teams: [] });
    });
  });

  describe("rejected transfers", () => {
    test("rejects unknown or blocked recipients, names in use, and callers who are not owners", async () => {
      await make("staying");
      expect(await transfer("alice/staying", { new_owner: "nobody" }).expect(404)).toMatchObject({
        message: "The new owner does not exist or cannot be found",
      });
      await transfer("alice/staying", {}).expect(404);
      expect(await transfer("alice/staying", { new_owner: "acme", team_ids: [999999] }).expect(404)).toMatchObject({ message: "team 999999 not found" });
      const [{ id }] = await alice.get("/orgs/acme/teams").expect(200);
      await transfer("alice/staying", { new_owner: "bob", team_ids: [id] }).expect(422);
      await bob.post("/user/repos", { name: "staying" }).expect(201);
      expect(await transfer("alice/staying", { new_owner: "bob" }).expect(422)).toMatchObject({
        message: "repository already exists [uname: bob, name: staying]",
      });
      expect(await transfer("alice/staying", { new_owner: "alice" }).expect(422)).toMatchObject({
        message: "repository already exists [uname: alice, name: staying]",
      });
      expect(await transfer("alice/staying", { new_owner: "bob" }, bob).expect(403)).toMatchObject({ message: "user should be the owner of the repo" });
      await bob.put("/user/blocks/alice").expect(204);
      await make("unwanted");
      expect(await transfer("alice/unwanted", { new_owner: "bob" }).expect(403)).toMatchObject({ message: "user is blocked" });
      await bob.delete("/user/blocks/alice").expect(204);
    });

    test("a transfer stays pending if the name is taken before it is accepted", async () => {
      await make("late");
      await transfer("alice/late", { new_owner: "bob" }).expect(201);
      await bob.post("/user/repos", { name: "Late" }).expect(201);
      await bob.post("/repos/alice/late/transfer/accept").expect(422);
      await bob.delete("/repos/bob/Late").expect(204);
      await bob.post("/repos/alice/late/transfer/accept").expect(202);
    });

    test("of several concurrent answers exactly one succeeds", async () => {
      await make("raced");
      await transfer("alice/raced", { new_owner: "bob" }).expect(201);
      const owned = async () => (await bob.get("/users/bob/repos?limit=50").expect(200)).length;
      const before = await owned();
      const answers = await Promise.all(["accept", "accept", "reject", "accept"].map((word) => bob.post(`/repos/alice/raced/transfer/${word}`)));
      const taken = answers.filter(({ status }) => status === 202).length;
      expect(taken).toBeLessThanOrEqual(1);
      expect(await owned()).toBe(before + taken);
    });
  });

  test("site administrators transfer repositories to anyone immediately", async () => {
    await make("ordered");
    expect(await transfer("alice/ordered", { new_owner: "bob" }, forge.admin).expect(202)).toMatchObject({ full_name: "bob/ordered" });
  });
});
