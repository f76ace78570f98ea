import { describe, expect, test } from "vitest";
import { decodePkts, pktText } from "../../../../git/send/pkt-line.ts";
import { sliceRefs, sortRefs, updateSlices } from "../../../../git/send/ref-slices.ts";
import { type AdvertisedStore, advertisement, lsRefs, type ProtocolVersion, plainRefs, protocolVersion } from "./advertise.ts";

const one = "1".repeat(40);
const two = "2".repeat(40);
const tag = "3".repeat(40);
const store: AdvertisedStore = {
  format: "sha1",
  headRef: "refs/heads/main",
  slices: sliceRefs([
    { name: "refs/heads/main", oid: one, peeledOid: "" },
    { name: "refs/heads/side", oid: two, peeledOid: "" },
    { name: "refs/tags/v1", oid: tag, peeledOid: two },
  ]),
};
const empty: AdvertisedStore = { ...store, slices: [] };
const unborn: AdvertisedStore = { ...store, headRef: "refs/heads/later" };

const packets = (parts: readonly Buffer[]): string[] =>
  [...decodePkts(Buffer.concat(parts))].map((pkt) => (pkt.kind === "data" ? pktText(pkt.data) : `(${pkt.kind})`));
const advertise = async (version: ProtocolVersion, of = store, service: "git-upload-pack" | "git-receive-pack" = "git-upload-pack") =>
  packets(await advertisement("http", service, version, of));
const names = (lines: readonly string[]): string[] => lines.map((line) => line.split("\0")[0] ?? "");
const capabilities = (lines: readonly string[]): string[] =>
  lines
    .find((line) => line.includes("\0"))
    ?.split("\0")[1]
    ?.split(" ") ?? [];

describe("the protocol version", () => {
  test.each([
    [undefined, 0],
    ["version=0", 0],
    ["version=1", 1],
    ["version=2", 2],
    ["agent=x:version=2", 2],
    ["version=1:version=2", 2],
    ["version=3", 0],
    ["version=2x", 0],
    ["version=2:x\u0000", 2],
    ["VERSION=2", 0],
    ["--upload-pack=x", 0],
    [["version=2", "version=2"], 0],
  ] as const)("of header %j is %d", (header, version) => {
    expect(protocolVersion(header as string | string[] | undefined)).toBe(version);
  });
});

describe("the ref advertisement", () => {
  test("after a move consists of the parts of the one before, apart from the moved one, and takes no turn of the event loop", async () => {
    const refs = Array.from({ length: 20_000 }, (_, index) => ({ name: `refs/heads/topic/${index}`, oid: one, peeledOid: "" as const }));
    const before = { ...store, slices: sortRefs(refs) };
    const moved = { name: "refs/heads/topic/700", oid: two, peeledOid: "" as const };
    const after = { ...before, slices: updateSlices(before.slices, new Map([[moved.name, moved]])) };
    const known = new Set(await advertisement("http", "git-receive-pack", 0, before));
    let turns = 0;
    setImmediate(() => {
      turns += 1;
    });
    const parts = await advertisement("http", "git-receive-pack", 0, after);
    expect(turns).toBe(0);
    expect(parts.filter((part) => !known.has(part) && part.length > 1_000)).toHaveLength(1);
    expect(packets(parts)).toEqual(packets(await advertisement("http", "git-receive-pack", 0, { ...after, slices: sortRefs(after.slices.flat()) })));
  });

  test("of version 0 lists HEAD, all refs and peeled tags", async () => {
    const lines = await advertise(0);
    expect(names(lines)).toEqual([
      "# service=git-upload-pack",
      "(flush)",
      `${one} HEAD`,
      `${one} refs/heads/main`,
      `${two} refs/heads/side`,
      `${tag} refs/tags/v1`,
      `${two} refs/tags/v1^{}`,
      "(flush)",
    ]);
    expect(capabilities(lines)).toEqual(
      expect.arrayContaining(["symref=HEAD:refs/heads/main", "object-format=sha1", "filter", "shallow", "multi_ack_detailed"]),
    );
  });

  test("of version 1 begins with the version number", async () => {
    const lines = await advertise(1);
    expect(lines.slice(0, 3)).toEqual(["# service=git-upload-pack", "(flush)", "version 1"]);
    expect(names(lines)[3]).toBe(`${one} HEAD`);
  });

  test("over SSH omits the service line and stateless capabilities", async () => {
    const over = async (version: ProtocolVersion, service: "git-upload-pack" | "git-receive-pack" = "git-upload-pack") =>
      packets(await advertisement("ssh", service, version, store));
    expect(names(await over(0))[0]).toBe(`${one} HEAD`);
    expect((await over(1))[0]).toBe("version 1");
    expect((await over(2))[0]).toBe("version 2");
    expect(names(await over(0, "git-receive-pack"))[0]).toBe(`${one} refs/heads/main`);
    expect(capabilities(await advertise(0))).toContain("no-done");
    expect(capabilities(await over(0))).toEqual(capabilities(await advertise(0)).filter((capability) => capability !== "no-done"));
  });

  test("of version 2 lists capabilities and no refs", async () => {
    expect(await advertise(2)).toEqual([
      "# service=git-upload-pack",
      "(flush)",
      "version 2",
      "agent=hearth/1",
      "ls-refs=unborn",
      "fetch=shallow wait-for-done filter",
      "server-option",
      "object-format=sha1",
      "(flush)",
    ]);
    expect(await advertise(2, { ...empty, format: "sha256" })).toContain("object-format=sha256");
  });

  test("of an empty repository contains only the capabilities", async () => {
    for (const version of [0, 1] as const) {
      const lines = await advertise(version, empty);
      expect(names(lines).at(-2)).toBe(`${"0".repeat(40)} capabilities^{}`);
    }
    expect(names(await advertise(0, { ...empty, format: "sha256" })).at(-2)).toBe(`${"0".repeat(64)} capabilities^{}`);
    expect(capabilities(await advertise(0, empty)).filter((capability) => capability.startsWith("symref="))).toEqual([]);
  });

  test("omits HEAD while its branch is unborn", async () => {
    expect(names(await advertise(0, unborn))).not.toContain(`${one} HEAD`);
    expect(capabilities(await advertise(0, unborn)).join(" ")).not.toContain("symref");
  });

  test("for a push lists only the refs, in version 2 too", async () => {
    const lines = await advertise(0, store, "git-receive-pack");
    expect(names(lines)).toEqual([
      "# service=git-receive-pack",
      "(flush)",
      `${one} refs/heads/main`,
      `${two} refs/heads/side`,
      `${tag} refs/tags/v1`,
      "(flush)",
    ]);
    expect(capabilities(lines)).toEqual(
      expect.arrayContaining(["report-status-v2", "delete-refs", "side-band-64k", "atomic", "push-options", "object-format=sha1"]),
    );
    expect(await advertise(2, store, "git-receive-pack")).toEqual(lines);
    expect((await advertise(1, store, "git-receive-pack"))[2]).toBe("version 1");
  });
});

describe("ls-refs", () => {
  const list = async (args: readonly string[], of = store) => packets(await lsRefs(of, args));

  test("lists everything with the requested attributes", async () => {
    expect(await list([])).toEqual([`${one} HEAD`, `${one} refs/heads/main`, `${two} refs/heads/side`, `${tag} refs/tags/v1`, "(flush)"]);
    expect(await list(["symrefs", "peel"])).toEqual([
      `${one} HEAD symref-target:refs/heads/main`,
      `${one} refs/heads/main`,
      `${two} refs/heads/side`,
      `${tag} refs/tags/v1 peeled:${two}`,
      "(flush)",
    ]);
  });

  test("returns only refs that match the prefixes", async () => {
    expect(await list(["ref-prefix refs/tags/"])).toEqual([`${tag} refs/tags/v1`, "(flush)"]);
    expect(await list(["ref-prefix HEAD", "ref-prefix refs/heads/s"])).toEqual([`${one} HEAD`, `${two} refs/heads/side`, "(flush)"]);
    expect(await list(["ref-prefix refs/nothing"])).toEqual(["(flush)"]);
  });

  test("returns the same refs for many prefixes as for few", async () => {
    const many = Array.from({ length: 100 }, (_, index) => `ref-prefix refs/heads/none-${index}`);
    expect(await list([...many, "ref-prefix refs/heads/ma"])).toEqual(await list(["ref-prefix refs/heads/ma"]));
    expect(await list(Array.from({ length: 65_537 }, (_, index) => `ref-prefix x${index}`))).toEqual(await list([]));
  });

  test("returns the target of an unborn HEAD on request", async () => {
    expect(await list(["symrefs", "unborn", "ref-prefix HEAD"], unborn)).toEqual(["unborn HEAD symref-target:refs/heads/later", "(flush)"]);
    expect(await list(["symrefs", "ref-prefix HEAD"], unborn)).toEqual(["(flush)"]);
    expect(await list(["symrefs", "unborn"], empty)).toEqual(["unborn HEAD symref-target:refs/heads/main", "(flush)"]);
  });
});

test("the plain list of refs is readable", () => {
  expect(plainRefs(store)).toBe(`${one}\trefs/heads/main\n${two}\trefs/heads/side\n${tag}\trefs/tags/v1\n`);
});
