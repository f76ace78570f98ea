import { expect, test } from "vitest";
import type { SwaggerDocument } from "../../src/http/swagger.ts";
import { eachDialect } from "../kit/databases.ts";
import { startForge, type TestUser } from "../kit/forge.ts";
import { inject } from "../kit/inject.ts";

/**
 * A hidden email address is only shown to its user and to administrators. Calls every reading operation for a user's resources and
 * searches the responses for the address.
 */

const address = "withheld@example.com";

/** Default values of path parameters. */
const values: Readonly<Record<string, string>> = {
  owner: "shy",
  repo: "site",
  username: "shy",
  org: "club",
  collaborator: "shy",
  target: "shy",
  id: "1",
  index: "1",
  archive: "main.zip",
  basehead: "main...main",
  diffType: "diff",
  size: "64",
  filepath: "README.md",
  topic: "demo",
};

eachDialect((dialect) => {
  test("a hidden email address is in no response to other users", async () => {
    await using forge = await startForge({ dialect });
    const shy = await forge.createUser("shy", { email: address });
    await shy.patch("/user/settings", { hide_email: true }).expect(200);
    const fellow = await forge.createUser("fellow");
    await shy.post("/user/repos", { name: "site", auto_init: true }).expect(201);
    await shy.post("/repos/shy/site/contents/new.txt", { content: "b25l" }).expect(201);
    await shy.put("/repos/shy/site/topics", { topics: ["demo"] }).expect(204);
    await shy.put("/repos/shy/site/collaborators/fellow", { permission: "admin" }).expect(204);
    await shy.post("/repos/shy/site/tags", { tag_name: "v1", message: "one", target: "main" }).expect(201);
    await fellow.post("/orgs", { username: "club" }).expect(201);
    const [owners] = await fellow.get<{ id: number }[]>("/orgs/club/teams").expect(200);
    await fellow.put(`/teams/${owners?.id}/members/shy`).expect(204);
    await shy.put("/orgs/club/public_members/shy").expect(204);
    await shy.put("/user/following/fellow").expect(204);
    await shy.put("/user/starred/shy/site").expect(204);
    await fellow.put("/user/blocks/chief").expect(204);
    await fellow.post("/orgs/club/repos", { name: "hall", auto_init: true }).expect(201);
    await shy.post("/repos/shy/site/issues", { title: "mine", body: "@shy", assignees: ["shy"] });
    await shy.post("/repos/shy/site/issues/1/comments", { body: "said" });

    const document = await forge.anonymous.get<SwaggerDocument>("//swagger.v1.json").expect(200);
    const reads = Object.entries(document.paths).filter(([, methods]) => "get" in methods);
    const overrides: readonly Readonly<Record<string, string>>[] = [{}, { owner: "club", repo: "hall", username: "fellow" }];
    const leaks: string[] = [];
    let answered = 0;
    const outsider = await forge.createUser("outsider");
    const callers: readonly (readonly [string, TestUser | undefined])[] = [
      ["anonymous", undefined],
      ["an outsider", outsider],
      ["a fellow member", fellow],
    ];
    for (const [caller, user] of callers) {
      for (const [path] of reads) {
        for (const override of overrides) {
          const url = `${document.basePath}${path.replace(/\{([\w-]+)\}/g, (_whole, name: string) => override[name] ?? values[name] ?? "main")}?q=shy&limit=50`;
          const answer = await inject(forge.forge.http, { url, headers: { ...(user && { authorization: `token ${user.token}` }) } });
          if (answer.statusCode === 200) answered += 1;
          if (answer.body.toLowerCase().includes(address)) leaks.push(`${caller}: ${url}`);
        }
      }
    }
    expect(leaks).toEqual([]);
    expect(answered).toBeGreaterThan(150);
    expect((await shy.get("/user").expect(200)).email).toBe(address);
    expect((await forge.admin.get("/users/shy").expect(200)).email).toBe(address);
    expect((await fellow.get("/users/shy").expect(200)).email).toMatch(/^\d+\+shy@noreply\./);
    // Searching for part of an address does not find its user.
    expect((await fellow.get("/users/search?q=withheld").expect(200)).data).toEqual([]);
  });
});
