import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { assetUrl, isSourceTree } from "./assets.ts";

/** The style sheet of all pages. The build contains it as one minified file. */
export const style = isSourceTree ? joinSources() : readFileSync(assetUrl("style.css"), "utf8");

/** The name contains its digest, so browsers may cache it forever. */
export const styleFile = `hearth-${createHash("sha256").update(style).digest("hex").slice(0, 16)}.css`;
export const stylePath = `/assets/${styleFile}`;

/** Whether a name is that of the style sheet of any version. */
export const isStyleFile = (name: string): boolean => /^hearth-[0-9a-f]{16}\.css$/.test(name);

/** Joins the files that `style/main.css` imports, as the build does. */
function joinSources(): string {
  const read = (name: string): string => readFileSync(assetUrl(`style/${name}`), "utf8");
  return [...read("main.css").matchAll(/^@import "\.\/(.+)";$/gm)].map(([, name = ""]) => read(name)).join("");
}
