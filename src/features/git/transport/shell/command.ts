import { type GitAddress, type GitService, isGitService } from "../service/locate.ts";

/** A parsed client request. */
export type Command =
  | { readonly kind: "git"; readonly service: GitService; readonly address: GitAddress }
  | { readonly kind: "archive"; readonly address: GitAddress }
  | { readonly kind: "lfs"; readonly operation: "download" | "upload"; readonly address: GitAddress }
  | { readonly kind: "shell" };

/** `git-upload-pack 'owner/name.git'`, and the variants without quotes or with `git upload-pack`. */
const gitCommand = /^git[ -](upload-pack|receive-pack|upload-archive) (?:'([^']*)'|"([^"]*)"|(\S+))$/;
const lfsCommand = /^git-lfs-authenticate (?:'([^']*)'|"([^"]*)"|(\S+)) (download|upload)$/;
/** Names contain no other characters and no two consecutive dots. */
const path = /^\/?([0-9A-Za-z][\w.-]*)\/([\w.-]+?)\/?$/;

/**
 * Parses the command of an SSH request. Nothing is ever passed to a shell: anything but the supported commands is refused.
 * @returns the command, or a refusal for the user's terminal that does not repeat the input
 */
export function parseCommand(text: string | undefined): Command | { readonly refusal: string } {
  if (text === undefined || text === "") return { kind: "shell" };
  const [, verb, ...words] = gitCommand.exec(text) ?? [];
  const service = `git-${verb}`;
  const [, lfsSingle, lfsDouble, lfsBare, operation] = lfsCommand.exec(text) ?? [];
  const isArchive = verb === "upload-archive";
  const isLfs = operation === "download" || operation === "upload";
  if (!isGitService(service) && !isArchive && !isLfs)
    return { refusal: "This server runs only git-upload-pack, git-receive-pack, git-upload-archive and git-lfs-authenticate for a repository." };
  const given = isLfs ? [lfsSingle, lfsDouble, lfsBare] : words;
  const [, owner, repo] = path.exec(given.find((word) => word !== undefined) ?? "") ?? [];
  if (owner === undefined || repo === undefined || owner.includes("..") || repo.includes(".."))
    return { refusal: "Invalid repository path: expected owner/name.git." };
  const address = { owner, repo };
  if (isArchive) return { kind: "archive", address };
  return isLfs ? { kind: "lfs", operation, address } : { kind: "git", service: service as GitService, address };
}
