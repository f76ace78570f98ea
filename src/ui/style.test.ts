import { globSync, readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { isBright } from "./labels.tsx";

const folder = new URL("./style/", import.meta.url);
const tokens = readFileSync(new URL("tokens.css", folder), "utf8");
const others = readdirSync(folder).filter((name) => name !== "tokens.css" && name !== "main.css");
const linesOf = (name: string): string[] =>
  readFileSync(new URL(name, folder), "utf8")
    .split("\n")
    .filter((line) => !/^\s*(?:\/\*|@media)/.test(line));

test("colors are defined in tokens.css only", () => {
  expect(others.length).toBeGreaterThan(5);
  const found = others.flatMap((name) =>
    linesOf(name)
      .filter((line) => /#[0-9a-f]{3,8}\b(?!.*\{)|\brgba?\(|\bhsla?\(|light-dark\(/i.test(line))
      .map((line) => `${name}: ${line.trim()}`),
  );
  expect(found).toEqual([]);
});

/** Colors outside the style sheets: what scanners and other sites read has no theme, and labels have colors of their own. */
const coloredSources = [
  "src/features/actions/runs/badge.ts",
  "src/features/collaboration/issues/planning/web/labels.tsx",
  "src/features/site/meta/site-pictures.ts",
  "src/ui/qr-code.tsx",
  "src/ui/texts/forms/english.ts",
  "src/ui/texts/forms/german.ts",
];

test("views, scripts and texts contain no colors", () => {
  const sources = globSync("src/{ui,features}/**/*.{ts,tsx,js}").filter((path) => !/\.test\.tsx?$/.test(path));
  expect(sources.length).toBeGreaterThan(500);
  const color = /#(?:[0-9a-f]{6}|[0-9a-f]{3})\b(?![^"'`]*\})|\brgba?\(|\bhsla?\(/i;
  const found = sources.filter((path) => color.test(readFileSync(path, "utf8").replace(/^\s*(?:\*|\/\/|\/\*).*$/gm, "")));
  expect(found.filter((path) => !coloredSources.includes(path))).toEqual([]);
});

test("distances, font sizes and radii are those of tokens.css", () => {
  const sized = /^\s*(?:padding|margin|gap|row-gap|column-gap|font-size|border-radius)(?:-[a-z-]+)?:[^;]*\d(?:rem|px)/;
  const found = others.flatMap((name) =>
    linesOf(name)
      .filter((line) => sized.test(line))
      .map((line) => `${name}: ${line.trim()}`),
  );
  // The space beside a button that a script puts onto a field.
  expect(found).toEqual(["scripts.css: padding-inline-end: 5.5rem;"]);
});

test("every variable that a rule uses is defined", () => {
  const sources = [tokens, ...others.map((name) => linesOf(name).join("\n"))];
  const defined = new Set(sources.flatMap((text) => [...text.matchAll(/^\s*(--[\w-]+):/gm)].map(([, name]) => name)));
  const used = others.flatMap((name) => linesOf(name).flatMap((line) => [...line.matchAll(/var\((--[\w-]+)/g)].map(([, one]) => one)));
  expect([...new Set(used)].filter((name) => !defined.has(name))).toEqual([]);
});

type Theme = "light" | "dark" | "light, more contrast" | "dark, more contrast";
const themes: readonly Theme[] = ["light", "dark", "light, more contrast", "dark, more contrast"];

/** The colors of a theme by name, as six hexadecimal digits. */
function colorsOf(theme: Theme): ReadonlyMap<string, string> {
  const [usual = "", more = ""] = tokens.split("@media (prefers-contrast: more)");
  const sources = theme.includes("more") ? [usual, more.slice(0, more.indexOf("\n}\n"))] : [usual];
  const values = new Map(sources.flatMap((text) => [...text.matchAll(/^\s*--([\w-]+): (.+);$/gm)].map(([, name = "", value = ""]) => [name, value] as const)));
  const resolve = (value: string): string | undefined => {
    const [, light, dark] = /^light-dark\(#([0-9a-f]{6}), #([0-9a-f]{6})\)$/.exec(value) ?? [];
    if (light !== undefined) return theme.startsWith("light") ? light : dark;
    const [, name] = /^var\(--([\w-]+)\)$/.exec(value) ?? [];
    // A variable that is redefined by itself or its neighbors refers to the values of the same theme.
    if (name !== undefined) return resolve(values.get(name) ?? "");
    const [, lightRgb = "", darkRgb = ""] = /^light-dark\(rgb\((.+)\), rgb\((.+)\)\)$/.exec(value) ?? [];
    if (lightRgb !== "") return mixed(theme.startsWith("light") ? lightRgb : darkRgb, resolve(values.get("bg") ?? "") ?? "");
    return /^#([0-9a-f]{6})$/.exec(value)?.[1];
  };
  return new Map([...values].flatMap(([name, value]) => (resolve(value) === undefined ? [] : [[name, resolve(value) ?? ""] as const])));
}

/** A color such as `255 214 51 / 0.28` over a background. */
function mixed(color: string, background: string): string {
  const [red = 0, green = 0, blue = 0, share = 1] = color.split(/[ /]+/).map(Number);
  return [red, green, blue]
    .map((part, at) => Math.round(part * share + Number.parseInt(background.slice(2 * at, 2 * at + 2), 16) * (1 - share)))
    .map((part) => part.toString(16).padStart(2, "0"))
    .join("");
}

/** WCAG 2.2: relative luminance. */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [0, 2, 4].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

const grounds = ["bg", "bg-muted", "bg-hover", "bg-inset", "bg-float"];
const meanings = ["accent", "success", "attention", "danger", "done"];
const code = ["code-keyword", "code-string", "code-number", "code-title", "code-name", "fg-muted", "fg"];
const series = [1, 2, 3, 4, 5, 6, 7].map((at) => `series-${at}`);

/** Pairs of a foreground and a background, and the least contrast: 4.5 for text, 3 for icons and borders with a meaning. */
const pairs: readonly (readonly [foreground: string, background: string, least: number])[] = [
  ...["fg", "fg-muted", "accent-fg", "success-fg", "danger-fg", "done-fg", "attention-fg"].flatMap((text) =>
    grounds.map((ground) => [text, ground, 4.5] as const),
  ),
  ...meanings.flatMap((one) => [[`${one}-fg`, `${one}-bg`, 4.5] as const, ["fg", `${one}-bg`, 4.5] as const]),
  ...["accent", "accent-hover", "success", "success-hover", "danger", "done", "draft"].map((ground) => ["on-emphasis", ground, 4.5] as const),
  // Notices contain links and secondary text.
  ...["accent-fg", "fg-muted"].flatMap((text) => meanings.map((one) => [text, `${one}-bg`, 4.5] as const)),
  ...code.flatMap((text) =>
    ["bg", "bg-muted", "added-bg", "removed-bg", "added-word", "removed-word", "selected", "marked"].map((ground) => [text, ground, 4.5] as const),
  ),
  ...["success-fg", "danger-fg"].flatMap((sign) => ["added-bg", "removed-bg"].map((ground) => [sign, ground, 4.5] as const)),
  ...grounds.filter((ground) => ground !== "bg-hover").map((ground) => ["border-control", ground, 3] as const),
  ...["bg", "bg-muted", "bg-hover"].map((ground) => ["ember", ground, 3] as const),
  ...series.map((one) => [one, "bg", 3] as const),
  ["heat-4", "bg", 3],
  ["age-4", "bg", 3],
  // The steps of a scale differ from their neighbors.
  ...[1, 2, 3, 4].flatMap((step) => [[`heat-${step}`, `heat-${step - 1}`, 1.15] as const, [`age-${step}`, `age-${step - 1}`, 1.15] as const]),
  // Cells of the heat map without a contribution, old lines and hairlines carry no meaning alone, but are visible.
  ["heat-0", "bg", 1.2],
  ["age-0", "bg", 1.25],
  ["border", "bg", 1.3],
  ["border", "bg-muted", 1.3],
  ["border-muted", "bg", 1.25],
  ["added-word", "added-bg", 1.2],
  ["removed-word", "removed-bg", 1.2],
];

/** Differences of dark colors are harder to see. */
const darkPairs: typeof pairs = [
  ["heat-0", "bg", 1.4],
  ["border", "bg", 1.5],
];

test.each(themes)("every pair of colors has enough contrast: %s", (theme) => {
  const colors = colorsOf(theme);
  const weak = [...pairs, ...(theme.startsWith("dark") ? darkPairs : [])].flatMap(([foreground, background, least]) => {
    const [one, other] = [colors.get(foreground), colors.get(background)];
    if (one === undefined || other === undefined) return [`${foreground} on ${background} is not defined`];
    const found = contrast(one, other);
    return found < least ? [`${foreground} on ${background}: ${found.toFixed(2)} < ${least}`] : [];
  });
  expect(weak).toEqual([]);
});

test("the name of a label is as readable on its scope as on its color", () => {
  const colors = Array.from({ length: 256 }, (_, part) => part.toString(16).padStart(2, "0").repeat(3));
  for (const theme of ["light", "dark"] as const) {
    const overlayOf = (name: string): string => {
      const [, light = "", dark = ""] = new RegExp(`--${name}: light-dark\\(rgb\\((.+)\\), rgb\\((.+)\\)\\);`).exec(tokens) ?? [];
      return theme === "light" ? light : dark;
    };
    const text = { bright: colorsOf(theme).get("label-on-bright") ?? "", dark: colorsOf(theme).get("label-on-dark") ?? "" };
    const weak = colors.filter((color) => {
      const isDarkText = isBright(color);
      // Dark pages show a color with 30 % of its strength.
      const ground =
        theme === "light"
          ? color
          : mixed(`${[0, 2, 4].map((at) => Number.parseInt(color.slice(at, at + 2), 16)).join(" ")} / 0.3`, colorsOf(theme).get("bg") ?? "");
      const scope = mixed(overlayOf(isDarkText ? "label-scope-bright" : "label-scope"), ground);
      return contrast(scope, isDarkText ? text.bright : text.dark) < 4.5;
    });
    expect([theme, weak]).toEqual([theme, []]);
  }
});
