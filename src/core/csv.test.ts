import { expect, test } from "vitest";
import { csvRow } from "./csv.ts";

test("a row quotes commas, quotes and line breaks, and disarms formulas", () => {
  expect(csvRow(["a", "b,c", 'say "hi"', "two\nlines", "", '=HYPERLINK("x")', "-1", "+1", "@x", "\tx"])).toBe(
    'a,"b,c","say ""hi""","two\nlines",,"\'=HYPERLINK(""x"")",\'-1,\'+1,\'@x,\'\tx\r\n',
  );
});
