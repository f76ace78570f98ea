import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

/** The icons used on pages, by their names in Octicons. */
const shown = `
alert archive arrow-right bell bell-slash blocked bold book calendar check check-circle chevron-down chevron-right circle-slash clock code
code-square columns command-palette comment copy cross-reference dash dot-fill download eye file file-binary file-code file-diff
file-directory-fill file-submodule file-symlink-file flame fold gear git-branch git-commit git-compare git-merge git-pull-request
git-pull-request-closed git-pull-request-draft globe graph heading history home image inbox info issue-closed issue-opened italic
kebab-horizontal key law light-bulb link link-external list-ordered list-unordered location lock milestone mirror no-entry organization
pencil people person person-add pin play plus pulse question quote reply repo repo-forked repo-push repo-template report rows rss search
shield-check sidebar-expand sign-in sign-out skip smiley star star-fill stop stopwatch sync tag tasklist trash triangle-down unfold unlock
upload verified x x-circle`
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
