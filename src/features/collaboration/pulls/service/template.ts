import type { RepositorySubject } from "../../../../access/subjects.ts";
import { findEntry, readBlob } from "../../../../git/objects/objects.ts";
import { codeStore } from "../../../repositories/branches/service/deps.ts";
import { findViewpoint, type ViewpointDeps } from "../../../repositories/contents/service/viewpoint.ts";

/** Paths of the pull request template; the first existing one counts. */
const paths = [".gitea/", ".github/", "docs/", ""].flatMap((folder) =>
  ["PULL_REQUEST_TEMPLATE.md", "pull_request_template.md"].map((name) => `${folder}${name}`),
);
const maxFileBytes = 64 * 1024;

/** Initial text of a pull request from the default branch; empty without a template. No process. */
export async function readPullTemplate(deps: ViewpointDeps, repository: RepositorySubject): Promise<string> {
  if (repository.isEmpty) return "";
  const { commit } = await findViewpoint(deps, repository, "");
  const store = codeStore(deps, repository);
  for (const path of paths) {
    const entry = await findEntry(store, commit.treeOid, path);
    if (entry?.mode !== "100644" && entry?.mode !== "100755") continue;
    const text = (await readBlob(store, entry.oid, maxFileBytes))?.data?.toString("utf8") ?? "";
    // Removes front matter.
    return text.replace(/^---\r?\n.*?\r?\n---\r?\n/s, "").replaceAll("\r\n", "\n");
  }
  return "";
}
