import type { UserActor } from "../../../../access/actor.ts";
import type { Reader } from "../../../../db/db.ts";
import { readableRepositories } from "../../../repositories/repos/service/visible.ts";
import {
  allOf,
  findAccount,
  listComments,
  listCommitComments,
  listEmails,
  listFollowed,
  listGpgKeys,
  listIssues,
  listMarked,
  listOrganizations,
  listPrincipals,
  listPublicKeys,
  listTokens,
  listWatched,
} from "../store/rows.ts";
import type { ExportedFile } from "../tar.ts";
import {
  presentAccount,
  presentComment,
  presentCommitComment,
  presentEmail,
  presentGpgKey,
  presentIssue,
  presentMarked,
  presentPrincipal,
  presentPublicKey,
  presentToken,
  presentWatched,
} from "./rows-as-json.ts";

export interface OwnFilesDeps {
  readonly db: Reader;
  /** All repositories of an owner as `hearth export` writes them, each in a folder of its own. */
  readonly exportRepositories: (owner: string) => AsyncIterable<ExportedFile>;
}

const formatVersion = 1;

/** The files of an account. The last one is only there if the download is complete. */
export async function* ownFiles({ db, exportRepositories }: OwnFilesDeps, actor: UserActor, nowMs: number): AsyncGenerator<ExportedFile> {
  const { id } = actor;
  const by = { accountId: id, isReadable: readableRepositories(actor) };
  const list = async <T>(path: string, rows: Promise<readonly T[]>, present: (row: T) => unknown): Promise<ExportedFile> => ({
    path,
    content: [linesOf(await rows, present)],
  });
  yield { path: "account.json", content: [linesOf([await findAccount(db, id)], presentAccount)] };
  yield await list("emails.jsonl", listEmails(db, id), presentEmail);
  yield await list("ssh_keys.jsonl", listPublicKeys(db, id), presentPublicKey);
  yield await list("ssh_principals.jsonl", listPrincipals(db, id), presentPrincipal);
  yield await list("gpg_keys.jsonl", listGpgKeys(db, id), presentGpgKey);
  yield await list("access_tokens.jsonl", listTokens(db, id), presentToken);
  yield await list("organizations.jsonl", listOrganizations(db, id), ({ name, is_public }) => ({ name, public: is_public === 1 }));
  yield await list("following.jsonl", listFollowed(db, id), ({ name }) => ({ login: name }));
  yield await list("stars.jsonl", listMarked(db, by, "stars"), presentMarked);
  yield await list("watches.jsonl", listWatched(db, by), presentWatched);
  yield await list("ignored_repositories.jsonl", listMarked(db, by, "ignored_repositories"), presentMarked);
  yield {
    path: "issues.jsonl",
    content: pagesOf(
      allOf((after) => listIssues(db, by, after)),
      presentIssue,
    ),
  };
  yield {
    path: "comments.jsonl",
    content: pagesOf(
      allOf((after) => listComments(db, by, after)),
      presentComment,
    ),
  };
  yield {
    path: "commit_comments.jsonl",
    content: pagesOf(
      allOf((after) => listCommitComments(db, by, after)),
      presentCommitComment,
    ),
  };
  for await (const { path, content } of exportRepositories(actor.name)) yield { path: `repositories/${path}`, content };
  const manifest = { format: "hearth-account", version: formatVersion, account: { id, login: actor.name }, created_at: new Date(nowMs).toISOString() };
  yield { path: "hearth-account.json", content: [Buffer.from(`${JSON.stringify(manifest)}\n`)] };
}

const linesOf = <T>(rows: readonly T[], present: (row: T) => unknown): Buffer => Buffer.from(rows.map((row) => `${JSON.stringify(present(row))}\n`).join(""));

async function* pagesOf<T>(pages: AsyncIterable<readonly T[]>, present: (row: T) => unknown): AsyncGenerator<Buffer> {
  for await (const rows of pages) yield linesOf(rows, present);
}
