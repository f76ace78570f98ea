import { describe, expect, test } from "vitest";
import { isCalled, nameOfFile, nameOfTitle } from "./page-name.ts";

describe("names of a wiki page", () => {
  test.each([
    ["Home", "Home", "Home.md"],
    ["Home Page", "Home-Page", "Home-Page.md"],
    ["How To/Use", "How-To%2FUse", "How-To%2FUse.md"],
    ["100% Free", "100%25-Free", "100%25-Free.md"],
    ["2026-01-02 notes", "2026-01-02+notes.-", "2026-01-02 notes.-.md"],
    ["read.md", "read.md.-", "read.md.-.md"],
    ["C++", "C%2B%2B", "C%2B%2B.md"],
    ["日本", "%E6%97%A5%E6%9C%AC", "%E6%97%A5%E6%9C%AC.md"],
    ["it's (so)!", "it%27s-%28so%29%21", "it%27s-%28so%29%21.md"],
    ["_Sidebar", "_Sidebar", "_Sidebar.md"],
    ["-x", "-x.-", "-x.-.md"],
  ])("title, slug and file name of %j are derived from each other", (title, slug, file) => {
    expect(nameOfTitle(title)).toEqual({ title, slug, file });
    expect(nameOfFile(file)).toEqual({ title, slug, file });
  });

  test.each([
    ["Foo Bar.md", "Foo Bar", "Foo+Bar"],
    ["C++.md", "C++", "C%2B%2B"],
    ["50%.md", "50%", "50%25"],
    ["日本.md", "日本", "%E6%97%A5%E6%9C%AC"],
  ])("the file %j with a foreign name has a title and a slug", (file, title, slug) => {
    expect(nameOfFile(file)).toEqual({ title, slug, file });
  });

  test("only Markdown files are pages", () => {
    for (const file of [".md", "notes.txt", "Home.markdown", "md"]) expect(nameOfFile(file)).toBeUndefined();
  });

  test.each(["", "   ", "../../x", "a/../b", "..", ".", "a\\..\\b", ".git", "x/.GIT", "a\nb", "nul\0", "_pages", "_new", "_edit", "raw", "x".repeat(260)])(
    "%j is not a valid title",
    (title) => expect(() => nameOfTitle(title)).toThrow(expect.objectContaining({ code: "malformed" })),
  );

  test("a URL can use any name of a page", () => {
    const page = nameOfTitle("How To/Use");
    for (const called of ["How-To%2FUse", "How-To/Use", "How To/Use"]) expect(isCalled(page, called)).toBe(true);
    for (const called of ["how-to/use", "Use", "How-To"]) expect(isCalled(page, called)).toBe(false);
  });
});
