import { expect, test } from "vitest";
import { createUrls, signInPath } from "./urls.ts";

const urls = createUrls(() => "https://git.example.org");

test("URLs keep slashes and encode characters that a path cannot contain", () => {
  expect(urls.api("repos", "o", "r", "contents", "a b/ü?#%.txt")).toBe("https://git.example.org/api/v1/repos/o/r/contents/a%20b/%C3%BC%3F%23%25.txt");
  expect(urls.web("o", "r", "src", "branch", "feature/x@1:2")).toBe("https://git.example.org/o/r/src/branch/feature/x@1:2");
});

test("a string with lone surrogates does not throw", () => {
  expect(urls.web("\ud800")).toBe("https://git.example.org/%EF%BF%BD");
});

test.each([
  ["/alice/site?token=secret&tab=a%26b", "/alice/site?tab=a%26b"],
  ["/alice/site?access_token=secret", "/alice/site"],
  ["/alice/site?%74oken=secret", "/alice/site"],
  ["/alice/site?q=token", "/alice/site?q=token"],
])("the return path after sign-in contains no credentials: %s", (wanted, kept) => {
  expect(signInPath(wanted)).toBe(`/user/login?redirect_to=${encodeURIComponent(kept)}`);
});
