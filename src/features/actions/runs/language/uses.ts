/** A workflow file that a job calls. */
export interface Uses {
  /** Undefined: the repository of the calling file, at its commit. */
  readonly repository?: { readonly owner: string; readonly name: string; readonly ref: string };
  readonly path: string;
}

/** @returns undefined for an invalid text */
export function parseUses(text: string): Uses | undefined {
  const local = /^\.\/(\.(?:gitea|github)\/workflows\/[^/@]+\.ya?ml)$/.exec(text);
  if (local !== null) return { path: local[1] ?? "" };
  const remote = /^([^/@]+)\/([^/@]+)\/(\.(?:gitea|github)\/workflows\/[^/@]+\.ya?ml)@(.{1,255})$/.exec(text);
  if (remote === null) return undefined;
  const [, owner = "", name = "", path = "", ref = ""] = remote;
  return { repository: { owner, name, ref }, path };
}
