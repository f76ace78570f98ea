import { describe, expect, test } from "vitest";
import { createRouter, hasClimbingSegment, joinSlashes } from "./router.ts";

/** A router whose routes are identified by their paths; GET unless the path names another method. */
const routerOf = (...declared: string[]) =>
  createRouter(
    declared.map((one) => {
      const [path = "", method = "GET"] = one.split(" ").reverse();
      return { method, path, value: path };
    }),
  );

describe("path matching", () => {
  const router = routerOf("/", "/version", "/repos/{owner}/{repo}", "/repos/search/{what}", "/repos/{owner}/{repo}/keys/{id}", "DELETE /repos/{owner}/{repo}");

  test("finds a route and the values of its parameters", () => {
    expect(router.find("GET", "/")).toEqual({ value: "/", params: {} });
    expect(router.find("GET", "/version/")).toEqual({ value: "/version", params: {} });
    expect(router.find("GET", "/repos/o/r")).toEqual({ value: "/repos/{owner}/{repo}", params: { owner: "o", repo: "r" } });
    expect(router.find("GET", "/repos/o/r/keys/7")?.params).toEqual({ owner: "o", repo: "r", id: "7" });
  });

  test("prefers literal segments and falls back to a parameter", () => {
    expect(router.find("GET", "/repos/search/r")).toEqual({ value: "/repos/search/{what}", params: { what: "r" } });
    expect(router.find("GET", "/repos/search/r/keys/7")?.params).toEqual({ owner: "search", repo: "r", id: "7" });
  });

  test("decodes each segment, so that an encoded slash does not separate segments", () => {
    expect(router.find("GET", "/%76ersion")?.value).toBe("/version");
    expect(router.find("GET", "/repos/a%2Fb/%C3%A9")?.params).toEqual({ owner: "a/b", repo: "é" });
  });

  test.each(["/repos/o/r/keys", "/Version", "/repos/o/r/keys/7/8", "/repos/%zz/r"])("does not match %s", (path) => {
    expect(router.find("GET", path)).toBeUndefined();
    expect(router.methodsOf(path)).toEqual([]);
  });

  test("lists the methods of a path", () => {
    expect(router.methodsOf("/repos/o/r/")).toEqual(["GET", "DELETE"]);
    expect(router.find("POST", "/repos/o/r")).toBeUndefined();
  });
});

test("allows parameters with the names of object prototype members", () => {
  expect(routerOf("/a/{name}").find("GET", "/a/__proto__")?.params).toEqual({ name: "__proto__" });
  expect(routerOf("/a/{name}").find("GET", "/constructor/x")).toBeUndefined();
});

describe("segments of text and parameters", () => {
  const router = routerOf("/{username}", "/{username}.gpg", "/pulls/{index}", "/pulls/{index}.{diffType}");

  test("win over a plain parameter and match up to the last dot", () => {
    expect(router.find("GET", "/a.b.gpg")).toEqual({ value: "/{username}.gpg", params: { username: "a.b" } });
    expect(router.find("GET", "/a.b")).toEqual({ value: "/{username}", params: { username: "a.b" } });
    expect(router.find("GET", "/pulls/7.diff")?.params).toEqual({ index: "7", diffType: "diff" });
    expect(router.find("GET", "/pulls/7.zip")?.params).toEqual({ index: "7.zip" });
  });
});

describe("rest parameters", () => {
  const router = routerOf(
    "/r/commits",
    "/r/commits/{ref+}",
    "/r/commits/{ref+}/status",
    "/r/commits/{sha+}.{diffType}",
    "/r/contents/{path*}",
    "/r/{unit}/settings",
    "/r/{unit}/{path+}",
  );

  test("match slashes and distinguish routes by the text that follows", () => {
    expect(router.find("GET", "/r/commits/feature/x")).toEqual({ value: "/r/commits/{ref+}", params: { ref: "feature/x" } });
    expect(router.find("GET", "/r/commits/feature/x/status")).toEqual({ value: "/r/commits/{ref+}/status", params: { ref: "feature/x" } });
    expect(router.find("GET", "/r/commits/v1.0.patch")).toEqual({ value: "/r/commits/{sha+}.{diffType}", params: { sha: "v1.0", diffType: "patch" } });
  });

  test("may be empty if declared so", () => {
    expect(router.find("GET", "/r/contents")?.params).toEqual({ path: "" });
    expect(router.find("GET", "/r/contents/")?.params).toEqual({ path: "" });
    expect(router.find("GET", "/r/commits/")?.value).toBe("/r/commits");
  });

  test("have the lowest precedence", () => {
    expect(router.find("GET", "/r/code/settings")?.value).toBe("/r/{unit}/settings");
    expect(router.find("GET", "/r/code/settings/x")).toEqual({ value: "/r/{unit}/{path+}", params: { unit: "code", path: "settings/x" } });
  });

  test("are limited to one per path, followed by distinguishing segments only", () => {
    expect(() => routerOf("/a/{b+}/{c}")).toThrow("rest parameter");
    expect(() => routerOf("/a/{b+}/{c+}")).toThrow("rest parameter");
  });
});

test("reject two routes that nothing distinguishes", () => {
  expect(() => routerOf("/a/{b}", "/a/{c}")).toThrow("routes /a/{b} and /a/{c} both match the same GET requests");
  expect(() => routerOf("/a/{b+}", "/a/{c+}")).toThrow("both match");
  expect(() => routerOf("/a/{b}", "POST /a/{c}")).not.toThrow();
});

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
