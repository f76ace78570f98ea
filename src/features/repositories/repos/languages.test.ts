import { describe, expect, test } from "vitest";
import { countFiles, isCounted, languageOf, type SizedFile, summarise } from "./languages.ts";

describe("language of a file", () => {
  test.each([
    ["src/main.ts", "TypeScript"],
    ["a/b.tsx", "TypeScript"],
    ["MAIN.GO", "Go"],
    ["lib/x.spec.js", "JavaScript"],
    ["x.d.ts", "TypeScript"],
    ["Makefile", "Makefile"],
    ["Dockerfile", "Dockerfile"],
    ["CMakeLists.txt", "CMake"],
    ["a.rs", "Rust"],
    ["a.h", "C"],
    ["a.hpp", "C++"],
    ["a.m", "Objective-C"],
    ["a.pl", "Perl"],
    ["index.html", "HTML"],
    ["x.html.erb", "HTML"],
    ["a.css", "CSS"],
    ["README.md", undefined],
    ["data.json", undefined],
    ["a.yml", undefined],
    ["dump.sql", undefined],
    ["x.txt", undefined],
    ["noending", undefined],
    [".gitignore", undefined],
    ["a.b.c.d.e.f.py", "Python"],
    ["constructor", undefined],
    ["x.__proto__", undefined],
    ["", undefined],
  ])("%s is %s", async (path, language) => {
    expect(await languageOf(path)).toBe(language);
  });

  test.each([
    ["#!/bin/sh\n", "Shell"],
    ["#!/usr/bin/env python3\n", "Python"],
    ["#! /usr/bin/env -S FOO=1 node --flag\n", "JavaScript"],
    ["#!/usr/bin/perl -w", "Perl"],
    ["no such line", undefined],
    ["#!", undefined],
    ["\u0000#!/bin/sh", undefined],
  ])("the first line %j means %s", async (text, language) => {
    expect(await languageOf("bin/tool", Buffer.from(text))).toBe(language);
  });

  test("an extension takes precedence over a first line", async () => {
    expect(await languageOf("notes.txt", Buffer.from("#!/bin/sh\n"))).toBeUndefined();
  });
});

test.each([
  ["src/a.ts", true],
  ["vendor/x/y.go", false],
  ["web/node_modules/x/index.js", false],
  ["dist/a.js", false],
  ["public/jquery-3.7.1.min.js", false],
  ["api/v1/x.pb.go", false],
  ["docs/conf.py", false],
  ["Docs/conf.py", false],
  [".yarn/releases/yarn-4.cjs", false],
  ["releases/yarn-4.cjs", true],
  ["test/data/x.py", false],
  ["data/x.py", true],
  ["vendor", true],
  ["examples/a.rb", false],
  ["test/fixtures/x.js", false],
  ["test/x.js", true],
  ["lib/distance.js", true],
  ["src/generate.ts", true],
])("whether %s counts: %s", (path, expected) => {
  expect(isCounted(path)).toBe(expected);
});

describe("languages of a repository", () => {
  const languagesOf = async (...parts: readonly (readonly SizedFile[])[]) => summarise(await Promise.all(parts.map(countFiles)));

  test("bytes are summed per language, largest first, without data, prose and third-party code", async () => {
    const files = [
      { path: "a.ts", sizeBytes: 10 },
      { path: "b.tsx", sizeBytes: 5 },
      { path: "c.go", sizeBytes: 100 },
      { path: "README.md", sizeBytes: 1000 },
      { path: "vendor/d.go", sizeBytes: 1000 },
      { path: "empty.py", sizeBytes: 0 },
    ];
    expect(await languagesOf(files)).toEqual([
      { language: "Go", bytes: 100 },
      { language: "TypeScript", bytes: 15 },
    ]);
    expect(await languagesOf([])).toEqual([]);
  });

  test("headers are assigned to the language of the other sources", async () => {
    const header = { path: "a.h", sizeBytes: 7 };
    expect(await languagesOf([header])).toEqual([{ language: "C", bytes: 7 }]);
    expect(await languagesOf([header], [{ path: "a.cc", sizeBytes: 1 }])).toEqual([{ language: "C++", bytes: 8 }]);
    expect(await languagesOf([header, { path: "a.c", sizeBytes: 2 }, { path: "a.cc", sizeBytes: 1 }])).toEqual([
      { language: "C", bytes: 9 },
      { language: "C++", bytes: 1 },
    ]);
    expect(await languagesOf([header, { path: "a.mm", sizeBytes: 1 }, { path: "a.m", sizeBytes: 1 }])).toEqual([
      { language: "Objective-C", bytes: 8 },
      { language: "Objective-C++", bytes: 1 },
    ]);
  });

  test("a hundred thousand paths are counted", async () => {
    const files = Array.from({ length: 100_000 }, (_, at) => ({ path: `src/module-${at % 500}/deeper/folder/file-${at}.ts`, sizeBytes: 1 }));
    expect(await languagesOf(files)).toEqual([{ language: "TypeScript", bytes: 100_000 }]);
  });
});
