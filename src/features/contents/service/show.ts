import type { Actor } from "../../../access/actor.ts";
import type { RepositorySubject } from "../../../access/subjects.ts";
import type { Urls } from "../../../core/urls.ts";
import { readBlob } from "../../../git/objects.ts";
import { codeStore } from "../../branches/service/deps.ts";
import type { RenderContext } from "../../markup/context.ts";
import { withoutForeignMedia } from "../../markup/foreign-media.ts";
import type { ReferenceResolver } from "../../markup/references.ts";
import { canRender, type Markup } from "../../markup/service.ts";
import { languageOf } from "../code-language.ts";
import { isText } from "../text-detection.ts";
import type { EntryView, ShownFile, Viewpoint } from "../view.ts";
import type { ViewpointDeps } from "./viewpoint.ts";

export interface ShowDeps extends ViewpointDeps {
  readonly markup: Markup;
  readonly urls: Pick<Urls, "origin">;
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

/** A file as people read it: rendered, coloured, or what keeps it from that. No statement but those that references need. */
export async function showFile(deps: ShowDeps, { actor, repository, at, asSource }: Showing, file: EntryView): Promise<ShownFile> {
  if (file.pointer !== undefined) return { kind: "large", sizeBytes: file.pointer.sizeBytes };
  if (file.target !== undefined) return { kind: "link", target: file.target };
  if (file.sizeBytes > maxShownBytes) return { kind: "too large" };
  const data = file.content ?? (await readBlob(codeStore(deps, repository), file.oid, maxShownBytes))?.data;
  if (data === undefined) return { kind: "too large" };
  if (!isText(data)) return { kind: "binary" };
  const text = data.toString("utf8");
  if (!asSource && canRender(file.path)) {
    const html = await deps.markup.renderFile(file.path, text, contextOf(deps, repository, at, file.path), deps.resolverOf(actor));
    return { kind: "rendered", html: withoutForeignMedia(html, deps.urls.origin) };
  }
  return { kind: "code", text, html: await deps.markup.highlight(text, languageOf(file.path)), canRender: canRender(file.path) };
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
export const findReadme = (entries: readonly EntryView[]): EntryView | undefined =>
  readmes
    .map((name) => entries.find((entry) => entry.mode.startsWith("100") && (entry.path.split("/").at(-1) ?? "").toLowerCase() === name))
    .find((entry) => entry !== undefined);
