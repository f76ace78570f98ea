import { LRUCache } from "lru-cache";
import type { RepositorySubject } from "../../../../access/subjects.ts";
import { notFound } from "../../../../core/errors.ts";
import { readBlob } from "../../../../git/objects/objects.ts";
import type { Oid } from "../../../../git/types.ts";
import type { RenderContext } from "../../../site/markup/context.ts";
import type { PageTexts } from "../../../site/markup/page-texts.ts";
import type { Markup } from "../../../site/markup/service.ts";
import { codeStore } from "../../branches/service/deps.ts";
import type { ShownCell, ShownFile } from "../model.ts";
import { type Notebook, type NotebookPicture, picturesOf, readNotebook } from "../notebook.ts";
import { findRawFileBelow } from "./raw.ts";
import type { ViewpointDeps } from "./viewpoint.ts";

/** Notebooks embed their images, so the limit exceeds that of other files. */
export const maxNotebookBytes = 4 * 1024 * 1024;

export const isNotebook = (path: string): boolean => /\.ipynb$/i.test(path);

/** Parses notebooks, with a cache for the page and its subsequent image requests. */
export type NotebookReader = (oid: Oid, data: Buffer) => Notebook | undefined;

const keptNotebooks = 8;

export function createNotebookReader(): NotebookReader {
  const kept = new LRUCache<Oid, { readonly notebook: Notebook | undefined }>({ max: keptNotebooks });
  return (oid, data) => {
    const known = kept.get(oid) ?? { notebook: readNotebook(data) };
    kept.set(oid, known);
    return known.notebook;
  };
}

export interface NotebookDeps {
  readonly markup: Pick<Markup, "highlight">;
  readonly pageTexts: PageTexts;
  readonly readNotebook: NotebookReader;
}

/** References in a notebook are not linked, because each cell would need its own lookup. */
const noLinks = async (references: readonly unknown[]): Promise<boolean[]> => references.map(() => false);

/** Renders the text and highlights the code of a notebook; undefined if the data is not a notebook. No statement. */
export async function showNotebook(
  { markup, pageTexts, readNotebook }: NotebookDeps,
  oid: Oid,
  data: Buffer,
  context: RenderContext,
): Promise<ShownFile | undefined> {
  const notebook = readNotebook(oid, data);
  if (notebook === undefined) return undefined;
  const cells: ShownCell[] = [];
  // Sequential, so that a long notebook occupies no more workers than a short one.
  for (const cell of notebook.cells) {
    if (cell.kind === "markdown") {
      cells.push({ kind: "markdown", html: await pageTexts.renderMarkdown(cell.text, context, noLinks) });
    } else if (cell.kind === "raw") cells.push({ kind: "raw", text: cell.text });
    else cells.push({ ...cell, html: cell.text === "" ? "" : await markup.highlight(cell.text, notebook.language) });
  }
  return { kind: "notebook", cells, isCut: notebook.isCut };
}

/** An image of a notebook at a commit. @throws ForgeError `not_found` */
export async function readNotebookPicture(
  deps: ViewpointDeps & Pick<NotebookDeps, "readNotebook">,
  repository: RepositorySubject,
  path: string,
  index: number,
): Promise<NotebookPicture> {
  const file = await findRawFileBelow(deps, repository, "commit", path);
  const data = isNotebook(file.name) ? (await readBlob(codeStore(deps, repository), file.oid, maxNotebookBytes))?.data : undefined;
  const notebook = data && deps.readNotebook(file.oid, data);
  const picture = notebook && picturesOf(notebook)[index];
  if (picture === undefined) throw notFound();
  return picture;
}
