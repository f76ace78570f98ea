import { h } from "preact";
import type { FormProblem } from "../../../core/form-problem.ts";
import type { Page } from "../../../core/paging.ts";
import type { Commit } from "../../../git/types.ts";
import { type RepositoryName, wikiPath, withQuery } from "../../../ui/addresses.ts";
import { Empty, Pager, Rendered } from "../../../ui/blocks.ts";
import { Field, Form, OptionalField, TextArea } from "../../../ui/forms.ts";
import type { Html } from "../../../ui/html.ts";
import { Icon } from "../../../ui/icons.ts";
import { useTexts } from "../../../ui/texts/texts.ts";
import { Ago } from "../../../ui/time.ts";
import type { PageName } from "../page-name.ts";
import type { WikiPageDetails, WikiPageView } from "../view.ts";

interface PlaceFacts {
  readonly repository: RepositoryName;
  readonly canWrite: boolean;
}

export interface WikiPageFacts extends PlaceFacts {
  readonly page: WikiPageDetails;
  readonly shown: { readonly html: string; readonly sidebar: string; readonly footer: string };
  readonly now: number;
}

const actionPath = (repository: RepositoryName, slug: string, action: string): string => withQuery(wikiPath(repository, slug), { action });

/** A page, its sidebar beside it and its footer below it. */
export function WikiPageShown({ repository, page, shown, canWrite, now }: WikiPageFacts): Html {
  const { wiki: texts } = useTexts();
  const body = [h(Rendered, { html: shown.html }), shown.footer !== "" && h("footer", { class: "soft wiki-footer" }, h(Rendered, { html: shown.footer }))];
  return [
    h(
      "div",
      { class: "bar" },
      h("h1", null, page.title),
      h(
        "span",
        { class: "end" },
        h("a", { class: "button", href: actionPath(repository, page.slug, "_revision") }, h(Icon, { name: "history" }), texts.changes(page.commitCount)),
        h("a", { class: "button", href: actionPath(repository, "", "_pages") }, texts.allPages),
        canWrite && [
          h("a", { class: "button", href: actionPath(repository, page.slug, "_edit") }, texts.edit),
          h("a", { class: "button", href: actionPath(repository, "", "_new") }, h(Icon, { name: "plus" }), texts.new),
        ],
      ),
    ),
    h("p", { class: "soft" }, texts.lastChange(page.commit.author.name), " ", h(Ago, { ms: page.commit.author.seconds * 1000, now })),
    shown.sidebar === "" ? body : h("div", { class: "columns" }, h("div", null, body), h("aside", null, h(Rendered, { html: shown.sidebar }))),
  ];
}

/** A page that is not there: how it comes to be. */
export function MissingWikiPage({ repository, title, canWrite }: PlaceFacts & { readonly title: string }): Html {
  const { wiki: texts } = useTexts();
  const write = withQuery(wikiPath(repository), { action: "_new", title });
  return h(
    Empty,
    { icon: "book", title: texts.noPage(title), isWholePage: true },
    h("p", null, texts.noPageHint),
    h(
      "p",
      null,
      canWrite && [h("a", { class: "button", href: write }, h(Icon, { name: "plus" }), texts.writeIt), " "],
      h("a", { class: "button", href: actionPath(repository, "", "_pages") }, h(Icon, { name: "book" }), texts.allPages),
    ),
  );
}

/** A wiki without a page: what it is for, and where to begin. */
export function EmptyWiki({ repository, canWrite }: PlaceFacts): Html {
  const { wiki: texts } = useTexts();
  return h(
    Empty,
    { icon: "book", title: texts.none },
    h("p", null, texts.howTo),
    canWrite && h("p", null, h("a", { class: "button", href: actionPath(repository, "", "_new") }, texts.first)),
  );
}

export interface WikiPagesFacts extends PlaceFacts {
  readonly pages: readonly WikiPageView[];
  readonly total: number;
  readonly page: Page;
  readonly cloneUrl: string;
  readonly now: number;
}

/** All pages, and how one gets them at once. */
export function WikiPages({ repository, pages, total, page, canWrite, cloneUrl, now }: WikiPagesFacts): Html {
  const { wiki: texts } = useTexts();
  return [
    canWrite && h("p", null, h("a", { class: "button", href: actionPath(repository, "", "_new") }, h(Icon, { name: "plus" }), texts.new)),
    h(
      "ul",
      { class: "list" },
      pages.map(({ title, slug, commit }) =>
        h(
          "li",
          null,
          h("a", { class: "row-title", href: wikiPath(repository, slug) }, title),
          h("div", { class: "meta" }, h("span", null, texts.lastChange(commit.author.name), " ", h(Ago, { ms: commit.author.seconds * 1000, now }))),
        ),
      ),
    ),
    h(Pager, { path: wikiPath(repository), query: { action: "_pages" }, page, total }),
    h("div", { class: "field" }, h("label", { for: "clone-wiki" }, texts.clone), h("input", { id: "clone-wiki", value: cloneUrl, readOnly: true })),
  ];
}

export interface WikiRevisionsFacts {
  readonly repository: RepositoryName;
  readonly name: PageName;
  readonly commits: readonly Commit[];
  readonly total: number;
  readonly page: Page;
  readonly now: number;
}

/** What has changed a page, the latest first. */
export function WikiRevisions({ repository, name, commits, total, page, now }: WikiRevisionsFacts): Html {
  return [
    h("p", null, h("a", { href: wikiPath(repository, name.slug) }, name.title)),
    h(
      "ol",
      { class: "commits box" },
      commits.map(({ oid, message, author }) =>
        h(
          "li",
          null,
          h(
            "div",
            { class: "what" },
            h("strong", null, message.split("\n", 1)[0]),
            h("div", { class: "who" }, author.name, ", ", h(Ago, { ms: author.seconds * 1000, now })),
          ),
          h("span", { class: "oid" }, oid.slice(0, 10)),
        ),
      ),
    ),
    h(Pager, { path: wikiPath(repository, name.slug), query: { action: "_revision" }, page, total }),
  ];
}

export interface WikiFormFacts {
  readonly repository: RepositoryName;
  /** Empty for a page that is to be made. */
  readonly slug: string;
  readonly title: string;
  readonly content: string;
  readonly message: string;
  /** The commit that the text is of, so that nobody's change is written over unseen. */
  readonly seen: string;
  readonly formToken: string;
  readonly problem?: FormProblem | undefined;
  /** What the page says now, where it has changed since the form was made. */
  readonly changedTo?: string | undefined;
}

/** Where a page is written. */
export function WikiForm({ repository, slug, title, content, message, seen, formToken, problem, changedTo }: WikiFormFacts): Html {
  const { wiki: texts } = useTexts();
  const action = actionPath(repository, slug, slug === "" ? "_new" : "_edit");
  return [
    changedTo !== undefined && h("p", { class: "notice bad", role: "alert" }, texts.changed),
    h(
      Form,
      { action, formToken, hidden: { seen }, problem },
      h(Field, { name: "title", label: texts.pageTitle, value: title, autocomplete: "off" }),
      // A browser drops the first line end of a text area.
      h(
        "div",
        { class: "editor" },
        h(TextArea, { name: "content", label: texts.content, value: content.startsWith("\n") ? `\n${content}` : content, rows: 20, hint: texts.contentHint }),
      ),
      h(OptionalField, { name: "message", label: texts.message, value: message, hint: texts.messageHint }),
      h("div", null, h("button", { class: "primary", type: "submit" }, texts.save)),
    ),
    changedTo !== undefined && h("section", { class: "box" }, h("header", null, h("h2", null, texts.now)), h("pre", { class: "message within" }, changedTo)),
    slug !== "" && h(Removal, { repository, slug, formToken }),
  ];
}

function Removal({ repository, slug, formToken }: Pick<WikiFormFacts, "repository" | "slug" | "formToken">): Html {
  const { wiki: texts } = useTexts();
  return h(
    "section",
    { class: "removal" },
    h("h2", null, texts.delete),
    h("p", { class: "soft" }, texts.deleteHow),
    h(Form, { action: actionPath(repository, slug, "_delete"), formToken }, h("div", null, h("button", { type: "submit" }, texts.delete))),
  );
}
