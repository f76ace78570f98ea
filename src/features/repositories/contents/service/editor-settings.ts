import type { RepositorySubject } from "../../../../access/subjects.ts";
import { notFound } from "../../../../core/errors.ts";
import { findEntry, readBlob } from "../../../../git/objects/objects.ts";
import { codeStore } from "../../branches/service/deps.ts";
import { type EditorSettings, settingsFor } from "../editorconfig.ts";
import { findViewpoint, type ViewpointDeps } from "./viewpoint.ts";

const file = ".editorconfig";
const maxFileBytes = 128 * 1024;

/** The properties that the root `.editorconfig` sets for a path, which need not exist. @throws ForgeError `not_found` if there is no `.editorconfig` */
export async function readEditorSettings(
  deps: ViewpointDeps,
  repository: RepositorySubject,
  { path, rev }: { readonly path: string; readonly rev: string },
): Promise<EditorSettings> {
  const { commit } = await findViewpoint(deps, repository, rev);
  const store = codeStore(deps, repository);
  const entry = await findEntry(store, commit.treeOid, file);
  const isFile = entry?.mode === "100644" || entry?.mode === "100755";
  const blob = isFile ? await readBlob(store, entry.oid, maxFileBytes) : undefined;
  if (blob === undefined) throw notFound(undefined, { details: [`object does not exist [id: , rel_path: ${file}]`] });
  return settingsFor(blob.data?.toString("utf8") ?? "", path);
}
