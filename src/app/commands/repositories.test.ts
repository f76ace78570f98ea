import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { eachDialect } from "../../../test/kit/databases.ts";
import { startForge, type TestForge, type TestUser } from "../../../test/kit/forge.ts";
import { createClient } from "../../../test/kit/git.ts";
import { administer } from "../administer.ts";

eachDialect((dialect) => {
  let forge: TestForge;
  let alice: TestUser;
  beforeAll(async () => {
    forge = await startForge({ dialect });
    alice = await forge.createUser("alice");
  });
  afterAll(() => forge[Symbol.asyncDispose]());

  /** Runs a command and returns its output. */
  async function run(...words: string[]): Promise<string> {
    let printed = "";
    await administer(forge.context.config, words, (text) => {
      printed += text;
      return 0;
    });
    return printed;
  }

  test("creates, lists, renames and deletes organizations", async () => {
    expect(await run("org", "create", "acme", "alice", "--full-name", "Acme Ltd", "--visibility", "limited")).toBe("created organization acme\n");
    expect(await alice.get("/orgs/acme").expect(200)).toMatchObject({ full_name: "Acme Ltd", visibility: "limited" });
    await alice.post("/orgs/acme/repos", { name: "site" }).expect(201);
    expect(await run("org", "list")).toMatch(/^\d+\tacme\tlimited\n$/);
    expect(await run("org", "rename", "acme", "acme-inc")).toBe("renamed acme to acme-inc\n");
    await expect(run("org", "delete", "acme")).rejects.toThrow("acme was renamed to acme-inc");
    await expect(run("org", "delete", "acme-inc")).rejects.toThrow("still has ownership of repositories");
    expect(await run("org", "delete", "acme-inc", "--purge")).toBe("deleted organization acme-inc\n");
    await alice.get("/orgs/acme-inc").expect(404);
    expect(await run("repo", "list-deleted")).toBe("");
    for (const [words, text] of [
      [["org", "create", "x", "nobody"], "user nobody does not exist"],
      [["org", "create", "alice", "alice"], "alice"],
      [["org", "create", "x", "alice", "--visibility", "secret"], "--visibility takes public, limited, private"],
      [["org", "delete", "nowhere"], "organization nowhere does not exist"],
    ] as const) {
      await expect(run(...words)).rejects.toThrow(text);
    }
  });

  test("lists, adopts and deletes repositories on the disk while the server runs", async () => {
    const client = createClient();
    client.commit({ "README.md": "# found" });
    await run("org", "create", "finders", "alice");
    for (const place of ["alice/found", "finders/found", "alice/rubbish"]) {
      const path = join(forge.dataDirectory, "adopt", `${place}.git`);
      mkdirSync(dirname(path), { recursive: true });
      client.git("clone", "-q", "--mirror", "--no-hardlinks", client.path, path);
    }
    client.remove();
    expect(await run("repo", "unadopted")).toBe("alice/found\nalice/rubbish\nfinders/found\n");
    expect(await run("repo", "unadopted", "--pattern", "find*")).toBe("finders/found\n");
    for (const place of ["alice/found", "finders/found"]) {
      expect(await run("repo", "adopt", place)).toBe(`adopted ${place}\n`);
      expect((await alice.get(`/repos/${place}/contents/README.md`).expect(200)).size).toBe(7);
      const { id } = await forge.admin.get(`/repos/${place}`).expect(200);
      await run("repo", "delete", place);
      await run("repo", "purge", `${id}`);
    }
    expect(await run("repo", "delete-unadopted", "alice/rubbish")).toBe("deleted alice/rubbish permanently\n");
    expect(await run("repo", "unadopted")).toBe("");
    await expect(run("repo", "adopt", "alice/rubbish")).rejects.toThrow("alice/rubbish.git does not exist in the folder adopt/");
    await expect(run("repo", "adopt", "rubbish")).rejects.toThrow("write OWNER/NAME, not rubbish");
    await forge.settled();
  });

  test("lists, transfers, deletes and restores repositories while the server runs", async () => {
    const { id } = await alice.post("/user/repos", { name: "tool", auto_init: true, private: true }).expect(201);
    await forge.createUser("bob");
    expect(await run("repo", "list")).toMatch(new RegExp(`^${id}\talice/tool\tprivate\t\\d+\n$`));
    expect(await run("repo", "list", "--owner", "bob")).toBe("");
    expect(await run("repo", "transfer", "alice/tool", "bob")).toBe("transferred alice/tool to bob\n");
    await alice.get("/repos/bob/tool").expect(404);
    await expect(run("repo", "transfer", "alice/tool", "bob")).rejects.toThrow("alice/tool was renamed or transferred to bob/tool");
    expect(await run("repo", "delete", "bob/tool")).toBe(`deleted bob/tool; hearth admin repo restore ${id} restores it\n`);
    await forge.admin.get("/repos/bob/tool").expect(404);
    expect(await run("repo", "list-deleted")).toMatch(new RegExp(`^${id}\tbob/tool\t\\S+Z\t\\S+Z\n$`));
    expect(await run("repo", "restore", `${id}`, "--name", "back")).toBe("restored bob/back\n");
    expect(await forge.admin.get("/repos/bob/back").expect(200)).toMatchObject({ id, private: true });
    await run("repo", "delete", "bob/back");
    expect(await run("repo", "purge", `${id}`)).toBe(`deleted repository ${id} permanently\n`);
    const audit = JSON.stringify(await forge.admin.get("/admin/audit?action=repo").expect(200));
    for (const action of ["transferred", "deleted", "restored", "purged"]) expect(audit).toContain(`repo.${action}`);
    for (const [words, text] of [
      [["repo", "restore", `${id}`], `deleted repository ${id} does not exist`],
      [["repo", "restore", "tool"], "write the id of a repository"],
      [["repo", "delete", "tool"], "write OWNER/NAME"],
      [["repo", "delete", "alice/nothing"], "repository alice/nothing does not exist"],
      [["repo", "transfer", "alice/nothing", "bob"], "repository alice/nothing does not exist"],
    ] as const) {
      await expect(run(...words)).rejects.toThrow(text);
    }
  });
});
