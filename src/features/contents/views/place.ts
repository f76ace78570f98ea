import { h } from "preact";
import { codeSearchPath, editPath, historyPath, type RepositoryName, type RevName, sourcePath, withQuery } from "../../../ui/addresses.ts";
import type { Html } from "../../../ui/html.ts";
import { Icon } from "../../../ui/icons.ts";
import { type PathPage, RevMenu, type RevNames } from "../../../ui/rev-menu.ts";
import { useTexts } from "../../../ui/texts/texts.ts";

export interface PlaceFacts {
  readonly repository: RepositoryName;
  readonly at: RevName;
  readonly path: string;
}

interface PlaceBarFacts extends PlaceFacts {
  /** Shown at other commits, too. */
  readonly page?: Exclude<PathPage, "commits">;
  readonly revs: RevNames;
  readonly children?: Html;
}

/** At which commit, and where in its tree; each part leads there. */
export function PlaceBar({ page = "src", revs, children, ...place }: PlaceBarFacts): Html {
  const { code: texts } = useTexts();
  const { repository, at, path } = place;
  return h(
    "div",
    { class: "bar" },
    h(RevMenu, { ...place, page, revs }),
    h("h1", { class: "path" }, h(Steps, place)),
    h("span", { class: "end" }, h("a", { class: "button", href: historyPath(repository, at, path) }, h(Icon, { name: "history" }), texts.history), children),
  );
}

/** What can be done with a directory. */
export function DirectoryActions({ repository, at, path, canEdit }: PlaceFacts & { readonly canEdit: boolean }): Html {
  const { editing, search } = useTexts();
  return [
    h("a", { class: "button", href: withQuery(codeSearchPath(repository), { ref: at.rev }) }, h(Icon, { name: "search" }), search.title),
    canEdit &&
      at.kind === "branch" && [
        h("a", { class: "button", href: editPath(repository, "new", at.rev, path) }, h(Icon, { name: "plus" }), editing.newFile),
        h("a", { class: "button", href: editPath(repository, "upload", at.rev, path) }, h(Icon, { name: "upload" }), editing.upload),
        path !== "" && h("a", { class: "button", href: editPath(repository, "delete", at.rev, path) }, h(Icon, { name: "trash", label: editing.deleteFolder })),
      ],
  ];
}

function Steps({ repository, at, path }: PlaceFacts): Html {
  const names = path === "" ? [] : path.split("/");
  return [
    h("a", { href: sourcePath(repository, at) }, repository.name),
    names.map((name, index) => [
      " / ",
      index === names.length - 1 ? h("strong", null, name) : h("a", { href: sourcePath(repository, at, names.slice(0, index + 1).join("/")) }, name),
    ]),
  ];
}
