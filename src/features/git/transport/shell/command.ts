import { type GitAddress, type GitService, isGitService } from "../service/locate.ts";

/** What a client asks for. */
export type Command =
  | { readonly kind: "git"; readonly service: GitService; readonly address: GitAddress }
  | { readonly kind: "archive"; readonly address: GitAddress }
  | { readonly kind: "lfs"; readonly operation: "download" | "upload"; readonly address: GitAddress }
  | { readonly kind: "shell" };

/** `git-upload-pack 'owner/name.git'`, and the spellings of clients that do not quote or that write `git upload-pack`. */
const gitCommand = /^git[ -](upload-pack|receive-pack|upload-archive) (?:'([^']*)'|"([^"]*)"|(\S+))$/;
const lfsCommand = /^git-lfs-authenticate (?:'([^']*)'|"([^"]*)"|(\S+)) (download|upload)$/;
/** Names hold no other characters, so a path of others names nothing; two dots in a row are in no name. */
const path = /^\/?([0-9A-Za-z][\w.-]*)\/([\w.-]+?)\/?$/;

/**
 * Reads what stands where a shell would find its command. Nothing here is ever given to a shell: what is not exactly one of the commands is refused.
 * @returns why not, for the person at the terminal; the words of the client are not repeated
 */
export function parseCommand(text: string | undefined): Command | { readonly refusal: string } {
  if (text === undefined || text === "") return { kind: "shell" };
  const [, verb, ...words] = gitCommand.exec(text) ?? [];
  const service = `git-${verb}`;
  const [, lfsSingle, lfsDouble, lfsBare, operation] = lfsCommand.exec(text) ?? [];
  const isArchive = verb === "upload-archive";
  const isLfs = operation === "download" || operation === "upload";
  if (!isGitService(service) && !isArchive && !isLfs)
    return { refusal: "This server runs git-upload-pack, git-receive-pack, git-upload-archive and git-lfs-authenticate for a repository, and nothing else." };
  const given = isLfs ? [lfsSingle, lfsDouble, lfsBare] : words;
  const [, owner, repo] = path.exec(given.find((word) => word !== undefined) ?? "") ?? [];
  if (owner === undefined || repo === undefined || owner.includes("..") || repo.includes(".."))
    return { refusal: "Invalid repository path: it is written owner/name.git." };
  const address = { owner, repo };
  if (isArchive) return { kind: "archive", address };
  return isLfs ? { kind: "lfs", operation, address } : { kind: "git", service: service as GitService, address };
}
