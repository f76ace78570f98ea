import { isUser } from "../../../../access/actor.ts";
import type { RawReply } from "../../../../http/answers.ts";
import { query } from "../../../../http/query.ts";
import { defineRoute, type Route } from "../../../../http/route.ts";
import type { GitAddress } from "../../transport/service/locate.ts";
import { presentLock } from "../present.ts";
import { readLockId, textOf } from "../protocol.ts";
import type { LfsDeps } from "../service/deps.ts";
import { type LocatedForLfs, locateForLfs } from "../service/locate.ts";
import { lockPath, maxLocksPerPage, pageLocks, unlock } from "../service/locks.ts";
import { answer, callerOf, common, type LfsRequest, readFields, reply, wrongType } from "./answers.ts";

const pageSize = (limit: number): number => (Number.isSafeInteger(limit) && limit > 0 ? Math.min(limit, maxLocksPerPage) : maxLocksPerPage);
const cursorOf = (nextId: number | undefined) => (nextId === undefined ? {} : { next_cursor: String(nextId) });

interface Upload extends LocatedForLfs {
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Answers a request with fields, by a caller who may upload. */
const answerUpload = (deps: LfsDeps, request: LfsRequest & { readonly params: GitAddress }, work: (upload: Upload) => Promise<RawReply>): Promise<RawReply> =>
  answer(deps, "message", async () => {
    const fields = await readFields(request, deps.config.limits.json_bytes);
    if (fields === undefined) return wrongType();
    return work({ ...(await locateForLfs(deps, callerOf(request), request.params, "upload")), fields });
  });

/** LFS file locks (git-lfs, docs/api/locking.md). */
export function lfsLockRoutes(deps: LfsDeps): readonly Route[] {
  return [
    defineRoute({
      ...common,
      id: "lfsListLocks",
      method: "GET",
      path: "/{owner}/{repo}/info/lfs/locks",
      summary: "List the locks of a repository",
      query: {
        path: query.text("Only the lock of this path"),
        id: query.text("this lock alone"),
        cursor: query.text("The cursor from the previous page"),
        limit: query.text("Maximum number of results"),
      },
      handle: (request) =>
        answer(deps, "message", async () => {
          const caller = callerOf(request);
          if (caller.authorization === undefined && !isUser(caller.actor)) return reply(401, { message: "You must have pull access to list locks" });
          const { repository } = await locateForLfs(deps, caller, request.params, "download");
          const { path, id, cursor, limit } = request.query;
          const filter = { path, id: id === undefined ? undefined : readLockId(id), fromId: readLockId(cursor ?? ""), limit: pageSize(Number(limit)) };
          const { locks, nextId } = await pageLocks(deps, repository, filter);
          return reply(200, { locks: locks.map(presentLock), ...cursorOf(nextId) });
        }),
    }),
    defineRoute({
      ...common,
      id: "lfsCreateLock",
      method: "POST",
      path: "/{owner}/{repo}/info/lfs/locks",
      summary: "Lock a file",
      streamsBody: true,
      handle: (request) =>
        answerUpload(deps, request, async ({ actor, repository, fields }) => {
          const { lock, isTaken } = await lockPath(deps, actor, repository, textOf(fields.path));
          return isTaken ? reply(409, { message: "already created lock", lock: presentLock(lock) }) : reply(201, { lock: presentLock(lock) });
        }),
    }),
    defineRoute({
      ...common,
      id: "lfsVerifyLocks",
      method: "POST",
      path: "/{owner}/{repo}/info/lfs/locks/verify",
      summary: "List the caller's locks and those of others",
      streamsBody: true,
      handle: (request) =>
        answerUpload(deps, request, async ({ actor, repository, fields }) => {
          const filter = { path: undefined, id: undefined, fromId: readLockId(textOf(fields.cursor)), limit: pageSize(Number(fields.limit)) };
          const { locks, nextId } = await pageLocks(deps, repository, filter);
          const own = (isOwn: boolean) => locks.filter(({ ownerId }) => (isUser(actor) && ownerId === actor.id) === isOwn).map(presentLock);
          return reply(200, { ours: own(true), theirs: own(false), ...cursorOf(nextId) });
        }),
    }),
    defineRoute({
      ...common,
      id: "lfsDeleteLock",
      method: "POST",
      path: "/{owner}/{repo}/info/lfs/locks/{id}/unlock",
      summary: "Unlock a file",
      streamsBody: true,
      handle: (request) =>
        answerUpload(deps, request, async ({ actor, repository, fields }) => {
          const lock = await unlock(deps, actor, repository, readLockId(request.params.id), fields.force === true);
          return reply(200, { lock: presentLock(lock) });
        }),
    }),
  ];
}
