import { describe, expect, test } from "vitest";
import { countSliced, findSliced, perSlice, type RefSlices, sliceRefs, slicesBelow, sortRefs, updateSlices } from "./ref-slices.ts";

const refs = Array.from({ length: 2_000 }, (_, index) => ({ name: `refs/heads/${String(index).padStart(4, "0")}`, value: index }));
const flat = <R extends { readonly name: string }>(slices: RefSlices<R>): R[] => slices.flat();

describe("sliced refs", () => {
  test("contain all refs in order, and each is found", () => {
    const slices = sliceRefs(refs);
    expect(slices.length).toBeGreaterThan(1);
    expect(flat(slices)).toEqual(refs);
    expect(countSliced(slices)).toBe(2_000);
    for (const ref of refs) expect(findSliced(slices, ref.name)).toBe(ref);
    expect(findSliced(slices, "refs/heads/0000x")).toBeUndefined();
    expect(findSliced([], "refs/heads/0000")).toBeUndefined();
  });

  test("are sorted by bytes, not by UTF-16 units", () => {
    const names = flat(sortRefs([{ name: "refs/heads/\u{1f600}" }, { name: "refs/heads/\uff5e" }, { name: "refs/heads/a" }])).map(({ name }) => name);
    expect(names).toEqual(["refs/heads/a", "refs/heads/\uff5e", "refs/heads/\u{1f600}"]);
  });

  test("below a prefix are those that begin with it, and slices of these alone are not copied", () => {
    const slices = sliceRefs(refs);
    for (const prefix of ["", "refs/", "refs/heads/0", "refs/heads/05", "refs/heads/0511", "refs/heads/0512", "refs/heads/1999", "refs/heads/2", "refs/a", "z"])
      expect(flat(slicesBelow(slices, prefix)), prefix).toEqual(refs.filter(({ name }) => name.startsWith(prefix)));
    expect(slicesBelow(slices, "refs/heads/").every((slice, index) => slice === slices[index])).toBe(true);
    expect(slicesBelow([], "refs/")).toEqual([]);
  });

  test("keep all slices that an update does not touch", () => {
    const slices = sliceRefs(refs);
    const name = refs[700]?.name ?? "";
    const updated = updateSlices(slices, new Map([[name, { name, value: -1 }]]));
    expect(findSliced(updated, name)?.value).toBe(-1);
    expect(updated.filter((slice, index) => slice !== slices[index])).toHaveLength(1);
    expect(findSliced(slices, name)?.value).toBe(700);
  });

  test("equal a new list after random moves", () => {
    let seed = 7;
    const random = (below: number): number => {
      seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
      return seed % below;
    };
    const expected = new Map(refs.map((ref) => [ref.name, ref]));
    let slices: RefSlices<(typeof refs)[number]> = sliceRefs(refs);
    for (let round = 0; round < 200; round += 1) {
      const moved = new Map<string, (typeof refs)[number] | null>();
      for (let move = 0; move < 20; move += 1) {
        // Some new names come before, between and after all others.
        const name = `refs/${["a", "heads", "heads", "z"][random(4)]}/${String(random(4_000)).padStart(4, "0")}${random(3) === 0 ? "é" : ""}`;
        moved.set(name, random(3) === 0 ? null : { name, value: round });
      }
      for (const [name, ref] of moved) {
        if (ref === null) expected.delete(name);
        else expected.set(name, ref);
      }
      slices = updateSlices(slices, moved);
    }
    expect(flat(slices)).toEqual(flat(sortRefs([...expected.values()])));
    expect(Math.max(...slices.map(({ length }) => length))).toBeLessThanOrEqual(1_024);
    expect(slices.every(({ length }) => length > 0)).toBe(true);
  });

  test("become empty and are filled again", () => {
    const none = updateSlices(sliceRefs(refs.slice(0, 2)), new Map(refs.slice(0, 2).map(({ name }) => [name, null])));
    expect(none).toEqual([]);
    expect(flat(updateSlices(none, new Map(refs.slice(0, 2).map((ref) => [ref.name, ref]))))).toEqual(refs.slice(0, 2));
  });

  test("have results that are computed once for each slice", () => {
    let computed = 0;
    const count = perSlice((slice: readonly { readonly name: string }[]) => {
      computed += 1;
      return slice.length;
    });
    const slices = sliceRefs(refs);
    for (const slice of [...slices, ...slices]) expect(count(slice)).toBe(slice.length);
    expect(computed).toBe(slices.length);
  });
});
