import type { Clock } from "../../../../core/clock.ts";
import type { Page, Paged } from "../../../../core/paging.ts";
import type { Db, Reader, Tx } from "../../../../db/db.ts";
import type { EventInTransaction } from "../../../../events/events.ts";
import { namesOfStores } from "../../../repositories/repos/service/stores.ts";
import type { NewNotice, NoticeView } from "./model.ts";
import { deleteNotice, deleteNoticesBefore, deleteNoticesUpTo, insertNotices, loadRepositoryNames, pageNotices } from "./store.ts";

export const noticeEvents = ["job.failed", "mirror.failed", "hook.failed", "store.damaged"] as const;

type NoticeType = (typeof noticeEvents)[number];
type NoticeEvent = { readonly [Type in NoticeType]: EventInTransaction<Type> & { readonly type: Type } }[NoticeType];

/** Writes the notices of a transaction's failures, in that transaction. */
export async function writeNotices(tx: Tx, recorded: readonly EventInTransaction<NoticeType>[]): Promise<void> {
  // TypeScript does not relate the type of an event and its payload in a union of types.
  const events = recorded as readonly NoticeEvent[];
  const repositories = await loadRepositoryNames(
    tx,
    events.flatMap((event) => (event.type === "mirror.failed" ? [event.payload.repoId] : [])),
  );
  const stores = await namesOfStores(
    tx,
    events.flatMap((event) => (event.type === "store.damaged" ? [event.payload.storeId] : [])),
  );
  await insertNotices(
    tx,
    events.map((event) => ({ ...noticeOf(event, { repositories, stores }), createdMs: event.createdMs })),
  );
}

interface Names {
  readonly repositories: ReadonlyMap<number, string>;
  readonly stores: ReadonlyMap<number, string>;
}

function noticeOf(event: NoticeEvent, { repositories, stores }: Names): Omit<NewNotice, "createdMs"> {
  switch (event.type) {
    case "job.failed":
      return { kind: "job_failed", subject: `${event.payload.kind} ${event.payload.jobId}`, message: event.payload.error, owner: "" };
    case "mirror.failed": {
      const { address, reason, repoId } = event.payload;
      return { kind: "mirror_failed", subject: address, message: reason, owner: repositories.get(repoId) ?? "" };
    }
    case "hook.failed": {
      const { host, isSwitchedOff, ownerName } = event.payload;
      return { kind: isSwitchedOff ? "hook_deactivated" : "hook_failed", subject: host, message: "", owner: ownerName };
    }
    case "store.damaged":
      return { kind: "store_damaged", subject: `${event.payload.storeId}`, message: "", owner: stores.get(event.payload.storeId) ?? "" };
  }
}

export const listNotices = (deps: { readonly db: Reader }, page: Page): Promise<Paged<NoticeView>> => pageNotices(deps.db, page);

/** A notice that another administrator has deleted is no error. */
export const removeNotice = (deps: { readonly db: Db }, id: number): Promise<void> => deps.db.tx((tx) => deleteNotice(tx, id));

/** Deletes all notices up to the newest one that the administrator has seen. */
export const removeNoticesUpTo = (deps: { readonly db: Db }, id: number): Promise<void> => deps.db.tx((tx) => deleteNoticesUpTo(tx, id));

const keptMs = 90 * 86_400_000;

export const pruneNotices = ({ db, clock }: { readonly db: Db; readonly clock: Clock }): Promise<void> =>
  db.tx((tx) => deleteNoticesBefore(tx, clock.now() - keptMs));
