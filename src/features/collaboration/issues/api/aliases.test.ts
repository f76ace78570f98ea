import { expect, test } from "vitest";
import { sqlite } from "../../../../../test/kit/databases.ts";
import { startForge } from "../../../../../test/kit/forge.ts";

test("answers every operation below an issue at /issue/{index}/ as at /issues/{index}/", async () => {
  await using forge = await startForge({ dialect: sqlite });
  const alice = await forge.createUser("alice");
  await alice.post("/user/repos", { name: "site" }).expect(201);
  await alice.post("/repos/alice/site/issues", { title: "one" }).expect(201);
  const { paths } = await forge.anonymous.get<{ paths: Record<string, object> }>("//swagger.v1.json").expect(200);
  const prefix = "/repos/{owner}/{repo}/issues/{index}/";
  const operations = Object.entries(paths)
    .filter(([path]) => path.startsWith(prefix))
    .flatMap(([path, methods]) => Object.keys(methods).map((method) => ({ method, path: path.slice(prefix.length).replace(/\{\w+\}/g, "1") })));
  expect(operations.length).toBeGreaterThan(35);
  for (const { method, path } of operations) {
    // Without credentials nothing changes, so both paths find the same issue.
    const send = forge.anonymous[method as "get" | "post" | "put" | "patch" | "delete"];
    const [alias, own] = [await send(`/repos/alice/site/issue/1/${path}`), await send(`/repos/alice/site/issues/1/${path}`)];
    expect([method, path, alias.status, alias.text]).toEqual([method, path, own.status, own.text]);
    expect(alias.text).not.toBe("404 page not found\n");
  }
  await alice.put("/repos/alice/site/issue/1/lock", { lock_reason: "spam" }).expect(204);
  await alice.post("/repos/alice/site/issue/1/reactions", { content: "heart" }).expect(201);
  expect(await alice.get("/repos/alice/site/issues/1/reactions").expect(200)).toMatchObject([{ content: "heart" }]);
});
