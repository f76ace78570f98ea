import { describe, expect, test } from "vitest";
import { eachDialect } from "../../../../test/kit/databases.ts";
import { startForge } from "../../../../test/kit/forge.ts";
import { lengths } from "../../../core/lengths.ts";
import { insertUser } from "./service/accounts.ts";

eachDialect((dialect) => {
  describe("the login name of an account", () => {
    test("is limited in length by the API, with an error that names the field", async () => {
      await using forge = await startForge({ dialect });
      await forge.createUser("bob");
      const long = "x".repeat(lengths.line + 1);
      const created = await forge.admin.post("/admin/users", { username: "eve", email: "eve@example.com", password: "a long pass phrase", login_name: long });
      const edited = await forge.admin.patch("/admin/users/bob", { login_name: long, source_id: 0 });
      for (const answer of [created, edited]) expect([answer.status, answer.json.message]).toEqual([422, expect.stringContaining("LoginName")]);
      await forge.admin.get("/users/eve").expect(404);
      const longest = long.slice(1);
      expect((await forge.admin.patch("/admin/users/bob", { login_name: longest, source_id: 0 }).expect(200)).login_name).toBe(longest);
    });

    test("is required to edit an account", async () => {
      await using forge = await startForge({ dialect });
      await forge.createUser("bob");
      const answer = await forge.admin.patch("/admin/users/bob", { source_id: 0, full_name: "Bob" });
      expect([answer.status, answer.json.message]).toEqual([422, expect.stringContaining("LoginName")]);
      expect((await forge.admin.get("/users/bob").expect(200)).full_name).toBe("");
    });

    test("is limited for callers other than the API, such as directories", async () => {
      await using forge = await startForge({ dialect });
      const { db, clock } = forge.forge.context;
      const loginName = "x".repeat(lengths.line + 1);
      const usual = { fullName: "", isAdmin: false, isRestricted: false, mustChangePassword: false, visibility: "public" } as const;
      const user = { ...usual, name: "eve", email: "eve@example.com", passwordHash: "", createdMs: clock.now(), loginName };
      await expect(db.tx((tx) => insertUser(tx, user, null))).rejects.toMatchObject({ code: "invalid", message: expect.stringContaining("LoginName") });
      await forge.admin.get("/users/eve").expect(404);
    });

    test("finds accounts", async () => {
      await using forge = await startForge({ dialect });
      for (const name of ["bob", "eve"]) await forge.createUser(name);
      await forge.admin.patch("/admin/users/bob", { login_name: "uid=bob", source_id: 0 }).expect(200);
      const found = await forge.admin.get<{ login: string }[]>(`/admin/users?login_name=${encodeURIComponent("uid=bob")}`).expect(200);
      expect(found.map(({ login }) => login)).toEqual(["bob"]);
    });
  });
});
