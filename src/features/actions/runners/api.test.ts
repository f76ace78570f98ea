import { describe, expect, test } from "vitest";
import { eachDialect } from "../../../../test/kit/databases.ts";
import { registerRunner } from "../../../../test/kit/runner.ts";
import { shareForge } from "../../../../test/kit/set-up.ts";

eachDialect((dialect) => {
  const { forge, users } = shareForge({ dialect }, ["alice", "bob"], async ({ users: { alice } }) => {
    await alice.post("/user/repos", { name: "r" }).expect(201);
    await alice.post("/orgs", { username: "team" }).expect(201);
  });
  const { alice, bob } = users;

  describe("runners", () => {
    test("the token of each level registers runners that only this level and the server see", async () => {
      const levels = [
        [alice, "/repos/alice/r/actions/runners"],
        [alice, "/orgs/team/actions/runners"],
        [alice, "/user/actions/runners"],
        [forge.admin, "/admin/actions/runners"],
      ] as const;
      for (const [user, path] of levels) {
        const { token } = await user.post(`${path}/registration-token`, {}).expect(200);
        expect(await user.post(`${path}/registration-token`, {}).expect(200)).toEqual({ token });
        const runner = await registerRunner(forge.url, token, { name: `runner of ${path}`, labels: ["linux:host", "gold"] });
        const listed = await user.get(path).expect(200);
        const own = listed.runners.find(({ id }: { id: number }) => id === runner.id);
        expect(own).toEqual({
          id: runner.id,
          name: `runner of ${path}`,
          status: "offline",
          busy: false,
          disabled: false,
          ephemeral: false,
          labels: [
            { id: 0, name: "linux", type: "custom" },
            { id: 1, name: "gold", type: "custom" },
          ],
        });
        await runner.fetch(0);
        expect(await user.patch(`${path}/${runner.id}`, { disabled: true }).expect(200)).toMatchObject({ status: "online", disabled: true });
        expect(await user.get(`${path}?disabled=false`).expect(200)).toMatchObject({ total_count: path.startsWith("/admin") ? 3 : 0 });
        expect(await user.get(`${path}?disabled=odd`).expect(200)).toMatchObject({ total_count: path.startsWith("/admin") ? 3 : 0 });
        expect(await user.get(`${path}?limit=1&page=1`).expect(200)).toMatchObject({ runners: [{}], total_count: listed.total_count });
        expect(await user.get(`${path}?page=99`).expect(200)).toMatchObject({ runners: [], total_count: listed.total_count });
        await user.patch(`${path}/${runner.id}`, { disabled: false }).expect(200);
        await user.patch(`${path}/${runner.id}`, {}).expect(422);
      }
      const [first] = (await alice.get("/repos/alice/r/actions/runners").expect(200)).runners;
      expect(await alice.get(`/user/actions/runners/${first.id}`).expect(404)).toMatchObject({ message: "Runner not found" });
      expect(await alice.get("/user/actions/runners/word").expect(404)).toMatchObject({ message: "Runner not found" });
      await bob.get("/repos/alice/r/actions/runners").expect(403);
      await bob.post("/admin/actions/runners/registration-token", {}).expect(403);
      expect(await forge.admin.get(`/admin/actions/runners/${first.id}`).expect(200)).toMatchObject({ id: first.id });
      await alice.delete(`/repos/alice/r/actions/runners/${first.id}`).expect(204);
      await alice.delete(`/repos/alice/r/actions/runners/${first.id}`).expect(404);
    });
  });
});
