import type { UserActor } from "../../../../access/actor.ts";
import type { RepositorySubject } from "../../../../access/subjects.ts";
import type { Clock } from "../../../../core/clock.ts";
import { conflict, locked, malformed, notFound, tooLarge } from "../../../../core/errors.ts";
import type { KeyedMutex } from "../../../../core/keyed-mutex.ts";
import type { Urls } from "../../../../core/urls.ts";
import type { Db } from "../../../../db/db.ts";
import type { EventMap } from "../../../../events/events.ts";
import { recordEvent } from "../../../../events/events.ts";
import { editTree, type TreeChange } from "../../../../git/merge/tree-edit.ts";
import { newCommit, type SignObject } from "../../../../git/objects/format.ts";
import { newBlobInTurns } from "../../../../git/objects/hash.ts";
import { writeObjects } from "../../../../git/objects/write.ts";
import type { GitObject } from "../../../../git/types.ts";
import { gitIdentity } from "../../../accounts/users/git-identity.ts";
import { getStore } from "../../refs/service/stores.ts";
import { requireRoomFor } from "../../repos/service/sizes.ts";
import type { WikiPageDetails, WikiPageInput } from "../model.ts";
import { nameOfTitle, type PageName } from "../page-name.ts";
import { viewPage, type WikiDeps } from "./read.ts";
import { ensureWikiStore, moveWikiRefs } from "./refs.ts";
import { findPage, findTip, readTip, type WikiTip } from "./tip.ts";

export interface WikiChangeDeps extends WikiDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly urls: Pick<Urls, "host">;
  readonly branchQueue: KeyedMutex;
  /** Signs commits that users make under their own names; undefined if the server does not sign. */
  readonly commitSigner: { readonly sign: SignObject } | undefined;
}

/** Operation `repoCreateWikiPage`. @throws ForgeError `malformed` for an invalid title or one in use, `too_large` */
export async function createPage(deps: WikiChangeDeps, actor: UserActor, repository: RepositorySubject, input: WikiPageInput): Promise<WikiPageDetails> {
  const page = nameOfTitle(input.title);
  const blob = await newBlobInTurns(repository.objectFormat, checkSize(deps, input.content));
  const tip = await commitChange(deps, actor, repository, (present) => {
    requireFree(present, page);
    const message = input.message === "" ? `Add "${page.title}"` : input.message;
    return { message, steps: [put(page, blob)], blobs: [blob], event: { type: "wiki.created", payload: eventOf(repository, page, message) } };
  });
  return viewChanged(deps, tip, page);
}

/**
 * Edits a page, and renames it if a title is given. @compat an unknown page is created (wiki/api.test.ts).
 * Operation `repoEditWikiPage`. @throws ForgeError as {@link createPage}
 */
export async function editPage(
  deps: WikiChangeDeps,
  actor: UserActor,
  repository: RepositorySubject,
  called: string,
  input: WikiPageInput,
): Promise<WikiPageDetails> {
  const wantedPage = input.title === "" ? undefined : nameOfTitle(input.title);
  const blob = await newBlobInTurns(repository.objectFormat, checkSize(deps, input.content));
  let page: PageName | undefined;
  const tip = await commitChange(deps, actor, repository, (present) => {
    const former = present && findPage(present, called);
    // A page that keeps its title keeps its file, even with a file name from a push.
    const target = former !== undefined && (wantedPage === undefined || wantedPage.slug === former.slug) ? former : (wantedPage ?? nameOfTitle(called));
    page = target;
    if (target !== former) requireFree(present, target);
    const message = input.message === "" ? `Update "${target.title}"` : input.message;
    const payload = eventOf(repository, target, message);
    const removal: TreeChange[] = former === undefined || former.file === target.file ? [] : [{ kind: "remove", path: former.file }];
    return {
      message,
      steps: [...removal, put(target, blob)],
      blobs: [blob],
      event: former === undefined ? { type: "wiki.created", payload } : { type: "wiki.edited", payload: { ...payload, formerPage: former.slug } },
    };
  });
  if (page === undefined) throw notFound();
  return viewChanged(deps, tip, page);
}

/** Operation `repoDeleteWikiPage`. @throws ForgeError `not_found` */
export async function deletePage(deps: WikiChangeDeps, actor: UserActor, repository: RepositorySubject, called: string): Promise<void> {
  await commitChange(deps, actor, repository, (present) => {
    const page = present && findPage(present, called);
    if (page === undefined) throw notFound();
    const message = `Delete page "${page.title}"`;
    return {
      message,
      steps: [{ kind: "remove", path: page.file }],
      blobs: [],
      event: { type: "wiki.deleted", payload: eventOf(repository, page, message) },
    };
  });
}

const put = ({ file }: PageName, { oid }: GitObject): TreeChange => ({ kind: "put", path: file, mode: "100644", oid });

const eventOf = ({ id }: RepositorySubject, { slug, title }: PageName, message: string) => ({ repoId: id, page: slug, title, message });

function requireFree(present: WikiTip | undefined, { file, slug }: PageName): void {
  if (present?.pages.some((page) => page.slug === slug || page.file === file))
    throw malformed(`wiki page already exists [title: ${file}]`, { reason: "page_exists" });
}

function checkSize({ config }: WikiDeps, content: Buffer): Buffer {
  const maxBytes = config.repositories.max_file_bytes;
  if (content.length > maxBytes) throw tooLarge(`the page exceeds the limit of ${maxBytes} bytes`, { reason: { code: "page_too_large", maxBytes } });
  return content;
}

async function viewChanged(deps: WikiDeps, tip: WikiTip, { file }: PageName): Promise<WikiPageDetails> {
  const page = tip.pages.find((one) => one.file === file);
  if (page === undefined) throw notFound();
  return viewPage(deps, tip, page);
}

type PageEventType = "wiki.created" | "wiki.edited" | "wiki.deleted";

interface PlannedChange {
  readonly message: string;
  readonly steps: readonly TreeChange[];
  readonly blobs: readonly GitObject[];
  readonly event: { [Type in PageEventType]: { readonly type: Type; readonly payload: EventMap[Type] } }[PageEventType];
}

/** Plans the change of the present wiki; called again if the wiki changed concurrently. */
type Plan = (present: WikiTip | undefined) => PlannedChange;

/** Attempts in the presence of concurrent pushes. */
const maxAttempts = 10;

/**
 * Commits a change of pages by compare-and-set, so concurrent commits are never lost. @returns the resulting wiki
 * @throws ForgeError `locked` for a mirror, whose wiki follows its source
 */
async function commitChange(deps: WikiChangeDeps, actor: UserActor, repository: RepositorySubject, plan: Plan): Promise<WikiTip> {
  if (repository.isMirror) throw locked(`${repository.fullName} is a mirror`, { reason: "repository_mirror" });
  return deps.branchQueue.run(`wiki:${repository.id}`, async () => {
    // Checked before the store is created, so that a rejected change leaves no wiki behind.
    if (repository.wikiStoreId === null) plan(undefined);
    const wikiStoreId = await ensureWikiStore(deps, repository, deps.config.repositories.default_branch);
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      const tip = await tryChange(deps, actor, { ...repository, wikiStoreId }, plan);
      if (tip !== undefined) return tip;
    }
    throw conflict("the wiki changes faster than this change can be added to it: try again", { reason: "busy" });
  });
}

/** Undefined if the wiki changed while the objects were written. */
async function tryChange(
  deps: WikiChangeDeps,
  actor: UserActor,
  repository: RepositorySubject & { readonly wikiStoreId: number },
  plan: Plan,
): Promise<WikiTip | undefined> {
  const row = await getStore(deps.db, repository.wikiStoreId);
  if (row === undefined) throw notFound();
  const store = deps.git.store(row.id, row.format, row.packsVersion);
  const present = await findTip(deps, repository);
  const { message, steps, blobs, event } = plan(present);
  const { treeOid, objects } = await editTree(store, present?.commit.treeOid, steps);
  const signature = { ...gitIdentity(actor, deps.urls), seconds: Math.floor(deps.clock.now() / 1000), offsetMinutes: 0 };
  const parentOids = present === undefined ? [] : [present.commit.oid];
  const commit = newCommit(store.format, { treeOid, parentOids, author: signature, committer: signature, message }, deps.commitSigner?.sign);
  await requireRoomFor(deps, repository.ownerId, blobs);
  const receipt = await writeObjects(store, [...blobs, ...objects, commit]);
  const tip = { type: "commit", peeledOid: "", tipMs: signature.seconds * 1000 } as const;
  const update = { name: row.headRef, oldOid: present?.commit.oid ?? null, newOid: commit.oid, ...tip };
  const hasMoved = await deps.db.tx(async (tx) => {
    const { moved } = await moveWikiRefs(tx, { repoId: repository.id, storeId: row.id, mode: "each", updates: [update], receipt });
    if (moved.length > 0) await recordEvent(tx, event.type, event.payload, { repoId: repository.id, actorId: actor.id });
    return moved.length > 0;
  });
  return hasMoved ? readTip(store, commit.oid) : undefined;
}
