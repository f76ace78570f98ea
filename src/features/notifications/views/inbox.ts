import { h } from "preact";
import type { Page } from "../../../core/paging.ts";
import { commitPath, issuePath, pullPath, type RepositoryName, repositoryPath, withQuery } from "../../../ui/addresses.ts";
import { Empty, Pager } from "../../../ui/blocks.ts";
import type { Html } from "../../../ui/html.ts";
import { Icon } from "../../../ui/icons.ts";
import { FormToken } from "../../../ui/page.ts";
import { useTexts } from "../../../ui/texts/texts.ts";
import { Ago } from "../../../ui/time.ts";
import { StateIcon } from "../../issues/views/state.ts";
import type { ThreadStatus, ThreadSubject, ThreadView } from "../view.ts";

export const inboxStates = ["unread", "pinned", "read", "all"] as const;
export type InboxState = (typeof inboxStates)[number];

export interface InboxFacts {
  readonly threads: readonly ThreadView[];
  readonly total: number;
  readonly page: Page;
  readonly state: InboxState;
  /** Only those of this repository; empty: of all. */
  readonly repository: string;
  /** Undefined where nobody has signed in with this browser: nothing can be marked then. */
  readonly formToken: string | undefined;
  readonly now: number;
}

export const inboxPath = (state: InboxState, repository: string, page = 1): string =>
  withQuery("/notifications", { status: state === "unread" ? undefined : state, repository, page: page === 1 ? undefined : page });

/** What is new, a repository at a time, each with what can be done about it. */
export function InboxView(facts: InboxFacts): Html {
  const { threads, total, page, state, repository } = facts;
  const { inbox: texts } = useTexts();
  const groups = Map.groupBy(threads, ({ repository: { owner, name } }) => `${owner.name}/${name}`);
  return [
    h(
      "div",
      { class: "bar" },
      h(
        "nav",
        { class: "switch", "aria-label": texts.whichStates },
        inboxStates.map((one) => h("a", { href: inboxPath(one, repository), ...(one === state && { "aria-current": "page" }) }, texts.states[one])),
      ),
      h(
        "span",
        { class: "end" },
        h("span", { class: "soft" }, texts.count(total)),
        state === "unread" && total > 0 && h(MarkAll, { ...facts, of: repository }),
      ),
    ),
    repository !== "" && h("p", null, texts.onlyOf(repository), " · ", h("a", { href: inboxPath(state, "") }, texts.ofAll)),
    total === 0 &&
      h(
        Empty,
        { icon: "inbox", title: texts.none[state] },
        h("p", null, texts.howTo),
        h("p", null, h("a", { class: "button", href: "/explore/repos" }, texts.look)),
      ),
    [...groups].map(([name, group]) => h(Group, { ...facts, name, group })),
    h(Pager, { path: "/notifications", query: { status: state === "unread" ? undefined : state, repository: repository || undefined }, page, total }),
  ];
}

interface GroupFacts extends InboxFacts {
  readonly name: string;
  readonly group: readonly ThreadView[];
}

function Group({ name, group, ...facts }: GroupFacts): Html {
  const { inbox: texts } = useTexts();
  return h(
    "section",
    { class: "box" },
    h(
      "header",
      null,
      h("h2", null, h("a", { href: `/${name}` }, name)),
      h(
        "span",
        { class: "end" },
        facts.repository === "" && h("a", { href: inboxPath(facts.state, name) }, texts.onlyOf(name)),
        facts.state === "unread" && facts.repository === "" && h(MarkAll, { ...facts, of: name }),
      ),
    ),
    h(
      "ul",
      { class: "commits" },
      group.map((thread) => h(Thread, { ...facts, thread })),
    ),
  );
}

function MarkAll({ of, formToken, state, repository }: InboxFacts & { readonly of: string }): Html {
  const { inbox: texts } = useTexts();
  if (formToken === undefined) return null;
  return h(
    "form",
    { method: "post", action: "/notifications/read" },
    h(FormToken, { value: formToken }),
    h("input", { type: "hidden", name: "repository", value: of }),
    h("input", { type: "hidden", name: "back", value: inboxPath(state, repository) }),
    h("button", { class: "plain", type: "submit" }, of === "" ? texts.markAll : texts.markAllOf(of)),
  );
}

/** What it is; of issues and pull requests also how they stand. */
function Subject({ subject }: { readonly subject: ThreadSubject }): Html {
  if (!("number" in subject)) return h(Icon, { name: subject.type === "commit" ? "git-commit" : "repo" });
  const { type, state, title } = subject;
  return h(StateIcon, { issue: { isPull: type === "pull", isClosed: state !== "open", mergedMs: state === "merged" ? 0 : null, title } });
}

function pathOf(subject: ThreadSubject, repository: RepositoryName): string {
  if (subject.type === "commit") return commitPath(repository, subject.oid);
  if (subject.type === "repository") return repositoryPath(repository);
  const page = (subject.type === "pull" ? pullPath : issuePath)(repository, subject.number);
  return subject.commentId === null ? page : `${page}#issuecomment-${subject.commentId}`;
}

function Thread({ thread, ...facts }: InboxFacts & { readonly thread: ThreadView }): Html {
  const { inbox: texts } = useTexts();
  const { subject, status, repository, updatedMs } = thread;
  const title = "title" in subject ? subject.title : subject.type === "commit" ? `${texts.commit} ${subject.oid.slice(0, 10)}` : texts.given;
  return h(
    "li",
    { class: status },
    h(
      "div",
      { class: "what" },
      h(Subject, { subject }),
      " ",
      h("a", { href: pathOf(subject, { ownerName: repository.owner.name, name: repository.name }), dir: "auto" }, title),
      h("div", { class: "who" }, "number" in subject && `#${subject.number} · `, h(Ago, { ms: updatedMs, now: facts.now })),
    ),
    marksOf(status).map(([label, to]) => h(Mark, { ...facts, thread, title, to, label: texts[label] })),
  );
}

/** What can be done about a thread in this state, and the state that it is in then. */
function marksOf(status: ThreadStatus): readonly (readonly ["pin" | "unpin" | "markRead" | "markUnread", ThreadStatus])[] {
  if (status === "pinned") return [["unpin", "read"]];
  return [["pin", "pinned"], status === "read" ? ["markUnread", "unread"] : ["markRead", "read"]];
}

interface MarkFacts extends InboxFacts {
  readonly thread: ThreadView;
  readonly title: string;
  readonly to: ThreadStatus;
  readonly label: string;
}

const Mark = ({ thread, title, to, label, formToken, state, repository, page }: MarkFacts): Html =>
  formToken !== undefined &&
  h(
    "form",
    { method: "post", action: `/notifications/${thread.id}` },
    h(FormToken, { value: formToken }),
    h("input", { type: "hidden", name: "status", value: to }),
    h("input", { type: "hidden", name: "back", value: inboxPath(state, repository, page.page) }),
    h("button", { class: "plain", type: "submit", "aria-label": `${label}: ${title}` }, label),
  );
