import type { Actor } from "../../../../access/actor.ts";
import type { RepositorySubject } from "../../../../access/subjects.ts";
import type { Urls } from "../../../../core/urls.ts";
import { readBlob } from "../../../../git/objects/objects.ts";
import type { TreeEntry } from "../../../../git/types.ts";
import type { RenderContext } from "../../../site/markup/context.ts";
import { canRender } from "../../../site/markup/file-kinds.ts";
import type { ReferenceResolver } from "../../../site/markup/references.ts";
import { codeStore } from "../../branches/service/deps.ts";
import { languageOf } from "../code-language.ts";
import { imageTypeOf, isNamedImage } from "../image-type.ts";
import type { EntryView, OpenLargeFile, ShownFile, Viewpoint } from "../model.ts";
import { hasMoreLines, isText } from "../text-detection.ts";
import { maxImageBytes, showLarge } from "./large.ts";
import { isNotebook, maxNotebookBytes, type NotebookDeps, showNotebook } from "./notebook.ts";
import type { ViewpointDeps } from "./viewpoint.ts";

export interface ShowDeps extends ViewpointDeps, NotebookDeps {
  readonly urls: Pick<Urls, "origin">;
  readonly openLarge: OpenLargeFile;
  /** Resolves which references in text become links for a reader. */
  readonly resolverOf: (actor: Actor) => ReferenceResolver;
}

export interface Showing {
  readonly actor: Actor;
  readonly repository: RepositorySubject;
  readonly at: Viewpoint;
  /** Shows the source of a file that could be rendered. */
  readonly asSource: boolean;
}

/** Larger files are not shown, to keep pages usable in browsers. */
const maxShownBytes = 1024 * 1024;
/** The same for source code, where each line has a number. */
const maxShownLines = 100_000;

/**
 * A file as shown on a page: rendered, highlighted, or the reason why it is not shown. No statement except those for references, and one for
 * Git LFS files.
 */
export async function showFile(deps: ShowDeps, showing: Showing, file: EntryView): Promise<ShownFile> {
  if (file.pointer !== undefined) return showLarge(deps, { repoId: showing.repository.id, path: file.path, pointer: file.pointer });
  if (file.target !== undefined) return { kind: "link", target: file.target };
  const maxBytes = isNotebook(file.path) ? maxNotebookBytes : maxShownBytes;
  const data = file.sizeBytes > maxBytes ? undefined : (file.content ?? (await readBlob(codeStore(deps, showing.repository), file.oid, maxBytes))?.data);
  if (data === undefined) return isNamedImage(file.path) && file.sizeBytes <= maxImageBytes ? { kind: "image", isText: false } : { kind: "too large" };
  const image = imageTypeOf(file.path, data);
  const isVector = image === "image/svg+xml";
  if (image !== undefined && !(isVector && showing.asSource)) return { kind: "image", isText: isVector };
  return isText(data) ? showText(deps, showing, file, data) : { kind: "binary" };
}

async function showText(deps: ShowDeps, { actor, repository, at, asSource }: Showing, { path, oid }: EntryView, data: Buffer): Promise<ShownFile> {
  const context = contextOf(deps, repository, at, path);
  const notebook = isNotebook(path) && !asSource ? await showNotebook(deps, oid, data, context) : undefined;
  if (notebook !== undefined) return notebook;
  if (data.length > maxShownBytes) return { kind: "too large" };
  const text = data.toString("utf8");
  if (!asSource && canRender(path)) {
    return { kind: "rendered", html: await deps.pageTexts.renderFile(path, text, context, deps.resolverOf(actor)) };
  }
  if (hasMoreLines(data, maxShownLines)) return { kind: "too large" };
  const hasOtherForm = canRender(path) || isNotebook(path) || isNamedImage(path);
  return { kind: "code", text, html: await deps.markup.highlight(text, languageOf(path)), canRender: hasOtherForm };
}

const contextOf = ({ urls }: ShowDeps, { ownerName, name }: RepositorySubject, { kind, rev }: Viewpoint, path: string): RenderContext => ({
  kind: "document",
  origin: urls.origin,
  repository: { owner: ownerName, name },
  ref: `${kind}/${rev}`,
  folder: path.split("/").slice(0, -1).join("/"),
});

/** File names of readmes, in order of preference. */
const readmes = ["readme.md", "readme.markdown", "readme.org", "readme.txt", "readme"];

/** Finds the readme of a directory. */
export function findReadme<Entry extends Pick<TreeEntry, "mode" | "name">>(entries: readonly Entry[]): Entry | undefined {
  const found = entries.filter(({ mode, name }) => mode.startsWith("100") && /^readme(?:\.|$)/i.test(name));
  return readmes.map((readme) => found.find(({ name }) => name.toLowerCase() === readme)).find((entry) => entry !== undefined);
}
