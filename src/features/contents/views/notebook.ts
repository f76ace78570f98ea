import { h } from "preact";
import { notebookPicturePath, type RepositoryName } from "../../../ui/addresses.ts";
import { Rendered } from "../../../ui/blocks.ts";
import type { Html } from "../../../ui/html.ts";
import { Revealed, revealedHtml } from "../../../ui/revealed.ts";
import { useTexts } from "../../../ui/texts/texts.ts";
import type { NotebookOutput } from "../notebook.ts";
import type { ShownCell } from "../view.ts";

export interface NotebookFacts {
  readonly repository: RepositoryName;
  /** The commit that it is looked at. */
  readonly oid: string;
  readonly path: string;
  readonly cells: readonly ShownCell[];
  readonly isCut: boolean;
}

/** The cells of a notebook below each other. */
export function NotebookView({ cells, isCut, ...place }: NotebookFacts): Html {
  const { code: texts } = useTexts();
  return h(
    "div",
    { class: "notebook" },
    cells.map((cell) => h(Cell, { place, cell })),
    isCut && h("p", { class: "notice" }, texts.notebookCut),
  );
}

type Place = Omit<NotebookFacts, "cells" | "isCut">;

function Cell({ place, cell }: { readonly place: Place; readonly cell: ShownCell }): Html {
  if (cell.kind === "markdown") return h(Rendered, { html: cell.html });
  if (cell.kind === "raw") return h("pre", null, h(Revealed, { text: cell.text }));
  const { text, html, count, outputs } = cell;
  return h(
    "div",
    { class: "cell" },
    h("span", { class: "soft count", "aria-hidden": "true" }, `[${count ?? " "}]`),
    h("pre", null, html === undefined ? h("code", null, h(Revealed, { text })) : h("code", { dangerouslySetInnerHTML: { __html: revealedHtml(html) } })),
    outputs.map((output) => h("div", { class: "output" }, h(Output, { place, output }))),
  );
}

function Output({ place, output }: { readonly place: Place; readonly output: NotebookOutput }): Html {
  const { code: texts } = useTexts();
  switch (output.kind) {
    case "text":
      return h("pre", null, h(Revealed, { text: output.text }));
    case "error":
      return h("pre", { class: "bad" }, h(Revealed, { text: output.text }));
    case "image": {
      const { repository, oid, path } = place;
      const { index, text } = output.picture;
      return h("img", { src: notebookPicturePath(repository, oid, path, index), alt: text === "" ? texts.notebookPicture : text, loading: "lazy" });
    }
    case "other":
      return h("p", { class: "soft" }, texts.notShown(output.type));
  }
}
