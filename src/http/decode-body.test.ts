import { describe, expect, test } from "vitest";
import { CreateRepoOption } from "../wire/repository-options.ts";
import { bool, choice, field, int, list, mapOf, nullable, option, optional, text, time, usually } from "../wire/schema.ts";
import { decodeBody } from "./decode-body.ts";

const Sample = option("Sample", {
  name: field("Name", text(), "Required", "MaxSize(5)"),
  count: field("Count", int()),
  on: field("On", nullable(bool())),
  tags: field("Tags", list(text())),
  units: field("Units", mapOf(text())),
  site: field("Site", text(), "OmitEmpty", "ValidUrl"),
  at: field("At", nullable(time())),
  inner: field("Inner", nullable(option("Inner", { deep: field("Deep", text(), "Required") }))),
});
const decode = (values: Record<string, unknown>, isForm = false) => decodeBody(Sample, { name: "n", ...values }, isForm);

test("sets absent fields to the zero values of their types and drops unknown fields", () => {
  expect(decode({ whatever: 1, constructor: 2 })).toEqual({ name: "n", count: 0, on: null, tags: [], units: {}, site: "", at: null, inner: null });
});

test("matches field names case-insensitively and prefers exact matches", () => {
  expect(decodeBody(Sample, { NAME: "a", name: "b", COUNT: 3 }, false)).toMatchObject({ name: "b", count: 3 });
});

test("treats prototype members as ordinary data and does not change a prototype", () => {
  const values = JSON.parse('{"name":"n","__proto__":{"polluted":1},"units":{"__proto__":{"polluted":1},"a":"b"},"constructor":{"prototype":{"polluted":1}}}');
  expect(decodeBody(Sample, values, false)).toMatchObject({ units: { a: "b" } });
  expect(({} as { polluted?: number }).polluted).toBeUndefined();
});

describe("names the field with a value of the wrong type", () => {
  test.each([
    [{ name: 1 }, "[]: name must be a string, not a number"],
    [{ count: "1" }, "[]: count must be an integer, not a string"],
    [{ count: Number.POSITIVE_INFINITY }, "[]: count must be an integer, not Infinity, which is not an integer in the supported range"],
    [{ count: 2 ** 53 }, "[]: count must be an integer, not 9007199254740992, which is not an integer in the supported range"],
    [{ on: "true" }, "[]: on must be a boolean, not a string"],
    [{ tags: "a" }, "[]: tags must be a list, not a string"],
    [{ tags: [1] }, "[]: tags.[0] must be a string, not a number"],
    [{ units: [] }, "[]: units must be an object, not a list"],
    [{ inner: { deep: {} } }, "[]: inner.deep must be a string, not an object"],
  ])("%j", (values, message) => expect(() => decode(values)).toThrow(message));
});

describe("field rules", () => {
  test.each([
    [{ name: "" }, "[Name]: Required"],
    [{ name: "sixsix" }, "[Name]: MaxSize"],
    [{ site: "javascript:alert(1)" }, "[Site]: Url"],
    [{ site: "http://a\\b" }, "[Site]: Url"],
    [{ at: "yesterday" }, '[]: at: "yesterday" is not an RFC 3339 time'],
    [{ inner: {} }, "[Deep]: Required"],
  ])("%j", (values, message) => expect(() => decode(values)).toThrow(message));
  test("counts characters, not UTF-16 code units", () => expect(decode({ name: "🙂🙂🙂🙂🙂" })).toMatchObject({ name: "🙂🙂🙂🙂🙂" }));
});

describe("a choice", () => {
  const Chosen = option("Chosen", {
    color: field("Color", choice("red", "green")),
    from: field("From", optional(choice("list"))),
    size: field("Size", usually("small", "large")),
  });
  const chosen = (values: Record<string, unknown>) => decodeBody(Chosen, values, true);

  test("is one of its values, or absent if it is optional", () => {
    expect(chosen({ color: "red", size: "huge" })).toEqual({ color: "red", from: undefined, size: "huge" });
    expect(chosen({ color: "green", from: "list" })).toMatchObject({ from: "list", size: "" });
    expect(chosen({ color: "green", from: "" })).toMatchObject({ from: undefined });
  });

  test.each([[{}], [{ color: "" }], [{ color: "blue" }], [{ color: "red", from: "elsewhere" }]])("is refused for %j", (values) =>
    expect(() => chosen(values)).toThrow(expect.objectContaining({ code: "invalid", reason: "choice_required" })),
  );
});

test("converts form strings to the types of the fields", () => {
  expect(decode({ count: "3", on: "true", tags: "a,b" }, true)).toMatchObject({ count: 3, on: true, tags: ["a", "b"] });
  expect(() => decode({ count: "x" }, true)).toThrow("count must be an integer");
});

test.each(["a/b", "a b", "é", "a\0"])("rejects the repository name %j", (name) => {
  expect(() => decodeBody(CreateRepoOption, { name }, false)).toThrow("[Name]: AlphaDashDot");
});
