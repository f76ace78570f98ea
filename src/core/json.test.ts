import { expect, test } from "vitest";
import { writeJson, writtenOnce } from "./json.ts";

test("repeated objects are serialized as by JSON.stringify, but only once", () => {
  let reads = 0;
  const owner = writtenOnce({ login: 'a "quoted" name', id: 7 });
  const repository = writtenOnce({
    get name() {
      reads += 1;
      return "r\u2028 < 😀";
    },
    owner,
    nothing: undefined,
    none: null,
  });
  const plain = { name: "r\u2028 < 😀", owner: { login: 'a "quoted" name', id: 7 }, nothing: undefined, none: null };
  const list = (repo: object, user: object) => [
    { repo, user, list: [repo, user, 1.5, "x"] },
    { repo: null, user, when: undefined, deep: { repo } },
  ];
  expect(writeJson(list(repository, owner))).toBe(JSON.stringify(list(plain, plain.owner)));
  expect(reads).toBe(1);
  expect(writeJson(repository)).toBe(JSON.stringify(plain));
});

test("marked objects look ordinary to other serializers", () => {
  const shared = writtenOnce({ a: 1 });
  expect(JSON.stringify([shared, { shared }])).toBe('[{"a":1},{"shared":{"a":1}}]');
  expect({ ...shared }).toEqual({ a: 1 });
  expect(Object.keys(shared)).toEqual(["a"]);
});

test("a failed serialization leaves no state behind", () => {
  const loop: { self?: unknown } = {};
  loop.self = loop;
  expect(() => writeJson([writtenOnce({ a: 1 }), loop])).toThrow(TypeError);
  expect(() => writeJson(writtenOnce({ big: 1n }))).toThrow(TypeError);
  expect(JSON.stringify(writtenOnce({ a: 1 }))).toBe('{"a":1}');
});

test.each([[null], ["text"], [[1, "2", undefined]], [{}], [[]]])("%j is serialized as by JSON.stringify", (value) => {
  expect(writeJson(value)).toBe(JSON.stringify(value));
});
