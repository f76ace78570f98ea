import type { UserActor } from "../../../access/actor.ts";
import { formatTime } from "../../../core/time.ts";
import type { Urls } from "../../../core/urls.ts";
import type { NotificationSubject, NotificationThread } from "../../../wire/notification.ts";
import type { Repository } from "../../../wire/repository.ts";
import type { RepositoryView } from "../../repositories/repos/model.ts";
import { presentRepositories } from "../../repositories/repos/present.ts";
import type { ReleaseSubject, ThreadSubject, ThreadView } from "./model.ts";

/** Presents threads to one viewer (wire facts 4.11), except those about releases. A repository is presented once for all its threads. */
export function presentThreads(threads: readonly ThreadView[], viewer: UserActor, urls: Urls): NotificationThread[] {
  const views = [...new Map(threads.map(({ repository }) => [repository.id, repository])).values()];
  const repositories = new Map(presentRepositories(views, asOutsider(viewer), urls).map((repository) => [repository.id, withoutPermissions(repository)]));
  return threads.flatMap(({ subject, ...thread }) =>
    subject.type === "release"
      ? []
      : {
          id: thread.id,
          repository: repositories.get(thread.repoId) ?? null,
          subject: presentSubject(subject, thread.repository, urls),
          unread: thread.status === "unread",
          pinned: thread.status === "pinned",
          updated_at: formatTime(thread.updatedMs),
          url: urls.api("notifications", "threads", thread.id),
        },
  );
}

/** @compat the owner is presented as to other users, also to themselves (notifications/api.test.ts) */
const asOutsider = (viewer: UserActor): UserActor => ({ ...viewer, id: 0, isAdmin: false });

const withoutPermissions = ({ permissions: _, ...repository }: Repository): Repository => repository;

function presentSubject(subject: Exclude<ThreadSubject, ReleaseSubject>, repository: RepositoryView, urls: Urls): NotificationSubject {
  const path = [repository.owner.name, repository.name] as const;
  const stateless = { latest_comment_url: "", latest_comment_html_url: "", state: "" } as const;
  if (subject.type === "repository") {
    return { title: path.join("/"), url: urls.api("repos", ...path), html_url: urls.web(...path), ...stateless, type: "Repository" };
  }
  if (subject.type === "commit") {
    const { oid } = subject;
    return { title: oid, url: urls.api("repos", ...path, "git", "commits", oid), html_url: urls.web(...path, "commit", oid), ...stateless, type: "Commit" };
  }
  const { number, commentId, title, state } = subject;
  const isPull = subject.type === "pull";
  const page = urls.web(...path, isPull ? "pulls" : "issues", number);
  return {
    title,
    url: urls.api("repos", ...path, "issues", number),
    latest_comment_url: commentId === null ? "" : urls.api("repos", ...path, "issues", "comments", commentId),
    html_url: page,
    latest_comment_html_url: commentId === null ? "" : `${page}#issuecomment-${commentId}`,
    type: isPull ? "Pull" : "Issue",
    state,
  };
}
