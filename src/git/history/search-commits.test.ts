import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createClient, importObjects, openTestStores, type TestStores } from "../../../test/kit/git.ts";
import type { GitStore } from "../stores.ts";
import type { Oid } from "../types.ts";
import { type CommitSearch, searchCommits } from "./search-commits.ts";

let kit: TestStores;
let store: GitStore;
const client = createClient();
const oids: Oid[] = [];
const messages = ["Repair the pump", "Add a valve\n\nThe PUMP needs one.", "--all [x] .* \\d", "Größe der Düse\n", "Repair the valve of the pump", "Tidy up"];

beforeAll(async () => {
  kit = await openTestStores();
  store = kit.fresh();
  for (const [index, message] of messages.entries()) {
    const author = index % 2 === 0 ? "Ada Lovelace <ada@example.com>" : "Grace [x] <grace@example.com>";
    oids.push(client.commit({ [`${index}.txt`]: `${index}\n` }, { message, author }));
  }
  await importObjects(store, client, [oids.at(-1) ?? ""]);
});
afterAll(async () => {
  client.remove();
  await kit.close();
});

const find = (given: Partial<CommitSearch>) =>
  searchCommits(store, { tipOids: [oids.at(-1) ?? ""], words: [], authors: [], skip: 0, limit: 10, maxSearched: 100, ...given });
const found = async (given: Partial<CommitSearch>): Promise<number[]> => (await find(given)).oids.map((oid) => oids.indexOf(oid));

describe("a search for commits", () => {
  test("finds messages that contain all words, and authors by a part of their name or address", async () => {
    expect(await found({ words: ["pump"] })).toEqual([4, 1, 0]);
    expect(await found({ words: ["VALVE", "pump"] })).toEqual([4, 1]);
    expect(await found({ words: ["Größe"] })).toEqual([3]);
    expect(await found({ authors: ["lovelace"] })).toEqual([4, 2, 0]);
    expect(await found({ authors: ["<grace@example.com>"] })).toEqual([5, 3, 1]);
    expect(await found({ authors: ["ADA@", "grace"], words: ["repair"] })).toEqual([4, 0]);
    expect(await found({ authors: ["ada"], words: ["valve", "pump"] })).toEqual([4]);
    expect(await found({ path: "1.txt", words: ["pump"] })).toEqual([1]);
    expect(await found({ words: ["nothing"] })).toEqual([]);
  });

  test("treats options and patterns as plain text", async () => {
    expect(await found({ words: ["--all"] })).toEqual([2]);
    expect(await found({ words: ["[x]", ".*", "\\d"] })).toEqual([2]);
    expect(await found({ words: ["Re.air"] })).toEqual([]);
    expect(await found({ authors: ["Grace [x]"] })).toEqual([5, 3, 1]);
    expect(await found({ authors: ["--all"] })).toEqual([]);
    for (const text of ["a\nb", "a\0b", ""]) await expect(find({ words: [text] })).rejects.toThrow(TypeError);
  });

  test("reads a limited number of commits, and continues after them", async () => {
    const before = kit.stores.counters.processes;
    expect(await find({ words: ["pump"], maxSearched: 3 })).toEqual({ oids: [oids[4]], next: 3, lastOid: oids[3] });
    expect(kit.stores.counters.processes).toBe(before + 2);
    expect(await find({ words: ["pump"], maxSearched: 3, skip: 3 })).toEqual({ oids: [oids[1], oids[0]], next: undefined, lastOid: undefined });
    expect(await find({ words: ["pump"], limit: 2 })).toEqual({ oids: [oids[4], oids[1]], next: 5, lastOid: undefined });
    expect(await find({ words: ["pump"], limit: 2, skip: 5 })).toEqual({ oids: [oids[0]], next: undefined, lastOid: undefined });
    expect(await find({ words: ["pump"], skip: 100 })).toEqual({ oids: [], next: undefined, lastOid: undefined });
  });

  test("without words and authors lists commits by date", async () => {
    const before = kit.stores.counters.processes;
    expect(await find({ limit: 2 })).toEqual({ oids: [oids[5], oids[4]], next: 2, lastOid: undefined });
    expect(kit.stores.counters.processes).toBe(before + 1);
    expect(await found({ untilMs: 1_000 })).toEqual([]);
  });
});
