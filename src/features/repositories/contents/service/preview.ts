import type { Actor, UserActor } from "../../../../access/actor.ts";
import type { RepositorySubject } from "../../../../access/subjects.ts";
import { isForgeError } from "../../../../core/errors.ts";
import { hunksBetween, type TextHunk } from "../../../../core/line-diff.ts";
import type { Urls } from "../../../../core/urls.ts";
import { canRender } from "../../../site/markup/file-kinds.ts";
import type { PageTexts } from "../../../site/markup/page-texts.ts";
import type { ReferenceResolver } from "../../../site/markup/references.ts";
import { readEditorSettings } from "./editor-settings.ts";
import { cleanPath } from "./tree-plan.ts";
import type { ViewpointDeps } from "./viewpoint.ts";

export interface PreviewDeps {
  readonly urls: Pick<Urls, "origin">;
  readonly pageTexts: Pick<PageTexts, "renderFile">;
  readonly resolverOf: (actor: Actor) => ReferenceResolver;
}

/** The result of a change, before its commit. */
export interface ChangePreview {
  readonly path: string;
  readonly hunks: readonly TextHunk[];
  /** The rendered file; undefined for files that are shown as source. */
  readonly html: string | undefined;
}

export interface PreviewInput {
  readonly branch: string;
  readonly path: string;
  /** Empty for a new file. */
  readonly before: string;
  readonly after: string;
}

/** Renders a change that is not committed yet. No statement except those for references. */
export async function previewChange(
  deps: PreviewDeps,
  actor: UserActor,
  { ownerName, name }: RepositorySubject,
  { branch, path, before, after }: PreviewInput,
): Promise<ChangePreview> {
  const clean = cleanPath(path);
  const context = {
    kind: "document",
    origin: deps.urls.origin,
    repository: { owner: ownerName, name },
    ref: `branch/${branch}`,
    folder: clean.split("/").slice(0, -1).join("/"),
  } as const;
  return {
    path: clean,
    hunks: hunksBetween(linesOf(before), linesOf(after)),
    html: canRender(clean) ? await deps.pageTexts.renderFile(clean, after, context, deps.resolverOf(actor)) : undefined,
  };
}

function linesOf(text: string): readonly string[] {
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

/** The indentation of a file. */
export interface Indentation {
  readonly indent: string;
  readonly tabSize: number;
}

const usualIndentation: Indentation = { indent: "  ", tabSize: 4 };
const maxIndent = 16;

/** The indentation that `.editorconfig` sets for a path. */
export async function indentationOf(deps: ViewpointDeps, repository: RepositorySubject, rev: string, path: string): Promise<Indentation> {
  if (repository.isEmpty) return usualIndentation;
  try {
    const settings = await readEditorSettings(deps, repository, { path, rev });
    const size = numberIn(settings.get("indent_size")) ?? usualIndentation.indent.length;
    const tabSize = numberIn(settings.get("tab_width")) ?? numberIn(settings.get("indent_size")) ?? usualIndentation.tabSize;
    return { indent: settings.get("indent_style") === "tab" ? "\t" : " ".repeat(size), tabSize };
  } catch (error) {
    if (isForgeError(error, "not_found")) return usualIndentation;
    throw error;
  }
}

function numberIn(text = ""): number | undefined {
  const value = /^\d{1,2}$/.test(text) ? Number(text) : 0;
  return value >= 1 && value <= maxIndent ? value : undefined;
}
