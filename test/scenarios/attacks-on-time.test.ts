import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { newBlob, newCommit } from "../../src/git/objects/format.ts";
import { newObject } from "../../src/git/objects/hash.ts";
import type { GitObject } from "../../src/git/types.ts";
import { type Attack, underAttack } from "../kit/attack.ts";
import { eachDialect, onSqlite } from "../kit/databases.ts";
import { packOf, rawPush, zeroOid } from "../kit/raw-push.ts";

/** Small inputs with a high cost: trees with endless paths or depth, values at the limits of their types. */

const person = { name: "Ann", email: "ann@example.com", seconds: 1_700_000_000, offsetMinutes: 0 };
const commitOf = (tree: GitObject): GitObject => newCommit("sha1", { treeOid: tree.oid, parentOids: [], author: person, committer: person, message: "bomb" });
const treeOf = (...entries: readonly (readonly [mode: string, name: string | Buffer, oid: string])[]): GitObject =>
  newObject(
    "sha1",
    "tree",
    Buffer.concat(entries.flatMap(([mode, name, oid]) => [Buffer.from(`${mode} `), Buffer.from(name), Buffer.alloc(1), Buffer.from(oid, "hex")])),
  );

/** Limits of any operation that walks one of these repositories. Their complete walk would not end before the test does. */
const maxProcesses = 6;
const maxAnswer = 2_000_000;

/** Pushes the objects to a new repository of mallory; the last one is the tip. */
async function pushed({ forge, mallory }: Attack, name: string, objects: readonly GitObject[], branch = "main"): Promise<string> {
  await mallory.post("/user/repos", { name }).expect(201);
  const tip = objects.at(-1)?.oid ?? "";
  return (await rawPush(forge.url, mallory, `mallory/${name}`, { commands: [`${zeroOid} ${tip} refs/heads/${branch}`], pack: packOf(objects) })).text;
}
/** All operations that walk a repository, with the accepted statuses. */
async function walkAll({ probe, forge, work, openTip }: Attack, name: string): Promise<void> {
  for (const path of [
    "git/trees/main?recursive=true",
    "contents",
    "contents-ext/d",
    "archive/main.zip",
    "archive/main.tar.gz",
    "commits",
    "commits?path=d",
    "git/commits/main",
    "git/commits/main.diff",
    "compare/main...main",
    "languages",
    "licenses",
    "branches",
  ]) {
    const { result, processes } = await forge.cost(() => probe(`/repos/mallory/${name}/${path}`));
    expect(processes, path).toBeLessThanOrEqual(maxProcesses);
    expect(result.text.length, path).toBeLessThan(maxAnswer);
  }
  await forge.settled();
  // Other requests are still served.
  expect(await work.git(".", "ls-remote", `${forge.url}/alice/open`, "HEAD")).toBe(`${openTip}\tHEAD`);
}

/** The work of git and of the server on objects, which does not depend on the database. */
onSqlite((dialect) => {
  const attack = underAttack(dialect);

  test("handles twelve objects that form ten billion paths", { timeout: 120_000 }, async () => {
    const blob = newBlob("sha1", Buffer.from("x"));
    const objects: GitObject[] = [blob];
    let entry: readonly [string, string] = ["100644", blob.oid];
    for (let depth = 0; depth < 10; depth += 1) {
      const tree = treeOf(...Array.from({ length: 10 }, (_, index) => [entry[0], `d${index}`, entry[1]] as const));
      objects.push(tree);
      entry = ["40000", tree.oid];
    }
    const answer = await pushed(attack(), "bomb", [...objects, commitOf(objects.at(-1) as GitObject)]);
    expect(answer).toContain("refs/heads/main");
    const { probe } = attack();
    const listed = await probe("/repos/mallory/bomb/git/trees/main?recursive=true");
    if (listed.status === 200) {
      expect(listed.json).toMatchObject({ truncated: true });
      expect((listed.json as { tree: unknown[] }).tree.length).toBeLessThanOrEqual(1_000);
    }
    await walkAll(attack(), "bomb");
  });

  test("handles a tree with fifty thousand levels", { timeout: 120_000 }, async () => {
    const blob = newBlob("sha1", Buffer.from("x"));
    const objects: GitObject[] = [blob];
    let tree = treeOf(["100644", "f", blob.oid]);
    for (let depth = 0; depth < 50_000; depth += 1) {
      objects.push(tree);
      tree = treeOf(["40000", "d", tree.oid]);
    }
    const answer = await pushed(attack(), "deep", [...objects, tree, commitOf(tree)]);
    expect(answer).toMatch(/ng refs\/heads\/main [^\n]*/);
    expect(await attack().mallory.get("/repos/mallory/deep").expect(200)).toMatchObject({ empty: true });
    await walkAll(attack(), "deep");
  });

  test("handles a tree with two thousand levels", { timeout: 120_000 }, async () => {
    const blob = newBlob("sha1", Buffer.from("x"));
    const objects: GitObject[] = [blob];
    let tree = treeOf(["100644", "f", blob.oid]);
    for (let depth = 0; depth < 2_000; depth += 1) {
      objects.push(tree);
      tree = treeOf(["40000", "d", tree.oid]);
    }
    await pushed(attack(), "nested", [...objects, tree, commitOf(tree)]);
    const { probe } = attack();
    await probe(`/repos/mallory/nested/contents/${Array.from({ length: 1_000 }, () => "d").join("/")}`);
    await walkAll(attack(), "nested");
  });
});

eachDialect((dialect) => {
  const attack = underAttack(dialect);

  test("handles file names of all bytes, and dates beyond all calendars", async () => {
    const { probe, mallory, forge, work } = attack();
    const blob = newBlob("sha1", Buffer.from("x"));
    const names = [
      "a\u001b[31m",
      "line\nbreak",
      'quo"te',
      "back\\slash",
      "tab\t",
      "rtl\u202etxt.exe",
      " ",
      "x".repeat(4_096),
      "é",
      "100%",
      "%2e%2e",
      "a?b#c",
    ].map((name) => Buffer.from(name));
    const entries = [...names, Buffer.from([0xff, 0xfe, 0x41]), Buffer.from([0xc3])].sort(Buffer.compare).map((name) => ["100644", name, blob.oid] as const);
    const tree = treeOf(...entries);
    await pushed(attack(), "names", [blob, tree, commitOf(tree)]);
    const listed = (await mallory.get("/repos/mallory/names/contents").expect(200)) as { name: string; path: string; sha: string }[];
    expect(listed).toHaveLength(entries.length);
    for (const { path } of listed) await probe(`/repos/mallory/names/contents/${encodeURIComponent(path)}`);
    await walkAll(attack(), "names");

    await mallory.post("/user/repos", { name: "dates" }).expect(201);
    for (const [index, date] of [
      "0 +0000",
      "99999999999 +0000",
      "253402300800 +0000",
      "9007199254740993 +0000",
      "18446744073709551615 +0000",
      "-1 +0000",
      "1 +9999",
      "x +0000",
    ].entries()) {
      const commit = newObject(
        "sha1",
        "commit",
        Buffer.from(`tree ${tree.oid}\nauthor A <a@example.com> ${date}\ncommitter A <a@example.com> ${date}\n\n${date}\n`),
      );
      const command = `${zeroOid} ${commit.oid} refs/heads/date-${index}`;
      expect((await rawPush(forge.url, mallory, "mallory/dates", { commands: [command], pack: packOf([blob, tree, commit]) })).status).toBe(200);
    }
    const refs = (await work.git(".", "ls-remote", "--heads", `${mallory.gitOrigin}/mallory/dates`)).split("\n");
    expect(refs.length).toBeGreaterThan(0);
    await mallory.get("/repos/mallory/dates/branches").expect(200);
    await mallory.get("/repos/mallory/dates/tags").expect(200);
    for (const line of refs) {
      const [oid = "", ref = ""] = line.split("\t");
      await mallory.get(`/repos/mallory/dates/commits?sha=${oid}`).expect(200);
      await mallory.get(`/repos/mallory/dates/git/commits/${oid}`).expect(200);
      await mallory.get(`/repos/mallory/dates/branches/${ref.slice("refs/heads/".length)}`).expect(200);
    }
    await forge.settled();
  });

  describe("values at the limits", () => {
    const odd: readonly unknown[] = [null, 0, -1, 2 ** 63, 1e308, "", "\u0000", "\ud800", "x".repeat(100_000), [], {}, [["x"]], { length: 1 }, true];
    const operations: readonly (readonly [method: string, path: string, fields: readonly string[]])[] = [
      ["POST", "/user/repos", ["name", "object_format_name", "trust_model", "default_branch", "license", "gitignores", "description", "private", "auto_init"]],
      ["PATCH", "/repos/mallory/edges", ["website", "private", "default_branch", "has_issues", "internal_tracker", "description"]],
      ["POST", "/repos/mallory/edges/branches", ["new_branch_name", "old_ref_name", "old_branch_name"]],
      ["POST", "/repos/mallory/edges/tags", ["tag_name", "target", "message"]],
      ["POST", "/repos/mallory/edges/contents/x", ["content", "branch", "new_branch", "author", "committer", "dates", "message", "sha"]],
      ["POST", "/repos/mallory/edges/contents", ["files", "branch"]],
      ["POST", "/repos/mallory/edges/diffpatch", ["content", "branch"]],
      ["PUT", "/repos/mallory/edges/topics", ["topics"]],
      ["PUT", "/repos/mallory/edges/collaborators/bob", ["permission"]],
      ["PATCH", "/user/settings", ["full_name", "website", "location", "diff_view_style", "hide_email"]],
      ["POST", "/orgs", ["username", "visibility", "description", "website"]],
      ["POST", "/markdown", ["Text", "Mode", "Context", "Wiki"]],
    ];
    test.each(operations)("%s %s never fails with a server error", async (method, path, fields) => {
      const { probe, mallory } = attack();
      await mallory.post("/user/repos", { name: "edges", auto_init: true });
      for (const field of fields) {
        for (const value of odd) await probe(path, { method, body: { [field]: value } });
      }
      for (const body of [
        "",
        "null",
        "[]",
        "1",
        '"x"',
        "{",
        '{"name":"a","name":"b"',
        "[".repeat(100_000),
        '{"__proto__":{"isAdmin":true}}',
        "\ufeff{}",
        "\u0000",
      ]) {
        await probe(path, { method, body });
      }
      const packed = gzipSync(Buffer.from(JSON.stringify({ name: "x".repeat(10_000_000) })));
      expect((await probe(path, { method, body: packed, headers: { "content-encoding": "gzip" } })).status).toBeGreaterThanOrEqual(400);
    });

    test("numbers in paths and queries", async () => {
      const { probe } = attack();
      for (const number of ["0", "-1", "9223372036854775808", "1e9", "1.5", "0x10", "NaN", "", "%00", "1%20OR%201=1", "'", "1;--", "٣"]) {
        for (const path of [
          `/repositories/${number}`,
          `/repos/search?uid=${number}`,
          `/repos/search?page=${number}&limit=${number}`,
          `/users/alice/repos?page=${number}`,
        ])
          await probe(path);
      }
      for (const text of ["'", "%25", "_", "\\", "%00", "%ff", ";--", ")", "a'%20OR%20'1'='1"]) {
        for (const name of ["q", "sort", "order", "mode", "owner"]) await probe(`/repos/search?${name}=${text}`);
        for (const name of ["q", "sort"]) await probe(`/users/search?${name}=${text}`);
        await probe(`/repos/search?q=a&q=b&q[]=${text}&limit[]=1`);
      }
    });
  });
});
