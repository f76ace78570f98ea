import { sizeText } from "../../../../ui/texts/size.ts";

/** The cause of each failure, and what users can do. */
const failures = {
  blocked: "This server is not allowed to call this address. Ask an administrator to allow the host for migrations.",
  unknown_host: "The host name was not found. Check the spelling of the address.",
  connection_refused: "The host refused the connection. Check the port in the address, and whether the other server is running.",
  certificate:
    "The TLS certificate of the other server is not valid or not trusted. Check the host name in the address, or ask the administrator of that server.",
  unreachable: "The connection to the other server failed. Try again later.",
  timeout: "The other server did not respond in time. Try again later.",
  authentication:
    "The other server did not accept the sign-in. Check the address, and enter an access token, or a username and password, that can read the repository. Many servers answer like this also if there is no such repository.",
  not_found: "The other server has no repository at this address. Check the address. A private repository requires an access token.",
  protocol: "The address does not answer like a git server. Enter the address that you use with “git clone”.",
  status: ({ status }: { readonly status: number }) =>
    `The other server answered with an error (status ${status}). Try again later, or ask the administrator of that server.`,
  refused: "The other server refused to send the repository. The technical details contain its answer.",
  contents:
    "This server cannot accept the contents of the repository, for example because objects are damaged or missing. Repair the repository first: “git fsck” lists the problems.",
  too_large: ({ maxBytes }: { readonly maxBytes: number }) =>
    `The repository is larger than the limit of ${sizeText(maxBytes, "en")}. Make it smaller, or ask an administrator to raise the limit.`,
  owner_storage_limit: ({ maxBytes }: { readonly maxBytes: number }) =>
    `The repositories of this owner would exceed the limit of ${sizeText(maxBytes, "en")}. Delete data that is no longer needed, choose another owner, or ask an administrator to raise the limit.`,
  repository_limit: ({ max }: { readonly max: number }) =>
    `The owner has reached the limit of ${max} repositories. Delete a repository, choose another owner, or ask an administrator to raise the limit.`,
  repository_exists: "A repository with this name was created in the meantime. Choose another name.",
  not_permitted: "You are no longer allowed to create repositories for this owner. Choose another owner, or ask an owner of the organization.",
  owner_not_found: "The owner was deleted in the meantime. Choose another owner.",
  api: "The other server does not provide the issues and other data of this repository in the expected way. Check the kind of server, and whether the access token can read the repository. Code alone can be copied with the kind “any git server”.",
  rate_limit:
    "The other server limits the number of requests, and the limit lasts too long. Start again later, with an access token or with less data to copy.",
  too_many_items: "The other server has more issues and other data than can be copied. Choose less data to copy.",
  credentials_unreadable: "The encryption key of this server has changed, so that the stored credentials cannot be read. Start again and enter them.",
  server_stopped: "This server stopped during each attempt. Start again. If this happens again, contact an administrator.",
  server_error: "This server could not complete the migration because of an internal error. Try again later. If this happens again, contact an administrator.",
};

/** Migrating repositories from other servers. */
export const english = {
  title: "Migrate a repository",
  how: "Copies a repository from another server, with its branches and tags, and on request its issues and other data.",
  address: "Clone URL",
  addressHint: "The HTTPS address of a git repository, for example https://example.org/owner/name.git.",
  service: "Server",
  services: { git: "Any git server (code only)", gitea: "Gitea or Forgejo", github: "GitHub", gitlab: "GitLab" },
  token: "Access token",
  tokenHint: "Required for private repositories, and for issues on servers that limit anonymous requests. Deleted after the migration.",
  username: "Username",
  password: "Password",
  signIn: "Username and password",
  owner: "Owner",
  name: "Repository name",
  description: "Description",
  private: "Private",
  mirror: "Mirror the repository",
  mirrorHint: "The repository follows its source and cannot be pushed to. Issues and other data are not copied.",
  items: "Data to copy",
  itemsHint: "Issues, pull requests and releases require a server other than “any git server”.",
  wiki: "Wiki",
  lfs: "Git LFS files",
  labels: "Labels",
  milestones: "Milestones",
  issues: "Issues",
  pullRequests: "Pull requests",
  releases: "Releases",
  submit: "Start migration",
  list: "Your migrations",
  listHint: "Finished migrations are listed for seven days.",
  none: "No migrations",
  another: "Migrate another repository",
  progressOf: (name: string) => `Migration of ${name}`,
  from: "from",
  states: { waiting: "Waiting", running: "Running", done: "Done", failed: "Failed", cancelled: "Cancelled" },
  phases: {
    code: "Fetching commits",
    wiki: "Fetching the wiki",
    tracker: "Fetching issues, pull requests and releases",
    "large files": "Fetching Git LFS files",
    writing: "Writing the repository",
  },
  received: (size: string) => `${size} received`,
  resumes: "The other server limits the number of requests. The migration continues",
  stays: "The page is updated every few seconds. You can leave it: the migration continues.",
  cancel: "Cancel migration",
  cancelling: "The migration was cancelled, and its data is discarded.",
  open: "Open repository",
  failure: "The migration failed.",
  failureHint: "Check the address, the kind of server and the credentials, then start again.",
  failures,
  again: "Start again",
};
