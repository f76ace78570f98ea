import { expect, test } from "vitest";
import { acceptedLanguages } from "./page-reader.ts";

test.each([
  ["de-CH, fr;q=0.3, en;q=0.8", ["de-CH", "en", "fr"]],
  ["en", ["en"]],
  ["*, de;q=0", []],
  ["en;q=2, <script>, de;q=0.5", ["de"]],
  ["", []],
  [undefined, []],
])("Accept-Language: %s", (header, expected) => {
  expect(acceptedLanguages(header)).toEqual(expected);
});
