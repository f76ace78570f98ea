import { setFlagsFromString } from "node:v8";
import { expect, test } from "vitest";
import type { ApiClient } from "../kit/api-client.ts";
import { eachDialect } from "../kit/databases.ts";
import { startForge } from "../kit/forge.ts";

setFlagsFromString("--allow-natives-syntax");
/** Whether the engine stores a text in one piece. Only then it writes the object with the text to JSON in the fast way. */
const isWhole = new Function("text", "return %StringIsFlat(text)") as (text: string) => boolean;

/** Paths of the texts in a value that are stored in several pieces. */
function piecedTexts(value: unknown, path: string): string[] {
  if (typeof value === "string") return isWhole(value) ? [] : [path];
  if (typeof value !== "object" || value === null) return [];
  const own = "toJSON" in value ? [`${path} has toJSON`] : [];
  return [...own, ...Object.entries(value).flatMap(([name, member]) => piecedTexts(member, Array.isArray(value) ? `${path}[]` : `${path}.${name}`))];
}

/** Everything that is written to JSON meanwhile. */
async function writtenDuring(action: () => Promise<unknown>): Promise<readonly object[]> {
  const { stringify } = JSON;
  const written: object[] = [];
  JSON.stringify = (value: unknown, ...more: unknown[]): string => {
    if (typeof value === "object" && value !== null) written.push(value);
    return (stringify as (...given: unknown[]) => string)(value, ...more);
  };
  try {
    await action();
  } finally {
    JSON.stringify = stringify;
  }
  return written;
}

async function seed(owner: ApiClient, reader: ApiClient): Promise<void> {
  const repo = "/repos/alice/garden";
  await owner.post("/user/repos", { name: "garden", description: "beds", auto_init: true }).expect(201);
  await owner.put(`${repo}/topics/soil`).expect(204);
  await reader.post(`${repo}/forks`, { name: "copy" }).expect(202);
  const { id: label } = await owner.post<{ id: number }>(`${repo}/labels`, { name: "bug", color: "#aabbcc" }).expect(201);
  const { id: milestone } = await owner.post<{ id: number }>(`${repo}/milestones`, { title: "spring", due_on: "2030-01-02T03:04:05Z" }).expect(201);
  for (const title of ["dry soil", "late frost"]) {
    await reader.post(`${repo}/issues`, { title, body: "See the beds." }).expect(201);
  }
  await owner.patch(`${repo}/issues/1`, { assignees: ["alice"], milestone }).expect(201);
  await owner.post(`${repo}/issues/1/labels`, { labels: [label] }).expect(200);
  for (const body of ["Since May.", "Again."]) await owner.post(`${repo}/issues/1/comments`, { body }).expect(201);
  await owner.post(`${repo}/contents/notes.md`, { content: "aGVsbG8=", message: "notes", new_branch: "notes" }).expect(201);
  await owner.post(`${repo}/pulls`, { title: "notes", head: "notes", base: "main" }).expect(201);
}

const lists = [
  "/repos/search",
  "/user/repos",
  "/users/alice/repos",
  "/repos/alice/garden/forks",
  "/repos/issues/search",
  "/repos/alice/garden/issues",
  "/repos/alice/garden/issues/1/comments",
  "/repos/alice/garden/issues/1/timeline",
  "/repos/alice/garden/labels",
  "/repos/alice/garden/milestones",
  "/repos/alice/garden/pulls",
  "/users/search",
];

eachDialect((dialect) => {
  test("texts in lists of repositories, issues and users are stored in one piece, which is written to JSON in a third of the time", async () => {
    await using forge = await startForge({ dialect });
    const [alice, bob] = [await forge.createUser("alice"), await forge.createUser("bob")];
    await seed(alice, bob);
    for (const path of lists) {
      let items = 0;
      const written = await writtenDuring(async () => {
        const body = await bob.get<readonly unknown[] | { readonly data: readonly unknown[] }>(path).expect(200);
        items = "data" in body ? body.data.length : body.length;
      });
      expect([path, items]).not.toEqual([path, 0]);
      expect(written.length).toBeGreaterThan(0);
      expect([path, written.flatMap((value) => piecedTexts(value, "$"))]).toEqual([path, []]);
    }
  });
});

test("a text that is put together is found at its place", () => {
  const part = `beds of ${lists.length} gardens`;
  expect(piecedTexts({ items: [{ whole: "beds", sum: `${part}/${part}` }] }, "$")).toEqual(["$.items[].sum"]);
});
