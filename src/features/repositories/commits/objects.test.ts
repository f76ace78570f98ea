import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { answerDifferences } from "../../../../test/kit/contract.ts";
import { eachDialect } from "../../../../test/kit/databases.ts";
import { startForge, type TestForge, type TestUser } from "../../../../test/kit/forge.ts";
import { createClient } from "../../../../test/kit/git.ts";
import { push } from "../../../../test/kit/push.ts";
import { newBlob, newTree } from "../../../git/objects/format.ts";
import { newObject } from "../../../git/objects/hash.ts";
import { decodeName } from "../../../git/objects/names.ts";
import { writeObjects } from "../../../git/objects/write.ts";
import type { GitObject, Oid } from "../../../git/types.ts";
import type { GitEntry, GitTreeResponse } from "../../../wire/git-data.ts";
import { describeTips } from "../refs/service/tips.ts";
import { findRepositoryById } from "../repos/service/find.ts";
import { moveRepositoryRefs } from "../repos/service/move-refs.ts";

const lfsOid = "4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393";
const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${lfsOid}\nsize 12345\n`;

const client = createClient();
afterAll(() => client.remove());
const blob = (content: string): Oid => client.pipe(content, "hash-object", "-w", "--stdin").toString().trim();
const submodule = "1234567890123456789012345678901234567890";
for (const entry of [`100755,${blob("#!/bin/sh\n")},run.sh`, `120000,${blob("src/a.js")},link`, `160000,${submodule},module`])
  client.git("update-index", "--add", "--cacheinfo", entry);
const tip = client.commit({ "README.md": "# G\n", "src/a.js": "a\n", "src/deep/b.js": "bb\n", "big.bin": pointer, "bytes.dat": Buffer.from([0, 255, 1]) });
client.git("tag", "-a", "-m", "v1", "v1");

eachDialect((dialect) => {
  let forge: TestForge;
  let alice: TestUser;
  const R = "/repos/alice/g";
  beforeAll(async () => {
    forge = await startForge({ dialect, environment: { HEARTH_REPOSITORIES_MAX_BLOB_BYTES: "1000" } });
    alice = await forge.createUser("alice");
    await alice.post("/user/repos", { name: "g" }).expect(201);
    await push(client, alice, "alice/g", `${tip}:refs/heads/main`, `${tip}:refs/heads/feature/x`, "v1");
  });
  afterAll(() => forge[Symbol.asyncDispose]());
  const getTree = (rest: string): Promise<GitTreeResponse> => alice.get<GitTreeResponse>(`${R}/git/trees/${rest}`).expect(200);
  const paths = (tree: GitTreeResponse): string[] => (tree.tree ?? []).map(({ path }) => path);

  describe("trees", () => {
    test("returns every field of a tree", async () => {
      const answer = await alice.get(`${R}/git/trees/main`);
      const urlOf = (kind: string, path: string): string => `${forge.url}/api/v1${R}/git/${kind}/${client.git("rev-parse", `${tip}:${path}`)}`;
      const entry = (path: string, mode: string, size: number): GitEntry => ({
        path,
        mode,
        type: mode === "040000" ? "tree" : mode === "160000" ? "commit" : "blob",
        size,
        sha: client.git("rev-parse", `${tip}:${path}`),
        url: mode === "160000" ? "" : urlOf(mode === "040000" ? "trees" : "blobs", path),
      });
      expect(answer.json).toEqual({
        sha: tip,
        url: `${forge.url}/api/v1${R}/git/trees/${tip}`,
        tree: [
          entry("README.md", "100644", 4),
          entry("big.bin", "100644", pointer.length),
          entry("bytes.dat", "100644", 3),
          entry("link", "120000", 8),
          entry("module", "160000", 0),
          entry("run.sh", "100755", 10),
          entry("src", "040000", 0),
        ],
        truncated: false,
        page: 1,
        total_count: 7,
      });
      expect([answer.headers.get("x-total-count"), answer.headers.get("link"), answer.headers.get("access-control-expose-headers")]).toEqual([
        "7",
        null,
        "X-Total-Count",
      ]);
      expect(answerDifferences("GET", `${R}/git/trees/main`, 200, answer.json)).toEqual([]);
    });

    test("finds a tree by branch, tag, commit, its own id, and a path in any of them", async () => {
      const root = client.git("rev-parse", `${tip}^{tree}`);
      const src = client.git("rev-parse", `${tip}:src`);
      const cases: readonly [string, Oid, string][] = [
        ["v1", tip, "README.md"],
        ["feature/x", tip, "README.md"],
        ["feature%2Fx", tip, "README.md"],
        [tip.slice(0, 8), tip, "README.md"],
        [root, root, "README.md"],
        [src.slice(0, 8), src, "a.js"],
        ["main:src", src, "a.js"],
        ["main:src/", src, "a.js"],
        [`${root}:src/deep`, client.git("rev-parse", `${tip}:src/deep`), "b.js"],
        ["main:", root, "README.md"],
      ];
      for (const [rev, sha, first] of cases) {
        const tree = await getTree(rev);
        expect([tree.sha, paths(tree)[0]], rev).toEqual([sha, first]);
      }
    });

    test("lists a tree recursively in pages", async () => {
      const all = ["README.md", "big.bin", "bytes.dat", "link", "module", "run.sh", "src", "src/a.js", "src/deep", "src/deep/b.js"];
      for (const recursive of ["true", "1"]) expect(paths(await getTree(`main?recursive=${recursive}`))).toEqual(all);
      expect(await getTree("main?recursive=false")).toMatchObject({ total_count: 7 });
      const page = await getTree("main?recursive=1&per_page=4&page=2");
      expect([paths(page), page.truncated, page.page, page.total_count]).toEqual([all.slice(4, 8), true, 2, 10]);
      const last = await getTree("main?recursive=1&per_page=4&page=3");
      expect([paths(last), last.truncated]).toEqual([all.slice(8), false]);
      expect(await getTree("main?per_page=2&page=9")).toMatchObject({ tree: null, truncated: false, page: 9, total_count: 7 });
      expect(paths(await getTree("main?per_page=0&page=-1"))).toHaveLength(7);
      expect(paths(await getTree("main?per_page=5000&limit=2"))).toHaveLength(7);
    });

    test("returns 400 for an unknown tree", async () => {
      for (const rev of [
        "nosuch",
        "f".repeat(40),
        "f".repeat(64),
        tip.slice(0, 6),
        "main:nosuch",
        "main:README.md",
        "nosuch:src",
        client.git("rev-parse", `${tip}:README.md`),
      ]) {
        expect((await alice.get(`${R}/git/trees/${rev}`).expect(400)).message, rev).toBe(`sha not found [${rev}]`);
      }
    });
  });

  describe("blobs", () => {
    const get = (path: string) => alice.get(`${R}/git/blobs/${client.git("rev-parse", `${tip}:${path}`)}`).expect(200);

    test("returns a blob with its content", async () => {
      const sha = client.git("rev-parse", `${tip}:bytes.dat`);
      const answer = await get("bytes.dat");
      expect(answer).toEqual({ content: "AP8B", encoding: "base64", url: `${forge.url}/api/v1${R}/git/blobs/${sha}`, sha, size: 3 });
      expect(answerDifferences("GET", `${R}/git/blobs/${sha}`, 200, answer)).toEqual([]);
      expect(await get("big.bin")).toMatchObject({ lfs_oid: lfsOid, lfs_size: 12345 });
      expect(await alice.get(`${R}/git/blobs/${sha.toUpperCase()}`).expect(200)).toEqual(answer);
    });

    test("returns a large blob without content", async () => {
      const large = createClient();
      try {
        const commit = large.commit({ large: "x".repeat(1001), fitting: "x".repeat(1000) });
        await push(large, alice, "alice/g", `${commit}:refs/heads/large`);
        const oid = (path: string): string => large.git("rev-parse", `${commit}:${path}`);
        expect(await alice.get(`${R}/git/blobs/${oid("large")}`).expect(200)).toMatchObject({ content: null, encoding: null, size: 1001 });
        expect((await alice.get(`${R}/git/blobs/${oid("fitting")}`).expect(200)).content).toHaveLength(1336);
      } finally {
        large.remove();
      }
    });

    test("returns 400 for an unknown blob", async () => {
      const message = async (sha: string) => (await alice.get(`${R}/git/blobs/${sha}`).expect(400)).message;
      expect(await message("nosuch")).toBe("length 6 has no matched object format: nosuch");
      expect(await message(tip.slice(0, 8))).toBe(`length 8 has no matched object format: ${tip.slice(0, 8)}`);
      expect(await message("f".repeat(40))).toBe(`object does not exist [id: ${"f".repeat(40)}, rel_path: ]`);
    });

    test("returns the bytes of a tree or commit with its id", async () => {
      for (const [type, oid] of [
        ["commit", tip],
        ["tree", client.git("rev-parse", `${tip}^{tree}`)],
      ] as const) {
        const data = client.pipe("", "cat-file", type, oid);
        const { content, size, sha } = await alice.get(`${R}/git/blobs/${oid}`).expect(200);
        expect([sha, size, Buffer.from(content, "base64")]).toEqual([oid, data.length, data]);
      }
    });
  });

  describe("objects that current git versions do not write", () => {
    /** Bypasses the checks of a push, like an import of old history. */
    async function plant(objects: readonly GitObject[], commit: GitObject): Promise<string> {
      const { db, git } = forge.context;
      const { id } = await alice.post("/user/repos", { name: `odd-${commit.oid.slice(0, 12)}` }).expect(201);
      const subject = await findRepositoryById({ db }, id, { kind: "anonymous" });
      const store = git.store(subject.codeStoreId, "sha1");
      await writeObjects(store, [...objects, commit]);
      const updates = await describeTips(store, [{ name: "refs/heads/main", oldOid: null, newOid: commit.oid }]);
      await db.tx((tx) =>
        moveRepositoryRefs(tx, { repoId: id, mover: { kind: "user", id: alice.id, isRepositoryAdmin: true }, via: "api", mode: "all", updates }),
      );
      return `/repos/${subject.fullName}`;
    }
    const content = newBlob("sha1", Buffer.from("x\n"));
    const plainTree = newTree("sha1", [{ mode: "100644", name: "x", oid: content.oid }]);
    const commitOf = (tree: GitObject, author: string, committer: string, rest = "\nmessage\n"): GitObject =>
      newObject("sha1", "commit", Buffer.from(`tree ${tree.oid}\nauthor ${author}\ncommitter ${committer}\n${rest}`, "latin1"));
    const shown = async (repository: string) => {
      for (const path of ["/commits", "/commits?path=x", "/commits/main", "/compare/main", "/git/trees/main?recursive=1", "/branches"]) {
        const answer = await alice.get(`${repository}${path}`);
        expect([path, answer.status]).toEqual([path, 200]);
        expect(answerDifferences("GET", `${repository}${path.split("?", 1)[0]}`, 200, answer.json)).toEqual([]);
      }
      return alice.get(`${repository}/git/commits/main`).expect(200);
    };

    test("dates outside of the calendar are shown", async () => {
      const dated = async (author: string, committer: string) => {
        const { commit } = await shown(await plant([content, plainTree], commitOf(plainTree, author, committer)));
        return [commit.author.date, commit.committer.date];
      };
      expect(await dated("A <a@x> 31556889864403199 +0000", "A <a@x> 99999999999999999999 +0530")).toEqual([
        "9999-12-31T23:59:59Z",
        "9999-12-31T23:59:59+05:30",
      ]);
      expect(await dated("A <a@x> -99999999999 -9999", "A <a@x> soon")).toEqual(["0000-01-01T00:00:00Z", "1970-01-01T00:00:00Z"]);
    });

    test("authors without a name or with an invalid address are shown", async () => {
      const { commit, author } = await shown(
        await plant([content, plainTree], commitOf(plainTree, "<> 1 +0000", `\xff\xfe <${"e".repeat(5000)}\x00@x> 1 +0000`)),
      );
      expect([commit.author.name, commit.author.email, author]).toEqual(["", "", null]);
      expect(commit.committer.name).toBe("\ufffd\ufffd");
    });

    test("messages in other encodings, or in no valid encoding, are shown", async () => {
      const latin = await shown(
        await plant([content, plainTree], commitOf(plainTree, "J\xfcrgen <j@x> 1 +0000", "J <j@x> 1 +0000", "encoding ISO-8859-1\n\ngr\xfc\xdfe\n")),
      );
      expect([latin.commit.author.name, latin.commit.message]).toEqual(["Jürgen", "grüße\n"]);
      const broken = await shown(
        await plant([content, plainTree], commitOf(plainTree, "J <j@x> 1 +0000", "J <j@x> 1 +0000", "encoding nosuch\n\n\xff \x00 \u001b[31m\n")),
      );
      expect(broken.commit.message).toBe("\ufffd \u0000 \u001b[31m\n");
    });

    test("file names of arbitrary bytes are shown", async () => {
      const names = [
        Buffer.from("plain"),
        Buffer.from([0xff, 0xfe]),
        Buffer.from('tab\t"quote\\'),
        Buffer.from("\u202egnp.exe"),
        Buffer.from("\u001b[31m"),
        Buffer.alloc(4096, "n"),
      ];
      const tree = newTree(
        "sha1",
        names.map((name) => ({ mode: "100644", name: decodeName(name), oid: content.oid })),
      );
      const repository = await plant([content, tree, plainTree], commitOf(tree, "A <a@x> 1 +0000", "A <a@x> 1 +0000"));
      const answer = await alice.get(`${repository}/git/commits/main`).expect(200);
      expect(answer.files.map(({ filename }: { filename: string }) => filename).sort()).toEqual(names.map(decodeName).sort());
      // The second request reads the stored changes.
      expect(await alice.get(`${repository}/git/commits/main`).expect(200)).toEqual(answer);
      const listed = await alice.get<GitTreeResponse>(`${repository}/git/trees/main?recursive=1`).expect(200);
      expect(paths(listed).sort()).toEqual(names.map(decodeName).sort());
      for (const name of names.slice(0, 5)) {
        expect(await alice.get(`${repository}/commits?path=${encodeURIComponent(decodeName(name))}`).expect(200)).toHaveLength(1);
      }
    });

    test("an unverifiable signature is shown with its payload and not verified", async () => {
      const signature = "-----BEGIN PGP SIGNATURE-----\n\nabc\n-----END PGP SIGNATURE-----";
      const person = "Alice <alice@example.com> 1700000000 +0000";
      const signed = commitOf(plainTree, person, person, `gpgsig ${signature.replaceAll("\n", "\n ")}\n\nsigned\n`);
      const { commit } = await shown(await plant([content, plainTree], signed));
      expect(commit.verification).toEqual({
        verified: false,
        reason: "gpg.error.extract_sign",
        signature: `${signature}\n`,
        signer: null,
        payload: `tree ${plainTree.oid}\nauthor ${person}\ncommitter ${person}\n\nsigned\n`,
      });
    });

    test("a tree of ten billion paths is shown without listing it", async () => {
      const objects: GitObject[] = [content];
      for (let level = 0; level < 10; level++) {
        const { oid } = objects.at(-1) as GitObject;
        objects.push(
          newTree(
            "sha1",
            Array.from({ length: 10 }, (_, index) => ({ mode: level === 0 ? "100644" : "040000", name: `d${index}`, oid })),
          ),
        );
      }
      const repository = await plant(objects, commitOf(objects.at(-1) as GitObject, "A <a@x> 1 +0000", "A <a@x> 1 +0000"));
      const tree = await alice.get<GitTreeResponse>(`${repository}/git/trees/main?recursive=1`).expect(200);
      expect([tree.tree?.length, tree.truncated, tree.total_count]).toEqual([1000, true, 11_111_111_110]);
      expect(await alice.get<GitTreeResponse>(`${repository}/git/trees/main?recursive=1&page=11111112`).expect(200)).toMatchObject({ truncated: false });
      // Git is never asked for the changes, because it would list all paths.
      for (const path of ["/commits", "/git/commits/main", "/compare/main"]) {
        const { result, processes } = await forge.cost(() => alice.get(`${repository}${path}`));
        expect([path, result.status, processes]).toEqual([path, 200, 0]);
      }
      expect((await alice.get(`${repository}/git/commits/main`).expect(200)).files).toEqual([]);
      for (const form of ["diff", "patch"])
        expect((await alice.get(`${repository}/git/commits/main.${form}`).expect(422)).message).toContain("too many changes");
    });
  });
});
