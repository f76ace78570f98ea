import { expect, test } from "vitest";
import { createApiClient } from "../../../../../test/kit/api-client.ts";
import { differences } from "../../../../../test/kit/contract.ts";
import { eachDialect } from "../../../../../test/kit/databases.ts";
import { shareForge } from "../../../../../test/kit/set-up.ts";

eachDialect((dialect) => {
  const { forge, users } = shareForge({ dialect }, ["alice", "bob"]);
  const { alice, bob } = users;
  const addresses = (emails: { readonly email: string }[]): string[] => emails.map(({ email }) => email);

  test("adds, lists and deletes addresses", async () => {
    const added = await alice.post("/user/emails", { emails: ["a2@example.com", "A3@example.com", "a3@EXAMPLE.com"] }).expect(201);
    expect(added).toEqual([
      { email: "alice@example.com", verified: true, primary: true, user_id: 0, username: "" },
      { email: "a2@example.com", verified: false, primary: false, user_id: 0, username: "" },
      { email: "a3@EXAMPLE.com", verified: false, primary: false, user_id: 0, username: "" },
    ]);
    const listed = await alice.get("/user/emails");
    expect([listed.json, listed.headers.get("x-total-count")]).toEqual([added, null]);
    expect(differences(added, "[]Email")).toEqual([]);
    await alice.delete("/user/emails", { emails: ["A3@example.com"] }).expect(204);
    await alice.delete("/user/emails", { emails: [] }).expect(204);
    expect(addresses(await alice.get("/user/emails").expect(200))).toEqual(["alice@example.com", "a2@example.com"]);
  });

  test.each([
    [{ emails: [] }, "Email list empty"],
    [{}, "Email list empty"],
    [{ emails: ["b2@example.com", "bad"] }, 'Email address "bad" invalid'],
    [{ emails: ["b2@example.com", "ALICE@example.com"] }, "Email address has been used: ALICE@example.com"],
    [{ emails: ["bob@example.com"] }, "Email address has been used: bob@example.com"],
    [{ emails: Array.from({ length: 50 }, (_, index) => `b${index}@example.com`) }, "a user can have at most 50 addresses"],
  ])("rejects adding %j and adds nothing", async (body, message) => {
    expect((await bob.post("/user/emails", body).expect(422)).message).toBe(message);
    expect(addresses(await bob.get("/user/emails").expect(200))).toEqual(["bob@example.com"]);
  });

  test("gives an address to one user when several request it concurrently", async () => {
    const answers = await Promise.all([alice, bob, alice, bob].map((user) => user.post("/user/emails", { emails: ["wanted@example.com"] })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 422, 422, 422]);
    for (const user of [alice, bob]) await user.delete("/user/emails", { emails: ["wanted@example.com"] });
  });

  test("an address added by an administrator is verified", async () => {
    const carol = await forge.createUser("carol");
    await forge.admin.post("/user/emails?sudo=carol", { emails: ["c2@example.com"] }).expect(201);
    expect(await carol.get("/user/emails").expect(200)).toMatchObject([{ verified: true }, { email: "c2@example.com", verified: true, primary: false }]);
  });

  test("rejects deleting the primary address or another user's address", async () => {
    await alice.post("/user/emails", { emails: ["a4@example.com"] }).expect(201);
    await bob.delete("/user/emails", { emails: ["a4@example.com"] }).expect(404);
    expect(await bob.delete("/user/emails", { emails: ["nobody@example.com"] }).expect(404)).toMatchObject({
      message: "Email address does not exist [email: nobody@example.com]",
    });
    await alice.delete("/user/emails", { emails: ["a4@example.com", "alice@example.com"] }).expect(422);
    expect(addresses(await alice.get("/user/emails").expect(200))).toContain("a4@example.com");
  });

  test("an unverified address cannot be used to sign in", async () => {
    await bob.post("/user/emails", { emails: ["claimed@example.com"] }).expect(201);
    const basic = (login: string) => createApiClient(forge.url, `Basic ${Buffer.from(`${login}:${bob.password}`).toString("base64")}`);
    await basic("bob@example.com").get("/user").expect(200);
    await basic("claimed@example.com").get("/user").expect(401);
  });

  test("are visible only to their user", async () => {
    await forge.anonymous.get("/user/emails").expect(401);
    const basic = createApiClient(forge.url, `Basic ${Buffer.from(`alice:${alice.password}`).toString("base64")}`);
    const { sha1 } = await basic.post<{ sha1: string }>("/users/alice/tokens", { name: "public", scopes: ["public-only", "write:user"] }).expect(201);
    const restrained = createApiClient(forge.url, `token ${sha1}`);
    for (const answer of [await restrained.get("/user/emails"), await restrained.post("/user/emails", { emails: ["x@example.com"] })]) {
      expect([answer.status, answer.json.message]).toEqual([403, "this endpoint is not available for public-only tokens"]);
    }
  });

  test("administrators can list and search all addresses", async () => {
    await alice.post("/user/emails", { emails: ["needle@example.com"] }).expect(201);
    const found = await forge.admin.get("/admin/emails/search?q=NEEDLE");
    expect(found.json).toEqual([{ email: "needle@example.com", verified: false, primary: false, user_id: alice.id, username: "alice" }]);
    expect(found.headers.get("x-total-count")).toBe("1");
    expect(addresses(await forge.admin.get("/admin/emails/search?q=bob").expect(200))).toContain("bob@example.com");
    expect(await forge.admin.get("/admin/emails/search?q=%25").expect(200)).toEqual([]);
    const page = await forge.admin.get("/admin/emails?limit=1");
    expect(page.json).toHaveLength(1);
    expect(page.headers.get("link")).toContain('rel="next"');
    await alice.get("/admin/emails").expect(403);
    await forge.anonymous.get("/admin/emails/search?q=a").expect(401);
  });
});
