import { describe, expect, test } from "vitest";
import { createBrowser } from "../../../../test/kit/browser.ts";
import { eachDialect } from "../../../../test/kit/databases.ts";
import { registerRunner } from "../../../../test/kit/runner.ts";
import { shareForge } from "../../../../test/kit/set-up.ts";

eachDialect((dialect) => {
  const { forge, users } = shareForge({ dialect }, ["alice", "bob"], async ({ users: { alice } }) => {
    await alice.post("/user/repos", { name: "r" }).expect(201);
    await alice.post("/orgs", { username: "team" }).expect(201);
  });
  const { alice, bob } = users;

  describe("settings of Actions", () => {
    test("owners set secrets and variables and manage runners on the page of each level; no page shows a secret", async () => {
      const owner = createBrowser(forge.url);
      await owner.signIn(alice);
      for (const [page, api] of [
        ["/alice/r/settings/actions", "/repos/alice/r/actions"],
        ["/org/team/settings/actions", "/orgs/team/actions"],
        ["/user/settings/actions", "/user/actions"],
      ] as const) {
        const submit = async (action: string, fields: Readonly<Record<string, string>>) => owner.submit(await owner.get(page), `${page}/${action}`, fields);
        expect((await submit("secrets", { name: "Key", value: "swordfish" })).status).toBe(303);
        expect((await submit("variables", { name: "Place", value: "here" })).status).toBe(303);
        const refused = await submit("secrets", { name: "github_x", value: "typed value" });
        expect([refused.status, refused.text.includes('value="github_x"'), refused.text.includes("typed value")]).toEqual([422, true, false]);
        const kept = await submit("variables", { name: "1st", value: "typed value" });
        expect([kept.status, kept.form(`${page}/variables`).value, kept.text.includes("cannot start with a digit")]).toEqual([422, "typed value", true]);
        // A label focuses the first element with the id.
        const ids = [...kept.text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
        expect(ids).toEqual([...new Set(ids)]);
        const { text } = await owner.get(page);
        expect([text.includes("<code>KEY</code>"), text.includes("<code>PLACE</code>"), text.includes("here"), text.includes("swordfish")]).toEqual([
          true,
          true,
          true,
          false,
        ]);
        expect(await alice.get(`${api}/variables/place`).expect(200)).toMatchObject({ data: "here" });

        expect((await submit("token", {})).status).toBe(303);
        const [, token = ""] = /: <code class="secret">(\w+)<\/code>/.exec((await owner.get(page)).text) ?? [];
        const { id } = await registerRunner(forge.url, token, { name: "worker" });
        // At the end of the row, as in other lists.
        expect((await owner.get(page)).text).toContain(`<div class="end"><form method="post" action="${page}/runners/disable"`);
        expect((await submit("runners/disable", { id: String(id) })).status).toBe(303);
        expect(await alice.get(`${api}/runners/${id}`).expect(200)).toMatchObject({ disabled: true });
        expect((await submit("runners/enable", { id: String(id) })).status).toBe(303);
        expect((await submit("token", {})).status).toBe(303);
        await expect(registerRunner(forge.url, token)).rejects.toMatchObject({ status: 401 });
        expect((await submit("runners/delete", { id: String(id) })).status).toBe(303);
        await alice.get(`${api}/runners/${id}`).expect(404);
        expect((await submit("secrets/delete", { name: "KEY" })).status).toBe(303);
        expect((await submit("variables/delete", { name: "PLACE" })).status).toBe(303);
        await alice.get(`${api}/variables/place`).expect(404);
      }
      const stranger = createBrowser(forge.url);
      await stranger.signIn(bob);
      for (const page of ["/alice/r/settings/actions", "/org/team/settings/actions", "/-/admin/actions"])
        expect([403, 404]).toContain((await stranger.get(page)).status);
    });
  });
});
