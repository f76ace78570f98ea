import { describe, expect, test } from "vitest";
import { eachDialect } from "../../../../../test/kit/databases.ts";
import { startForge } from "../../../../../test/kit/forge.ts";
import { createBadge } from "../service/badges.ts";

eachDialect((dialect) => {
  test("adds all badges of a request or none, and removes those that the user has", async () => {
    await using forge = await startForge({ dialect });
    const { admin } = forge;
    const alice = await forge.createUser("alice");
    await alice.post("/orgs", { username: "acme" }).expect(201);
    for (const slug of ["early", "kind"]) await createBadge(forge.context, { slug, description: `${slug} one`, imageUrl: "" });
    const path = "/admin/users/alice/badges";
    expect(await admin.get(path).expect(200)).toEqual([]);
    await admin.post(path, { badge_slugs: ["early", "kind", "early"] }).expect(204);
    await admin.post(path, { badge_slugs: ["kind"] }).expect(204);
    const shown = await admin.get<{ id: number }[]>(path);
    expect(shown.json).toEqual([
      { id: expect.any(Number), slug: "early", description: "early one", image_url: "" },
      { id: expect.any(Number), slug: "kind", description: "kind one", image_url: "" },
    ]);
    expect(shown.headers.get("x-total-count")).toBe("2");

    expect(await admin.post(path, { badge_slugs: ["kind", "nosuch"] }).expect(422)).toMatchObject({ message: "badge does not exist [slug: nosuch]" });
    await admin.post(path, {}).expect(422);
    await admin.delete(path, { badge_slugs: ["kind", "nosuch"] }).expect(204);
    await admin.delete(path, { badge_slugs: ["kind"] }).expect(204);
    expect(await admin.get(path).expect(200)).toHaveLength(1);

    const { entries } = await admin.get<{ entries: { action: string; details: unknown }[] }>("/admin/audit?account=alice&action=badge").expect(200);
    expect(entries.map(({ action, details }) => [action, details])).toEqual([
      ["badge.removed", { badges: ["kind"] }],
      ["badge.added", { badges: ["early", "kind"] }],
    ]);

    await alice.get(path).expect(403);
    await forge.anonymous.get(path).expect(401);
    await admin.get("/admin/users/nosuch/badges").expect(404);
    await admin.get("/admin/users/acme/badges").expect(404);
    await admin.delete("/admin/users/alice?purge=true").expect(204);
  });

  describe("the name of a badge", () => {
    test.each(["", "Upper", "a b", "-a", "x".repeat(41)])("cannot be %j", async (slug) => {
      await using database = await dialect.open();
      await expect(createBadge(database, { slug, description: "", imageUrl: "" })).rejects.toThrow("lower-case");
    });
  });
});
