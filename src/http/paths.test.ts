import { expect, test } from "vitest";
import { hasClimbingSegment, joinSlashes } from "./paths.ts";

test.each(["/a/../b", "/a/..", "/a/%2e%2e/b", "/a/%2E./b", "/a/..%2fb", "/a\\..\\b"])("detects path traversal in %s", (path) =>
  expect(hasClimbingSegment(path)).toBe(true),
);
test.each(["/compare/main...topic", "/a/..b", "/a/b..", "/a/...", "/"])("accepts %s", (path) => expect(hasClimbingSegment(path)).toBe(false));

test.each([
  ["//api/v1//version", "/api/v1/version"],
  ["/o/r.git///info/refs?service=a//b", "/o/r.git/info/refs?service=a//b"],
  ["/a%2F%2Fb//c", "/a%2F%2Fb/c"],
  ["//other.example/x", "/other.example/x"],
  ["http://forge.example//a", "http://forge.example/a"],
  ["/a/http://b", "/a/http:/b"],
  ["/a/b?c", "/a/b?c"],
])("joins adjacent slashes in the path of %s", (target, expected) => {
  expect(joinSlashes(target)).toBe(expected);
});

test.each(["/a//../b", "//a/..", "/a//%2e%2e//b", "/a/.//./../b"])("detects path traversal in %s after its slashes are joined", (path) => {
  expect(hasClimbingSegment(joinSlashes(path))).toBe(true);
});
