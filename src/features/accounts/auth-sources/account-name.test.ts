import fc from "fast-check";
import { expect, test } from "vitest";
import { isValidUsername } from "../../../core/names.ts";
import { accountName } from "./account-name.ts";

test.each([
  ["alice", "alice"],
  ["alice@example.org", "alice"],
  ["Jürgen Groß", "Jurgen-Gro"],
  ["a..b", "a.b"],
  ["_x-_y.", "x_y"],
  ["CORP\\\\bob", "CORP-bob"],
  ["first last", "first-last"],
  ["x".repeat(60), "x".repeat(40)],
])("turns %s into %s", (text, name) => expect(accountName(text)).toBe(name));

test("does not turn letters of other scripts into Latin lookalikes", () => {
  expect(accountName("аdmin")).toBe("dmin");
  expect(accountName("Ａdmin")).toBe("dmin");
  expect(accountName("admin\u200b")).toBe("admin");
  expect(accountName("王")).toBe("");
});

test("returns a valid account name or an empty string", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      const name = accountName(text);
      expect(name === "" || isValidUsername(name)).toBe(true);
      expect(name.length).toBeLessThanOrEqual(40);
    }),
  );
});
