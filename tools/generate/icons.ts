import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

/** The icons used on pages, by their names in Octicons. */
const shown = `
alert archive arrow-right book check check-circle chevron-down chevron-right circle-slash clock code comment copy download eye file
file-binary file-code file-directory-fill file-submodule file-symlink-file flame gear git-branch git-commit git-compare git-merge
git-pull-request git-pull-request-closed git-pull-request-draft graph history home inbox issue-closed issue-opened key law link link-external
location lock milestone mirror organization people person pin plus pulse question repo repo-forked repo-template rss search shield-check
sign-in sign-out star star-fill tag trash unlock upload x`
  .trim()
  .split(/\s+/);

interface Octicon {
  readonly heights: Readonly<Record<string, { readonly ast: { readonly children: readonly { readonly attributes: { readonly d?: string } }[] } }>>;
}

/** src/ui/icon-shapes.json: outlines by name, on a 16 by 16 grid. */
export function makeIconShapes(): string {
  const file = createRequire(import.meta.url).resolve("@primer/octicons/build/data.json");
  const octicons = JSON.parse(readFileSync(file, "utf8")) as Readonly<Record<string, Octicon>>;
  const shapes = shown.map((name) => {
    const outline = octicons[name]?.heights["16"]?.ast.children.map(({ attributes }) => attributes.d ?? "").join("") ?? "";
    if (outline === "") throw new Error(`icon ${name} does not exist`);
    return [name, outline] as const;
  });
  return `${JSON.stringify(Object.fromEntries(shapes), null, 2)}\n`;
}
