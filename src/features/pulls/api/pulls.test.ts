import { expect, test } from "vitest";
import { eachDialect } from "../../../../test/kit/databases.ts";
import { startForge } from "../../../../test/kit/forge.ts";

const base64 = (text: string): string => Buffer.from(text).toString("base64");
const site = "/repos/alice/site";

eachDialect((dialect) => {
  test("a pull request is opened, read, listed and compared", async () => {
    await using forge = await startForge({ dialect });
    const alice = await forge.createUser("alice");
    await alice.post("/user/repos", { name: "site", auto_init: true }).expect(201);
    await alice.post(`${site}/contents/a.txt`, { content: base64("a\n"), message: "a", branch: "main", new_branch: "feat" }).expect(201);
    const made = await forge.cost(() => alice.post(`${site}/pulls`, { title: "One", head: "feat", base: "main" }).expect(201));
    expect([made.processes, made.statements.length]).toEqual([1, dialect.name === "sqlite" ? 23 : made.statements.length]);
    const got = await forge.cost(() => alice.get(`${site}/pulls/1`).expect(200));
    expect(got.result).toEqual(made.result);
    await forge.cost(() => alice.get(`${site}/pulls`).expect(200));
    expect((await alice.get(`${site}/pulls/1/files`).expect(200)).length).toBe(1);
    expect((await alice.get(`${site}/pulls/1/commits`).expect(200)).length).toBe(1);
    expect((await alice.get(`${site}/pulls/main/feat`).expect(200)).number).toBe(1);
  });
});
