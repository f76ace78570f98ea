import { describe, expect, test } from "vitest";
import { eachDialect } from "../../../../test/kit/databases.ts";
import { shareForge } from "../../../../test/kit/set-up.ts";

eachDialect((dialect) => {
  const { forge, users } = shareForge({ dialect }, ["alice", "bob"], async ({ users: { alice, bob } }) => {
    await alice.post("/user/repos", { name: "r", private: true }).expect(201);
    await alice.post("/orgs", { username: "team" }).expect(201);
    await alice.put("/repos/alice/r/collaborators/bob", { permission: "admin" }).expect(204);
    void bob;
  });
  const { alice, bob } = users;
  const places = ["/repos/alice/r/actions", "/orgs/team/actions", "/user/actions"];

  describe("secrets and variables", () => {
    test("owners set, list and delete secrets; no answer and no row contains a value", async () => {
      for (const place of places) {
        const secret = `${place}/secrets/My_Key`;
        await alice.put(secret, { data: "hidden-word\r\nsecond", description: "d".repeat(5_000) }).expect(201);
        await alice.put(secret.toLowerCase().replace("my_key", "my_KEY"), { data: "hidden-word 2" }).expect(204);
        await alice.put(`${place}/secrets/GITHUB_x`, { data: "x" }).expect(400);
        await alice.put(`${place}/secrets/1x`, { data: "x" }).expect(400);
        await alice.put(`${place}/secrets/x`, { data: "" }).expect(422);
        await alice.put(`${place}/secrets/x`, { data: "x".repeat(65_537) }).expect(400);
      }
      const listed = await alice.get("/repos/alice/r/actions/secrets");
      expect([listed.json, listed.headers.get("x-total-count")]).toEqual([[{ name: "MY_KEY", description: "", created_at: expect.any(String) }], "1"]);
      const rows = await forge.context.db.sql.selectFrom("action_secrets").selectAll().execute();
      expect(rows).toHaveLength(3);
      expect(JSON.stringify(rows)).not.toContain("hidden-word");
      for (const place of places) {
        await alice.delete(`${place}/secrets/my_key`).expect(204);
        expect((await alice.delete(`${place}/secrets/my_key`).expect(404)).message).toBe("secret was not found [name: ]");
      }
    });

    test("variables are created once, read, renamed and deleted", async () => {
      for (const place of places) {
        await alice.post(`${place}/variables/level`, { value: "1", description: "d".repeat(5_000) }).expect(201);
        await alice.post(`${place}/variables/LEVEL`, { value: "2" }).expect(409);
        await alice.post(`${place}/variables/other`, { value: "2" }).expect(201);
        const made = await alice.get(`${place}/variables/Level`).expect(200);
        expect([made.name, made.data, made.description.length]).toEqual(["LEVEL", "1", 4_096]);
        expect(made.owner_id === 0).toBe(place.startsWith("/repos"));
        await alice.put(`${place}/variables/level`, { value: "3", name: "other" }).expect(409);
        await alice.put(`${place}/variables/level`, { value: "3", name: "depth" }).expect(204);
        expect(await alice.get(`${place}/variables`).expect(200)).toMatchObject([{ name: "DEPTH", data: "3", description: "" }, { name: "OTHER" }]);
        await alice.delete(`${place}/variables/depth`).expect(204);
        await alice.get(`${place}/variables/depth`).expect(404);
      }
    });

    test("only owners and site administrators manage them", async () => {
      for (const place of places.slice(0, 2)) {
        await bob.put(`${place}/secrets/x`, { data: "x" }).expect(403);
        await bob.get(`${place}/variables`).expect(403);
      }
      await forge.anonymous.get("/repos/alice/r/actions/secrets").expect(404);
      await forge.admin.put("/repos/alice/r/actions/secrets/x", { data: "x" }).expect(201);
      const entries = await forge.admin.get("/admin/audit?action=action_secret.created").expect(200);
      expect(JSON.stringify(entries)).toContain('"MY_KEY"');
    });
  });
});
