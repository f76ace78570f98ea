import type { Dispatcher } from "../../../events/dispatcher.ts";
import { type CommitReferenceDeps, noteCommits } from "./references/service/commit-references.ts";

/** Lets commits that are pushed speak to the issues that their messages name. */
export function listenForCommits(dispatcher: Dispatcher, deps: CommitReferenceDeps): void {
  dispatcher.on("issues: pushed commits", ["refs.changed"], ({ payload, actorId }) => noteCommits(deps, payload, actorId));
}
