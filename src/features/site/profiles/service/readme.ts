import type { Actor } from "../../../../access/actor.ts";
import { atLeast } from "../../../../access/repository.ts";
import { isForgeError } from "../../../../core/errors.ts";
import { type ReadDeps, readContentsAt } from "../../../repositories/contents/service/read.ts";
import { findReadme, type ShowDeps, showFile } from "../../../repositories/contents/service/show.ts";
import { findViewpoint } from "../../../repositories/contents/service/viewpoint.ts";
import { findRepository } from "../../../repositories/repos/service/find.ts";

/** @compat Gitea's name for the repository with the profile README (scenarios/pages-overview.test.ts) */
const profileRepository = ".profile";

/** The README of an account's profile repository as sanitized HTML, if the caller can read it. */
export async function loadProfileReadme(deps: ReadDeps & ShowDeps, actor: Actor, accountName: string): Promise<string | undefined> {
  try {
    const found = await findRepository(deps, accountName, profileRepository, actor);
    if (!("subject" in found)) return undefined;
    const repository = found.subject;
    if (repository.isEmpty || !atLeast(repository.right.unit("repo.code"), "read")) return undefined;
    const at = await findViewpoint(deps, repository, "");
    const root = await readContentsAt(deps, repository, at, { path: "", detail: { content: false, lfs: true, lastCommit: false } });
    const readme = "directory" in root.found ? findReadme(root.found.directory.map((entry) => ({ ...entry, name: entry.path }))) : undefined;
    const shown = readme && (await showFile(deps, { actor, repository, at, asSource: false }, readme));
    return shown?.kind === "rendered" ? shown.html : undefined;
  } catch (error) {
    if (isForgeError(error, "not_found")) return undefined;
    throw error;
  }
}
