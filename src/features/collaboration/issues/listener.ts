import type { Dispatcher } from "../../../events/dispatcher.ts";
import { type CommitReferenceDeps, noteCommits } from "./references/service/commit-references.ts";

/** Processes the issue references in messages of pushed commits. */
export function listenForCommits(dispatcher: Dispatcher, deps: CommitReferenceDeps): void {
  dispatcher.on("issues: pushed commits", ["refs.changed"], ({ payload, actorId }) => noteCommits(deps, payload, actorId));
}
