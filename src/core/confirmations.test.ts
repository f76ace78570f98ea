import { expect, test } from "vitest";
import { readConfirmation } from "./confirmations.ts";

test("a page confirms what its address names, and nothing else", () => {
  const found = ["/x", "/x?saved=true", "/x?page=2&saved=deleted", "/x?saved=connected#end", "/x?saved=nonsense", "/x?unsaved=true"].map(readConfirmation);
  expect(found).toEqual([undefined, "saved", "deleted", "connected", undefined, undefined]);
});
