import { expect, test } from "vitest";
import { defineTexts, languageFor, renderIn, textsFor, useLanguage, useTexts } from "./texts.ts";

const texts = defineTexts({
  english: { open: "Open", files: (count: number) => `${count} files` },
  german: { open: "Offen", files: (count) => `${count} Dateien` },
});

test("chooses the first preferred language that pages have, and English without one", () => {
  expect([["de-AT", "en"], ["fr", "DE"], ["en-GB", "de"], ["fr"], []].map(languageFor)).toEqual(["de", "de", "en", "en", "en"]);
  expect(textsFor(texts, ["de-DE"]).files(2)).toBe("2 Dateien");
});

test("renders in a language until the rendering returns or throws", () => {
  const nested = renderIn("de", () => [useLanguage(), renderIn("en", () => useTexts(texts).open), useTexts(texts).open]);
  expect(nested).toEqual(["de", "Open", "Offen"]);
  const fail = (): never => {
    throw new Error(useTexts(texts).open);
  };
  expect(() => renderIn("de", fail)).toThrow("Offen");
  expect(useTexts(texts).open).toBe("Open");
});

test("a text that a language lacks does not compile", () => {
  // @ts-expect-error the German texts lack `close`
  defineTexts({ english: { open: "Open", close: "Close" }, german: { open: "Offen" } });
  // @ts-expect-error the English texts lack `close`
  defineTexts({ english: { open: "Open" }, german: { open: "Offen", close: "Schließen" } });
});
