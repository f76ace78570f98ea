import type { Page } from "../../../../core/paging.ts";
import { accountPath, commitPath, issuePath, pullPath, type RepositoryName, releasePath, repositoryPath, withQuery } from "../../../../ui/addresses.ts";
import { Avatar } from "../../../../ui/avatar.tsx";
import { Empty, Pager } from "../../../../ui/blocks.tsx";
import { withoutMarks } from "../../../../ui/excerpt.ts";
import type { Html } from "../../../../ui/html.ts";
import { Icon } from "../../../../ui/icons.tsx";
import { FormToken } from "../../../../ui/page.tsx";
import { accountPaths } from "../../../../ui/settings.tsx";
import { useTexts } from "../../../../ui/texts/texts.ts";
import { Ago } from "../../../../ui/time.tsx";
import { StateIcon } from "../../issues/views/state.tsx";
import type { LatestNews, ThreadStatus, ThreadSubject, ThreadView } from "../model.ts";
import { notificationTexts } from "../texts/texts.ts";
import { subscriptionsPath } from "./subscriptions.tsx";
import { watchingPath } from "./watching.tsx";

export const inboxStates = ["unread", "pinned", "read", "all"] as const;
export type InboxState = (typeof inboxStates)[number];

export interface InboxProps {
  readonly threads: readonly ThreadView[];
  /** By thread. */
  readonly latest: ReadonlyMap<number, LatestNews>;
  readonly total: number;
  readonly page: Page;
  readonly state: InboxState;
  /** Only this repository; empty: all. */
  readonly repository: string;
  /** Undefined if the reader is not signed in with this browser, so nothing can be marked. */
  readonly formToken: string | undefined;
  readonly now: number;
}

export const inboxPath = (state: InboxState, repository: string, page = 1): string =>
  withQuery("/notifications", { status: state === "unread" ? undefined : state, repository, page: page === 1 ? undefined : page });

/** Notifications grouped by repository, with their actions. */
export function InboxView(props: InboxProps): Html {
  const { threads, total, page, state, repository } = props;
  const texts = useTexts(notificationTexts);
  const groups = Map.groupBy(threads, ({ repository: { owner, name } }) => `${owner.name}/${name}`);
  return (
    <>
      <div class="bar">
        <nav class="switch" aria-label={texts.whichStates}>
          {inboxStates.map((one) => (
            <a href={inboxPath(one, repository)} {...(one === state && { "aria-current": "page" })}>
              {texts.states[one]}
            </a>
          ))}
        </nav>
        <span class="end">
          <span class="soft">{texts.count(total)}</span>
          {state === "unread" && total > 0 && <MarkAll {...props} of={repository} />}
          <a href={subscriptionsPath}>{texts.subscriptions}</a>
          <a href={watchingPath}>{texts.watching}</a>
          <a class="button" href={accountPaths.notifications}>
            <Icon name="gear" label={texts.settings} />
          </a>
        </span>
      </div>
      {repository !== "" && (
        <p>
          {texts.onlyOf(repository)}
          {" · "}
          <a href={inboxPath(state, "")}>{texts.ofAll}</a>
        </p>
      )}
      {total === 0 && (
        <Empty icon="inbox" title={texts.none[state]}>
          <p>{texts.howTo}</p>
          <p>
            <a class="button" href="/explore/repos">
              {texts.look}
            </a>
          </p>
        </Empty>
      )}
      {[...groups].map(([name, group]) => (
        <Group {...props} name={name} group={group} />
      ))}
      <MarkSelected {...props} />
      <Pager path="/notifications" query={{ status: state === "unread" ? undefined : state, repository: repository || undefined }} page={page} total={total} />
    </>
  );
}

interface GroupProps extends InboxProps {
  readonly name: string;
  readonly group: readonly ThreadView[];
}

function Group({ name, group, ...props }: GroupProps): Html {
  const texts = useTexts(notificationTexts);
  return (
    <section class="box">
      <header>
        <h2>
          <a href={`/${name}`}>{name}</a>
        </h2>
        <span class="end">
          {props.repository === "" && (
            <a href={inboxPath(props.state, name)} aria-label={`${texts.onlyThis}: ${name}`}>
              {texts.onlyThis}
            </a>
          )}
          {props.state === "unread" && props.repository === "" && <MarkAll {...props} of={name} />}
        </span>
      </header>
      <ul class="commits">
        {group.map((thread) => (
          <Thread {...props} thread={thread} />
        ))}
      </ul>
    </section>
  );
}

function MarkAll({ of, formToken, state, repository }: InboxProps & { readonly of: string }): Html {
  const texts = useTexts(notificationTexts);
  if (formToken === undefined) return null;
  return (
    <form method="post" action="/notifications/read">
      <FormToken value={formToken} />
      <input type="hidden" name="repository" value={of} />
      <input type="hidden" name="back" value={inboxPath(state, repository)} />
      <button class="plain" type="submit" {...(of !== "" && { "aria-label": `${texts.markAll}: ${of}` })}>
        {texts.markAll}
      </button>
    </form>
  );
}

const selectionForm = "selected-notifications";

/** The states that the selected threads can be given. */
const selectable = {
  unread: ["read", "pinned"],
  pinned: ["read", "unread"],
  read: ["unread", "pinned"],
  all: ["read", "unread", "pinned"],
} as const satisfies Record<InboxState, readonly ThreadStatus[]>;

/** Buttons for all selected threads. Styles show them while something is selected. */
function MarkSelected({ formToken, threads, state, repository, page }: InboxProps): Html {
  const texts = useTexts(notificationTexts);
  if (formToken === undefined || threads.length === 0) return null;
  const labels = { read: texts.markRead, unread: texts.markUnread, pinned: texts.pin };
  return (
    <form id={selectionForm} class="selection" method="post" action="/notifications/selected">
      <FormToken value={formToken} />
      <input type="hidden" name="back" value={inboxPath(state, repository, page.page)} />
      <span class="soft">{texts.ofSelected}</span>
      {selectable[state].map((status) => (
        <button type="submit" name="status" value={status} aria-label={`${texts.ofSelected} ${labels[status]}`}>
          {labels[status]}
        </button>
      ))}
    </form>
  );
}

const icons = { commit: "git-commit", release: "tag", repository: "repo" } as const;

/** The subject; for issues and pull requests with their state. */
function Subject({ subject }: { readonly subject: ThreadSubject }): Html {
  if (!("number" in subject)) return <Icon name={icons[subject.type]} />;
  const { type, state, title } = subject;
  return <StateIcon issue={{ isPull: type === "pull", isClosed: state !== "open", mergedMs: state === "merged" ? 0 : null, title }} />;
}

function pathOf(subject: ThreadSubject, repository: RepositoryName): string {
  if (subject.type === "commit") return commitPath(repository, subject.oid);
  if (subject.type === "repository") return repositoryPath(repository);
  if (subject.type === "release") return releasePath(repository, subject.tagName);
  const page = (subject.type === "pull" ? pullPath : issuePath)(repository, subject.number);
  return subject.commentId === null ? page : `${page}#issuecomment-${subject.commentId}`;
}

function Thread({ thread, ...props }: InboxProps & { readonly thread: ThreadView }): Html {
  const texts = useTexts(notificationTexts);
  const { subject, status, reason, repository, updatedMs } = thread;
  const title = "title" in subject ? subject.title : subject.type === "commit" ? `${texts.commit} ${subject.oid.slice(0, 10)}` : texts.given;
  return (
    <li class={status}>
      {props.formToken !== undefined && (
        <input class="tick-box" type="checkbox" name="ids" value={thread.id} form={selectionForm} aria-label={texts.select(title)} />
      )}
      <div class="what">
        <Subject subject={subject} />{" "}
        <a href={pathOf(subject, { ownerName: repository.owner.name, name: repository.name })} dir="auto">
          {title}
        </a>
        <div class="who">
          {"number" in subject && `#${subject.number} · `}
          {subject.type === "release" && `${texts.release} · `}
          {reason !== undefined && `${texts.reasons[reason]} · `}
          <Ago ms={updatedMs} now={props.now} />
        </div>
        <Latest latest={props.latest.get(thread.id)} />
      </div>
      {marksOf(status).map(([label, to]) => (
        <Mark {...props} thread={thread} title={title} to={to} label={texts[label]} />
      ))}
    </li>
  );
}

/** Characters of a comment shown in the list. */
const shownLength = 140;

/** The first words of a comment, without the texts that it quotes and the marks of its format. */
function excerpt(content: string): string {
  const own = withoutMarks(content.replace(/^\s*(?:>.*|```.*)$/gm, ""));
  const words = own.replace(/\s+/g, " ").trim();
  return words.length <= shownLength ? words : `${words.slice(0, shownLength).toWellFormed().trimEnd()}…`;
}

function Latest({ latest }: { readonly latest: LatestNews | undefined }): Html {
  if (latest === undefined) return null;
  const { author, content } = latest;
  const words = excerpt(content);
  return (
    <div class="who">
      <span class="face">
        <Avatar account={author} size={16} />
        <a href={accountPath(author.name)}>{author.name}</a>
      </span>
      {words !== "" && <span dir="auto">{` ${words}`}</span>}
    </div>
  );
}

/** Actions for a thread in this state, with the resulting state. */
function marksOf(status: ThreadStatus): readonly (readonly ["pin" | "unpin" | "markRead" | "markUnread", ThreadStatus])[] {
  if (status === "pinned") return [["unpin", "read"]];
  return [["pin", "pinned"], status === "read" ? ["markUnread", "unread"] : ["markRead", "read"]];
}

interface MarkProps extends InboxProps {
  readonly thread: ThreadView;
  readonly title: string;
  readonly to: ThreadStatus;
  readonly label: string;
}

const Mark = ({ thread, title, to, label, formToken, state, repository, page }: MarkProps): Html =>
  formToken !== undefined && (
    <form method="post" action={`/notifications/${thread.id}`}>
      <FormToken value={formToken} />
      <input type="hidden" name="status" value={to} />
      <input type="hidden" name="back" value={inboxPath(state, repository, page.page)} />
      <button class="plain" type="submit" aria-label={`${label}: ${title}`}>
        {label}
      </button>
    </form>
  );
