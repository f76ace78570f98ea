import type { Actor } from "../../../../access/actor.ts";
import type { RepositorySubject } from "../../../../access/subjects.ts";
import type { Urls } from "../../../../core/urls.ts";
import { readBlob } from "../../../../git/objects/objects.ts";
import type { RenderContext } from "../../../site/markup/context.ts";
import { withoutForeignMedia } from "../../../site/markup/foreign-media.ts";
import type { ReferenceResolver } from "../../../site/markup/references.ts";
import { canRender } from "../../../site/markup/service.ts";
import { codeStore } from "../../branches/service/deps.ts";
import { languageOf } from "../code-language.ts";
import { imageTypeOf, isNamedImage } from "../image-type.ts";
import type { EntryView, OpenLargeFile, ShownFile, Viewpoint } from "../model.ts";
import { isText } from "../text-detection.ts";
import { maxImageBytes, showLarge } from "./large.ts";
import { isNotebook, maxNotebookBytes, type NotebookDeps, showNotebook } from "./notebook.ts";
import type { ViewpointDeps } from "./viewpoint.ts";

export interface ShowDeps extends ViewpointDeps, NotebookDeps {
  readonly urls: Pick<Urls, "origin">;
  readonly openLarge: OpenLargeFile;
  /** Which references of a text become links for a reader. */
  readonly resolverOf: (actor: Actor) => ReferenceResolver;
}

export interface Showing {
  readonly actor: Actor;
  readonly repository: RepositorySubject;
  readonly at: Viewpoint;
  /** A file that has a rendering is shown as it is written. */
  readonly asSource: boolean;
}

/** More than a page holds that a browser scrolls through. */
const maxShownBytes = 1024 * 1024;

/** A file as people read it: rendered, coloured, or what keeps it from that. No statement but those that references need, and one for what git lfs keeps. */
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
    const html = await deps.markup.renderFile(path, text, context, deps.resolverOf(actor));
    return { kind: "rendered", html: withoutForeignMedia(html, deps.urls.origin) };
  }
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

/** Names under which a directory explains itself, the best first. */
const readmes = ["readme.md", "readme.markdown", "readme.org", "readme.txt", "readme"];

/** The file that explains a directory. */
export const findReadme = <Entry extends Pick<EntryView, "mode" | "path">>(entries: readonly Entry[]): Entry | undefined =>
  readmes
    .map((name) => entries.find((entry) => entry.mode.startsWith("100") && (entry.path.split("/").at(-1) ?? "").toLowerCase() === name))
    .find((entry) => entry !== undefined);
