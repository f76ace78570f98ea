import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ClientRepository, createClient, openTestStores } from "../../../test/kit/git.ts";
import { countTurnsOf } from "../../../test/kit/turns.ts";
import { materialize } from "../stores.ts";
import type { TreeEntry } from "../types.ts";
import { cleanIdentity, newCommit, newTag, newTree } from "./format.ts";
import { hashObject } from "./hash.ts";
import { readCommits, readTree } from "./objects.ts";
import { parseCommit, parseSignature, parseTag, parseTree, parseTreeInTurns } from "./parse.ts";

const oid = "1".repeat(40);
const treeOid = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";
const person = { name: "Ann", email: "ann@example.com", seconds: 1_700_000_000, offsetMinutes: -210 };

function commitOf(text: string | Buffer) {
  return parseCommit(oid, Buffer.from(text as string));
}

describe("a signature line", () => {
  const lines: readonly (readonly [string, string, string, number, number])[] = [
    ["Ann Author <ann@example.com> 1700000000 +0530", "Ann Author", "ann@example.com", 1_700_000_000, 330],
    ["Ann <ann@example.com> 1700000000 -0330", "Ann", "ann@example.com", 1_700_000_000, -210],
    ["<ann@example.com> 5 +0000", "", "ann@example.com", 5, 0],
    ["Ann <> 5 +0000", "Ann", "", 5, 0],
    ["Ann <ann@example.com>", "Ann", "ann@example.com", 0, 0],
    ["Ann", "Ann", "", 0, 0],
    ["", "", "", 0, 0],
    ["Ann <ann 5 +0000", "Ann", "ann 5 +0000", 0, 0],
    ["Ann <a> <b> 7 +0100", "Ann", "a", 7, 60],
    ["Ann <a@b> -62135596800 +0000", "Ann", "a@b", -62_135_596_800, 0],
    ["Ann <a@b> 31556889864403 +9999", "Ann", "a@b", 31_556_889_864_403, 99 * 60 + 99],
    ["Ann <a@b> 99999999999999999999999999 +0000", "Ann", "a@b", Number.MAX_SAFE_INTEGER, 0],
    ["Ann <a@b> 5 -0000", "Ann", "a@b", 5, 0],
    ["Ann <a@b> 5 +1234567", "Ann", "a@b", 5, 0],
    ["Ann <a@b> yesterday", "Ann", "a@b", 0, 0],
  ];
  test.each(lines)("%j", (line, name, email, seconds, offsetMinutes) => {
    expect(parseSignature(line)).toEqual({ name, email, seconds, offsetMinutes });
  });

  test("with arbitrary content is parsed without an error", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (line) => {
        const { seconds, offsetMinutes } = parseSignature(line);
        expect(Number.isSafeInteger(seconds) && Number.isSafeInteger(offsetMinutes)).toBe(true);
      }),
    );
  });
});

describe("a commit", () => {
  test("without an author, a message or an empty line is parsed", () => {
    expect(commitOf(`tree ${treeOid}`)).toEqual({
      oid,
      treeOid,
      parentOids: [],
      author: { name: "", email: "", seconds: 0, offsetMinutes: 0 },
      committer: { name: "", email: "", seconds: 0, offsetMinutes: 0 },
      message: "",
      signature: "",
      signedPayload: "",
    });
    expect(commitOf(`tree ${treeOid}\n\n`).message).toBe("");
    expect(commitOf(`tree ${treeOid}\nparent x\nparent ${oid}\n\nm`)).toMatchObject({ parentOids: [oid], message: "m" });
    expect(commitOf(`tree ${treeOid}\n\na\0b\n\n\nc`).message).toBe("a\0b\n\n\nc");
  });

  test("without a tree is rejected as damaged", () => {
    for (const text of ["", "\n\n", "tree", "tree 12", `tree ${treeOid}0\n\n`, `Tree ${treeOid}\n\n`]) {
      expect(() => commitOf(text)).toThrow(expect.objectContaining({ code: "unavailable" }));
    }
  });

  test("is decoded by its encoding header, and as UTF-8 with replacement otherwise", () => {
    const of = (encoding: string, message: Buffer) =>
      commitOf(Buffer.concat([Buffer.from(`tree ${treeOid}\nauthor J`), message, Buffer.from(` <j@b> 1 +0000\n${encoding}\n`), message])).message;
    expect(of("", Buffer.from("ürü €"))).toBe("ürü €");
    expect(of("", Buffer.from("\xfc\n", "latin1"))).toBe("\ufffd\n");
    expect(of("encoding ISO-8859-1\n", Buffer.from("\xfc\n", "latin1"))).toBe("ü\n");
    expect(of("encoding windows-1251\n", Buffer.from("\xcf\xf0\n", "latin1"))).toBe("Пр\n");
    expect(of("encoding Shift_JIS\n", Buffer.from("\x93\xfa\x96\x7b", "latin1"))).toBe("日本");
    expect(of("encoding ISO-8859-1\n", Buffer.from("ü"))).toBe("Ã¼");
    expect(of("encoding UTF-8\n", Buffer.from("ü"))).toBe("ü");
    expect(of("encoding no-such-thing\n", Buffer.from("\xfc", "latin1"))).toBe("\ufffd");
    const named = commitOf(Buffer.from(`tree ${treeOid}\nauthor J\xfcrgen <j@b> 1 +0000\nencoding latin1\n\n`, "latin1"));
    expect(named.author.name).toBe("Jürgen");
  });

  test("with a signature has the signature and the signed payload", () => {
    const head = `tree ${treeOid}\nauthor A <a@b> 1 +0000\ncommitter A <a@b> 1 +0000\n`;
    const signed = commitOf(`${head}gpgsig -----BEGIN PGP SIGNATURE-----\n \n iQEz\n -----END PGP SIGNATURE-----\n\nmessage\n`);
    expect(signed.signature).toBe("-----BEGIN PGP SIGNATURE-----\n\niQEz\n-----END PGP SIGNATURE-----\n");
    expect(signed.signedPayload).toBe(`${head}\nmessage\n`);
    expect(commitOf(`${head}gpgsig-sha256 x\n y\nencoding UTF-8\ngpgsig z\n\nm`)).toMatchObject({
      signature: "z\n",
      signedPayload: `${head}encoding UTF-8\n\nm`,
    });
    expect(commitOf(`${head}mergetag object ${oid}\n gpgsig no\n\nm`)).toMatchObject({ signature: "", signedPayload: "" });
  });

  test("round-trips through formatting and parsing", () => {
    const made = newCommit("sha1", { treeOid, parentOids: [oid], author: person, committer: { ...person, offsetMinutes: 0 }, message: "Grüße\n\nx" });
    expect(parseCommit(made.oid, made.data)).toEqual({
      oid: made.oid,
      treeOid,
      parentOids: [oid],
      author: person,
      committer: { ...person, offsetMinutes: 0 },
      message: "Grüße\n\nx\n",
      signature: "",
      signedPayload: "",
    });
  });

  test("with invalid values is not formatted", () => {
    const write = (change: object) => newCommit("sha1", { treeOid, parentOids: [], author: person, committer: person, message: "m", ...change });
    for (const change of [
      { message: "a\0b" },
      { author: { ...person, seconds: -1 } },
      { author: { ...person, seconds: 1.5 } },
      { committer: { ...person, seconds: Number.NaN } },
      { author: { ...person, offsetMinutes: 6000 } },
    ]) {
      expect(() => write(change)).toThrow(expect.objectContaining({ code: "invalid" }));
    }
    const injected = write({ author: { ...person, name: "A\ncommitter Eve <e@x> 1 +0000", email: "a> <b\0" } });
    expect(parseCommit(injected.oid, injected.data)).toMatchObject({ author: { name: "Acommitter Eve e@x 1 +0000", email: "a b" }, committer: person });
    expect(["Ann.", " <Ann> ", "A\tB", "...", "O'Neil", "\ud800"].map(cleanIdentity)).toEqual(["Ann", "Ann", "A\tB", "", "O'Neil", "\ufffd"]);
  });
});

describe("a tag", () => {
  test("round-trips with its signature", () => {
    const made = newTag("sha1", { targetOid: oid, targetType: "commit", name: "v1", tagger: person, message: "one\n" });
    expect(parseTag(made.oid, made.data)).toEqual({
      oid: made.oid,
      targetOid: oid,
      targetType: "commit",
      name: "v1",
      tagger: person,
      message: "one\n",
      signature: "",
      signedPayload: "",
    });
    const signature = "-----BEGIN SSH SIGNATURE-----\nabc\n-----END SSH SIGNATURE-----\n";
    const signed = parseTag(oid, Buffer.concat([made.data, Buffer.from(signature)]));
    expect(signed).toMatchObject({ message: "one\n", signature, signedPayload: made.data.toString() });
  });

  test("from early git versions has no tagger", () => {
    expect(parseTag(oid, Buffer.from(`object ${oid}\ntype commit\ntag v0.99\n\nold\n`))).toMatchObject({ tagger: undefined, message: "old\n" });
    for (const text of ["", `object ${oid}\n`, `object ${oid}\ntype thing\n\n`, "type commit\n\n"]) {
      expect(() => parseTag(oid, Buffer.from(text))).toThrow(expect.objectContaining({ code: "unavailable" }));
    }
  });
});

describe("a tree", () => {
  test("with arbitrary names round-trips", () => {
    const name = fc.string({ unit: "grapheme", minLength: 1 }).filter((text) => !/[/\0]/.test(text));
    const entry = fc.record({
      name,
      mode: fc.constantFrom<TreeEntry["mode"]>("040000", "100644", "100755", "120000", "160000"),
      oid: fc.constantFrom(oid, treeOid),
    });
    fc.assert(
      fc.property(fc.uniqueArray(entry, { selector: (item) => item.name }), (entries) => {
        const tree = newTree("sha1", entries);
        const byName = (a: TreeEntry, b: TreeEntry) => (a.name < b.name ? -1 : 1);
        expect([...parseTree(tree.oid, tree.data)].sort(byName)).toEqual([...entries].sort(byName));
      }),
    );
  });

  test("with historic modes has canonical modes", () => {
    const raw = Buffer.concat(
      ["100664 a", "100777 b", "0100644 c", "40775 d", "120777 e", "160755 f", "0 g"].map((text) =>
        Buffer.concat([Buffer.from(`${text}\0`), Buffer.alloc(20, 1)]),
      ),
    );
    expect(parseTree(oid, raw).map((entry) => entry.mode)).toEqual(["100644", "100755", "100644", "040000", "120000", "160000", "160000"]);
  });

  test("that is truncated is rejected as damaged", () => {
    const whole = newTree("sha1", [{ name: "a", mode: "100644", oid }]).data;
    for (let length = 1; length < whole.length; length++)
      expect(() => parseTree(oid, whole.subarray(0, length))).toThrow(expect.objectContaining({ code: "unavailable" }));
    expect(() => parseTree(oid, Buffer.from("hello"))).toThrow();
  });
});

describe("formatted objects compared with git", () => {
  let client: ClientRepository;
  beforeAll(() => {
    client = createClient();
  });
  afterAll(() => client.remove());

  test("trees have git's order and ids", () => {
    const names = ["a", "a.b", "a-b", "a0", "ab", "A", "ä", "\u{1f600}", "\uff5e", "z", "a b", '"', "b"];
    const entries = names.map((name, i): TreeEntry => ({ name, mode: i % 2 === 0 ? "040000" : "100644", oid: i % 2 === 0 ? treeOid : oid }));
    const input = entries.map(({ name, mode, oid: id }) => `${mode} ${mode === "040000" ? "tree" : "blob"} ${id}\t${name}\0`).join("");
    expect(newTree("sha1", entries).oid).toBe(client.pipe(input, "mktree", "-z", "--missing").toString().trim());
  });

  test("ids equal git's in both formats", () => {
    const other = createClient("sha256");
    try {
      for (const [repository, format] of [
        [client, "sha1"],
        [other, "sha256"],
      ] as const) {
        expect(hashObject(format, "blob", Buffer.from("hello\n"))).toBe(repository.pipe("hello\n", "hash-object", "--stdin").toString().trim());
      }
    } finally {
      other.remove();
    }
  });

  const bundle = join(import.meta.dirname, "../../../../shared/data/express.bundle");
  test.skipIf(!existsSync(bundle))(
    `all commits of a real history are parsed as git does${existsSync(bundle) ? "" : " (skipped: the bundle is missing)"}`,
    { timeout: 60_000 },
    async () => {
      const kit = await openTestStores();
      try {
        const store = kit.fresh();
        await materialize(store);
        const git = (...args: string[]) =>
          execFileSync("git", args, { cwd: store.path, maxBuffer: 1 << 28, env: { ...kit.stores.shared.home.environment } }).toString();
        execFileSync("git", ["fetch", "-q", bundle, "+refs/*:refs/*"], { cwd: store.path });
        const format = ["%H", "%T", "%P", "%an", "%ae", "%ad", "%cn", "%ce", "%cd", "%B"].join("%x01");
        const records = git("log", "--all", "--date=raw", "-z", `--format=${format}`).split("\0").filter(Boolean);
        expect(records.length).toBeGreaterThan(6000);
        const parsed = await readCommits(
          store,
          records.map((record) => record.slice(0, 40)),
        );
        const zone = (minutes: number) =>
          `${minutes < 0 ? "-" : "+"}${String(Math.floor(Math.abs(minutes) / 60) * 100 + (Math.abs(minutes) % 60)).padStart(4, "0")}`;
        for (const [index, commit] of parsed.entries()) {
          if (commit === undefined) throw new Error(`commit ${index} was not read`);
          const { author, committer } = commit;
          const fields = [
            commit.oid,
            commit.treeOid,
            commit.parentOids.join(" "),
            author.name,
            author.email,
            `${author.seconds} ${zone(author.offsetMinutes)}`,
          ];
          fields.push(committer.name, committer.email, `${committer.seconds} ${zone(committer.offsetMinutes)}`, commit.message.trimEnd());
          expect(fields).toEqual((records[index] ?? "").split("\x01").map((field, i) => (i === 9 ? field.trimEnd() : field)));
        }
        const tip = parsed[0];
        const listed = git("ls-tree", "-z", tip?.treeOid ?? "");
        const tree = await readTree(store, tip?.treeOid ?? "");
        expect(tree?.map((entry) => `${entry.mode} ${entry.mode === "040000" ? "tree" : "blob"} ${entry.oid}\t${entry.name}\0`).join("")).toBe(listed);
      } finally {
        await kit.close();
      }
    },
  );
});

test("parses a large tree in several turns of the event loop", async () => {
  const id = Buffer.alloc(20, 1);
  const data = Buffer.concat(Array.from({ length: 30_000 }, (_, at) => Buffer.concat([Buffer.from(`100644 file${String(at).padStart(5, "0")}\0`), id])));
  const oid = "1".repeat(40);
  const parsing = parseTreeInTurns(oid, data);
  expect(await countTurnsOf(() => parsing)).toBeGreaterThanOrEqual(3);
  expect(await parsing).toEqual(parseTree(oid, data));
  await expect(parseTreeInTurns(oid, data.subarray(0, -1))).rejects.toMatchObject({ code: "unavailable" });
});
