import { LRUCache } from "lru-cache";
import type { RepositorySubject } from "../../../../access/subjects.ts";
import { notFound } from "../../../../core/errors.ts";
import { readBlob } from "../../../../git/objects/objects.ts";
import type { Oid } from "../../../../git/types.ts";
import type { RenderContext } from "../../../site/markup/context.ts";
import { withoutForeignMedia } from "../../../site/markup/foreign-media.ts";
import type { Markup } from "../../../site/markup/service.ts";
import { codeStore } from "../../branches/service/deps.ts";
import type { ShownCell, ShownFile } from "../model.ts";
import { type Notebook, type NotebookPicture, picturesOf, readNotebook } from "../notebook.ts";
import { findRawFileBelow } from "./raw.ts";
import type { ViewpointDeps } from "./viewpoint.ts";

/** A notebook holds its pictures, so it may be larger than what else is shown. */
export const maxNotebookBytes = 4 * 1024 * 1024;

export const isNotebook = (path: string): boolean => /\.ipynb$/i.test(path);

/** Reads notebooks, each once for its page and all the pictures that the page asks for after it. */
export type NotebookReader = (oid: Oid, data: Buffer) => Notebook | undefined;

const keptNotebooks = 8;

export function createNotebookReader(): NotebookReader {
  const kept = new LRUCache<Oid, { readonly notebook: Notebook | undefined }>({ max: keptNotebooks });
  return (oid, data) => {
    const known = kept.get(oid) ?? { notebook: readNotebook(data.toString("utf8")) };
    kept.set(oid, known);
    return known.notebook;
  };
}

export interface NotebookDeps {
  readonly markup: Markup;
  readonly readNotebook: NotebookReader;
}

/** References in a notebook stay words: each text by itself would be looked up by itself. */
const noLinks = async (references: readonly unknown[]): Promise<boolean[]> => references.map(() => false);

/** A notebook with its texts rendered and its code coloured; undefined for what is none. No statement. */
export async function showNotebook({ markup, readNotebook }: NotebookDeps, oid: Oid, data: Buffer, context: RenderContext): Promise<ShownFile | undefined> {
  const notebook = readNotebook(oid, data);
  if (notebook === undefined) return undefined;
  const cells: ShownCell[] = [];
  // One after another: a long notebook takes no more of the workers than a short one.
  for (const cell of notebook.cells) {
    if (cell.kind === "markdown") {
      const html = await markup.renderMarkdown(cell.text, context, noLinks);
      cells.push({ kind: "markdown", html: withoutForeignMedia(html, context.origin) });
    } else if (cell.kind === "raw") cells.push({ kind: "raw", text: cell.text });
    else cells.push({ ...cell, html: cell.text === "" ? "" : await markup.highlight(cell.text, notebook.language) });
  }
  return { kind: "notebook", cells, isCut: notebook.isCut };
}

/** A picture of a notebook at a commit. @throws ForgeError `not_found` */
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
