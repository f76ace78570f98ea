import { expect, test } from "vitest";
import { hasClimbingSegment } from "./paths.ts";

test.each(["/a/../b", "/a/..", "/a/%2e%2e/b", "/a/%2E./b", "/a/..%2fb", "/a\\..\\b"])("%s climbs", (path) => expect(hasClimbingSegment(path)).toBe(true));
test.each(["/compare/main...topic", "/a/..b", "/a/b..", "/a/...", "/"])("%s does not", (path) => expect(hasClimbingSegment(path)).toBe(false));
