import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createApiClient } from "../../../test/kit/api-client.ts";
import { eachDialect } from "../../../test/kit/databases.ts";
import { peopleBase, person, serverDn, serverPassword, startDirectory, type TestDirectory } from "../../../test/kit/directory.ts";
import { startForge, type TestForge } from "../../../test/kit/forge.ts";
import { administer } from "../administer.ts";

eachDialect((dialect) => {
  let forge: TestForge;
  let directory: TestDirectory;
  beforeAll(async () => {
    forge = await startForge({ dialect });
    directory = await startDirectory([person("alice", "alice's secret")]);
  });
  afterAll(async () => {
    await forge[Symbol.asyncDispose]();
    await directory[Symbol.asyncDispose]();
  });

  async function admin(...words: string[]): Promise<string> {
    let printed = "";
    await administer(forge.context.config, words, (text) => {
      printed += text;
      return 0;
    });
    return printed;
  }

  test("an operator adds a directory while the server runs, and users sign in with it", async () => {
    const secretFile = join(forge.dataDirectory, "secret.txt");
    writeFileSync(secretFile, `${serverPassword}\n`);
    const place = ["source", "add-ldap", "staff", "127.0.0.1", "--port", String(directory.port), "--security", "none"];
    const added = await admin(...place, "--bind-dn", serverDn, "--secret-file", secretFile, "--user-base", peopleBase, "--auto-register");
    expect(added).toContain("added staff");
    expect(await admin("source", "check", "STAFF")).toBe("the connection to staff works\n");
    expect(await admin("source", "list")).toMatch(new RegExp(`^\\d+\\tstaff\\tldap\\t127\\.0\\.0\\.1:${directory.port}\\tactive\\n$`));
    const alice = createApiClient(forge.url, `Basic ${Buffer.from("alice:alice's secret").toString("base64")}`);
    await alice.get("/user").expect(200);

    await expect(admin("source", "remove", "staff")).rejects.toThrow("staff is how 1 user signs in");
    expect(await admin("source", "set-active", "staff", "no")).toBe("disabled signing in with staff\n");
    await alice.get("/user").expect(401);
    await forge.admin.delete("/admin/users/alice").expect(204);
    expect(await admin("source", "remove", "staff")).toBe("removed staff\n");
    expect(await admin("source", "list")).toBe("");
  });

  test("adds a provider with the given options", async () => {
    await admin(
      "source",
      "add-oidc",
      "house",
      "https://id.example.org",
      "hearth",
      "--scopes",
      "email,groups",
      "--groups-claim",
      "groups",
      "--admin-group",
      "ops",
    );
    expect(await forge.admin.get("/admin/sources").expect(200)).toMatchObject([
      {
        kind: "oidc",
        name: "house",
        auto_register: false,
        oidc: { scopes: ["email", "groups"], groups_claim: "groups", admin_group: "ops", trust_email: false },
      },
    ]);
    await admin("source", "remove", "house");
  });

  test("reports errors in one line", async () => {
    await expect(admin("source", "remove", "nowhere")).rejects.toThrow("there is no sign-in source nowhere");
    await expect(admin("source", "add-ldap", "x", "host", "--security", "maybe", "--user-base", "dc=x")).rejects.toThrow("--security must be");
    await expect(admin("source", "add-ldap", "x", "host", "--port", "many", "--user-base", "dc=x")).rejects.toThrow("--port must be a number");
    await expect(admin("source", "add-ldap", "x", "host", "--secret-file", "/nowhere", "--user-base", "dc=x")).rejects.toThrow("/nowhere cannot be read");
    await expect(admin("source", "set-active", "x", "maybe")).rejects.toThrow("write yes or no");
  });
});
