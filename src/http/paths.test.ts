import { describe, expect, test } from "vitest";
import { compilePath, hasClimbingSegment } from "./paths.ts";

test("a plain path becomes the router's", () => {
  const path = compilePath("/repos/{owner}/{repo}");
  expect(path.routerPath).toBe("/repos/:owner/:repo");
  expect(path.rest).toBeUndefined();
  expect(path.pattern.test("/repos/o/r")).toBe(true);
  expect(path.pattern.test("/repos/o/r/")).toBe(true);
  expect(path.pattern.test("/repos/o/r/x")).toBe(false);
});

test("a rest parameter takes slashes, and what follows it tells routes apart", () => {
  const path = compilePath("/commits/{ref+}/status");
  expect(path.routerPath).toBe("/commits/*");
  expect(path.restNames).toEqual(["ref"]);
  expect(path.rest?.exec("feature/x/status")?.[1]).toBe("feature/x");
  expect(path.rest?.test("feature/x")).toBe(false);
  expect(path.suffixLength).toBeGreaterThan(compilePath("/commits/{ref+}").suffixLength);
});

test("a rest parameter may be empty where it says so", () => {
  expect(compilePath("/contents/{path*}").rest?.exec("")?.[1]).toBe("");
  expect(compilePath("/contents/{path+}").rest?.test("")).toBe(false);
});

test("a word of a few may follow a rest parameter", () => {
  const path = compilePath("/git/commits/{sha+}.{diffType}");
  expect(path.routerPath).toBe("/git/commits/*");
  expect(path.restNames).toEqual(["sha", "diffType"]);
  expect(path.rest?.exec("feature/v1.0.patch")?.slice(1)).toEqual(["feature/v1.0", "patch"]);
  expect(path.rest?.test("v1.0")).toBe(false);
  expect(path.pattern.test("/git/commits/main.diff")).toBe(true);
  expect(path.suffixLength).toBeGreaterThan(compilePath("/git/commits/{sha+}").suffixLength);
});

test("no other parameter may", () => {
  expect(() => compilePath("/a/{b+}/{c}")).toThrow("rest parameter");
});

describe("paths that climb", () => {
  test.each(["/a/../b", "/a/..", "/a/%2e%2e/b", "/a/%2E./b", "/a/..%2fb", "/a\\..\\b"])("%s does", (path) => expect(hasClimbingSegment(path)).toBe(true));
  test.each(["/compare/main...topic", "/a/..b", "/a/b..", "/a/...", "/"])("%s does not", (path) => expect(hasClimbingSegment(path)).toBe(false));
});
