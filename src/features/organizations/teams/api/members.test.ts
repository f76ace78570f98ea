import { describe, expect, test } from "vitest";
import type { ApiClient } from "../../../../../test/kit/api-client.ts";
import { eachDialect } from "../../../../../test/kit/databases.ts";
import { shareForge } from "../../../../../test/kit/set-up.ts";

eachDialect((dialect) => {
  const { forge, users } = shareForge({ dialect }, ["alice", "bob", "carol", "mallory"]);
  const { alice, bob, carol, mallory } = users;
  const logins = async (client: ApiClient, path: string): Promise<string[]> => {
    const answer = await client.get(path);
    expect([path, answer.status, answer.headers.get("x-total-count")]).toEqual([path, 200, String(answer.json.length)]);
    return answer.json.map(({ login }: { login: string }) => login);
  };
  const makeOrg = async (username: string): Promise<{ owners: number; devs: number }> => {
    await alice.post("/orgs", { username }).expect(201);
    const [owners] = await alice.get(`/orgs/${username}/teams`).expect(200);
    const devs = await alice.post(`/orgs/${username}/teams`, { name: "devs", permission: "write", units: ["repo.code"] }).expect(201);
    return { owners: owners.id, devs: devs.id };
  };

  describe("members of an organization", () => {
    test("are visible to insiders, and to others if their membership is public", async () => {
      const { devs } = await makeOrg("acme");
      await alice.put(`/teams/${devs}/members/bob`).expect(204);
      await alice.put(`/teams/${devs}/members/BOB`).expect(204);
      expect(await logins(bob, "/orgs/acme/members")).toEqual(["alice", "bob"]);
      expect(await logins(forge.admin, "/orgs/acme/members")).toEqual(["alice", "bob"]);
      expect(await logins(bob, "/orgs/acme/public_members")).toEqual([]);
      expect(await logins(mallory, "/orgs/acme/members")).toEqual([]);
      await forge.anonymous.get("/orgs/acme/members").expect(401);

      await alice.get("/orgs/acme/members/bob").expect(204);
      await alice.get("/orgs/acme/members/mallory").expect(404);
      await alice.get("/orgs/acme/members/nosuch").expect(404);
      await mallory.get("/orgs/acme/members/mallory").expect(404);
      const elsewhere = await mallory.get("/orgs/acme/members/bob");
      expect([elsewhere.status, elsewhere.headers.get("location")]).toEqual([303, "/api/v1/orgs/acme/public_members/bob"]);
      expect(elsewhere.headers.get("content-type")).toBe("text/html; charset=utf-8");
      expect(elsewhere.text).toBe('<a href="/api/v1/orgs/acme/public_members/bob">See Other</a>.\n\n');
      await forge.anonymous.get("/orgs/acme/members/bob").expect(401);
      await mallory.get("/orgs/acme/public_members/bob").expect(404);

      await bob.put("/orgs/acme/public_members/bob").expect(204);
      expect((await bob.put("/orgs/acme/public_members/alice").expect(403)).message).toBe("Cannot change member visibility");
      await mallory.put("/orgs/acme/public_members/mallory").expect(403);
      await alice.put("/orgs/acme/public_members/mallory").expect(404);
      expect(await logins(mallory, "/orgs/acme/members")).toEqual(["bob"]);
      await forge.anonymous.get("/orgs/acme/public_members/bob").expect(204);
      await bob.delete("/orgs/acme/public_members/alice").expect(403);
      await alice.delete("/orgs/acme/public_members/bob").expect(204);
      expect(await logins(forge.anonymous, "/orgs/acme/public_members")).toEqual([]);
    });

    test("who hide their accounts are not shown to outsiders through a membership", async () => {
      const { devs } = await makeOrg("shy");
      await alice.put(`/teams/${devs}/members/carol`).expect(204);
      await carol.put("/orgs/shy/public_members/carol").expect(204);
      await forge.admin.patch("/admin/users/carol", { login_name: "carol", source_id: 0, visibility: "private" }).expect(200);
      expect(await logins(mallory, "/orgs/shy/members")).toEqual([]);
      await mallory.get("/orgs/shy/public_members/carol").expect(404);
      expect(await logins(alice, "/orgs/shy/members")).toEqual(["alice", "carol"]);
      await alice.get("/orgs/shy/members/carol").expect(204);
      await forge.admin.patch("/admin/users/carol", { login_name: "carol", source_id: 0, visibility: "public" }).expect(200);
    });
  });

  describe("members of a team", () => {
    test("are added and removed along with their organization membership", async () => {
      const { devs, owners } = await makeOrg("turns");
      await alice.put(`/teams/${devs}/members/bob`).expect(204);
      expect(await logins(bob, `/teams/${devs}/members`)).toEqual(["bob"]);
      expect((await alice.get(`/teams/${devs}/members/bob`).expect(200)).login).toBe("bob");
      await alice.get(`/teams/${devs}/members/alice`).expect(404);
      const unknown = await alice.put(`/teams/${devs}/members/nosuch`).expect(404);
      expect(unknown).toMatchObject({ message: "GetUserByName", errors: ["user does not exist [uid: 0, name: nosuch]"] });
      await alice.put(`/teams/${devs}/members/turns`).expect(404);
      await alice.put(`/teams/${owners}/members/bob`).expect(204);
      await alice.delete(`/teams/${devs}/members/bob`).expect(204);
      await alice.delete(`/teams/${devs}/members/bob`).expect(204);
      await alice.get("/orgs/turns/members/bob").expect(204);
      await alice.delete(`/teams/${owners}/members/bob`).expect(204);
      await alice.get("/orgs/turns/members/bob").expect(404);
      await alice.delete(`/teams/${devs}/members/nosuch`).expect(404);
    });

    test("cannot be users blocked by the organization", async () => {
      const { devs } = await makeOrg("closed");
      await alice.put("/orgs/closed/blocks/mallory").expect(204);
      expect((await alice.put(`/teams/${devs}/members/mallory`).expect(403)).message).toBe("user is blocked");
      await alice.get("/orgs/closed/members/mallory").expect(404);
      await alice.delete("/orgs/closed/blocks/mallory").expect(204);
      await alice.put(`/teams/${devs}/members/mallory`).expect(204);
    });

    test("leave all teams when their membership ends", async () => {
      const { devs } = await makeOrg("leave");
      await alice.put(`/teams/${devs}/members/bob`).expect(204);
      await mallory.delete("/orgs/leave/members/bob").expect(403);
      await bob.delete("/orgs/leave/members/alice").expect(403);
      await alice.delete("/orgs/leave/members/bob").expect(204);
      await alice.delete("/orgs/leave/members/bob").expect(204);
      await alice.delete("/orgs/leave/members/nosuch").expect(404);
      expect(await logins(alice, `/teams/${devs}/members`)).toEqual([]);
      await bob.get(`/teams/${devs}`).expect(404);
    });

    test("can leave a team or the organization themselves", async () => {
      const { devs } = await makeOrg("parting");
      for (const way of [`/teams/${devs}/members/bob`, "/orgs/parting/members/bob"]) {
        await alice.put(`/teams/${devs}/members/bob`).expect(204);
        await bob.delete(way).expect(204);
        expect(await logins(alice, "/orgs/parting/members")).toEqual(["alice"]);
      }
      await bob.delete(`/teams/${devs}/members/bob`).expect(404);
    });
  });

  describe("the last owner of an organization", () => {
    test("cannot be removed through either endpoint", async () => {
      const { owners } = await makeOrg("sole");
      await alice.delete("/orgs/sole/members/alice").expect(422);
      await alice.delete(`/teams/${owners}/members/alice`).expect(422);
      expect(await logins(alice, `/teams/${owners}/members`)).toEqual(["alice"]);
    });

    test("remains when two owners remove each other concurrently", async () => {
      for (let round = 0; round < 6; round++) {
        const name = `duel${round}`;
        const { owners } = await makeOrg(name);
        await alice.put(`/teams/${owners}/members/bob`).expect(204);
        const [byAlice, byBob] = await Promise.all([
          round % 2 === 0 ? alice.delete(`/teams/${owners}/members/bob`) : alice.delete(`/orgs/${name}/members/bob`),
          round % 3 === 0 ? bob.delete(`/teams/${owners}/members/alice`) : bob.delete(`/orgs/${name}/members/alice`),
        ]);
        expect([byAlice.status, byBob.status].filter((status) => status === 204)).toHaveLength(1);
        expect(await logins(forge.admin, `/teams/${owners}/members`)).toHaveLength(1);
        expect(await logins(forge.admin, `/orgs/${name}/members`)).toHaveLength(1);
      }
    });
  });
});
