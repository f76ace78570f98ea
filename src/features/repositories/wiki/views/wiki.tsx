import { messageTitle } from "../../../../core/commit-message.ts";
import type { FormProblem } from "../../../../core/form-problem.ts";
import { lengths } from "../../../../core/lengths.ts";
import type { Page } from "../../../../core/paging.ts";
import type { Commit } from "../../../../git/types.ts";
import { type RepositoryName, wikiPath, withQuery } from "../../../../ui/addresses.ts";
import { Empty, Pager, TextBox } from "../../../../ui/blocks.tsx";
import { ChangedLines } from "../../../../ui/changed-lines.tsx";
import { Field, Form, OptionalField, TextArea } from "../../../../ui/forms.tsx";
import type { Html } from "../../../../ui/html.ts";
import { Icon } from "../../../../ui/icons.tsx";
import { ContentsMenu, Rendered } from "../../../../ui/rendered.tsx";
import { useTexts } from "../../../../ui/texts/texts.ts";
import { Ago } from "../../../../ui/time.tsx";
import type { WikiPageDetails, WikiPageView, WikiRevision } from "../model.ts";
import type { PageName } from "../page-name.ts";
import { type FoundPages, minSearchLength } from "../service/search.ts";
import { wikiTexts } from "../texts/texts.ts";

interface PlaceProps {
  readonly repository: RepositoryName;
  readonly canWrite: boolean;
}

export interface WikiPageProps extends PlaceProps {
  readonly page: WikiPageDetails;
  readonly shown: { readonly html: string; readonly sidebar: string; readonly footer: string };
  readonly now: number;
}

const actionPath = (repository: RepositoryName, slug: string, action: string): string => withQuery(wikiPath(repository, slug), { action });

/** A page with its sidebar and footer. */
export function WikiPageShown({ repository, page, shown, canWrite, now }: WikiPageProps): Html {
  const texts = useTexts(wikiTexts);
  const body = [
    <Rendered html={shown.html} />,
    shown.footer !== "" && (
      <footer class="soft wiki-footer">
        <Rendered html={shown.footer} />
      </footer>
    ),
  ];
  return (
    <>
      <div class="bar">
        <h1>{page.title}</h1>
        <span class="end">
          <ContentsMenu html={shown.html} />
          <a class="button" href={actionPath(repository, page.slug, "_revision")}>
            <Icon name="history" />
            {texts.changes(page.commitCount)}
          </a>
          <a class="button" href={actionPath(repository, "", "_pages")}>
            {texts.allPages}
          </a>
          {canWrite && (
            <>
              <a class="button" href={actionPath(repository, page.slug, "_edit")}>
                {texts.edit}
              </a>
              <a class="button primary" href={actionPath(repository, "", "_new")}>
                <Icon name="plus" />
                {texts.new}
              </a>
            </>
          )}
        </span>
      </div>
      <p class="soft">
        {texts.lastChange(page.commit.author.name)} <Ago ms={page.commit.author.seconds * 1000} now={now} />
      </p>
      <div class="columns">
        <div>{body}</div>
        <aside class="wiki-side">
          <WikiSearch repository={repository} typed="" />
          {shown.sidebar !== "" && <Rendered html={shown.sidebar} />}
          <PageList repository={repository} page={page} />
        </aside>
      </div>
    </>
  );
}

/** Finds pages by their titles and texts. */
export function WikiSearch({ repository, typed }: { readonly repository: RepositoryName; readonly typed: string }): Html {
  const texts = useTexts(wikiTexts);
  return (
    <form class="find" action={wikiPath(repository)} role="search">
      <input type="hidden" name="action" value="_search" />
      <input type="search" name="q" value={typed} required aria-label={texts.search} placeholder={texts.search} autocomplete="off" />
      <button type="submit">
        <Icon name="search" label={texts.find} />
      </button>
    </form>
  );
}

function PageList({ repository, page }: { readonly repository: RepositoryName; readonly page: WikiPageDetails }): Html {
  const texts = useTexts(wikiTexts);
  return (
    <details class="box wiki-pages" open>
      <summary>{texts.pagesCount(page.pagesCount)}</summary>
      <ul class="plain-list within">
        {page.pages.map(({ title, slug }) => (
          <li>
            <a href={wikiPath(repository, slug)} dir="auto" {...(slug === page.slug && { "aria-current": "page" })}>
              {title}
            </a>
          </li>
        ))}
      </ul>
      {page.pagesCount > page.pages.length && (
        <p class="within">
          <a href={actionPath(repository, "", "_pages")}>{texts.allPages}</a>
        </p>
      )}
    </details>
  );
}

/** The page for a missing wiki page, with a link to create it. */
export function MissingWikiPage({ repository, title, canWrite }: PlaceProps & { readonly title: string }): Html {
  const texts = useTexts(wikiTexts);
  const write = withQuery(wikiPath(repository), { action: "_new", title });
  return (
    <Empty icon="book" title={texts.noPage(title)} isWholePage>
      <p>{texts.noPageHint}</p>
      <p>
        {canWrite && (
          <>
            <a class="button primary" href={write}>
              <Icon name="plus" />
              {texts.writeIt}
            </a>{" "}
          </>
        )}
        <a class="button" href={actionPath(repository, "", "_pages")}>
          <Icon name="book" />
          {texts.allPages}
        </a>
      </p>
    </Empty>
  );
}

/** The page for a wiki without pages, with a link to create the first one. */
export function EmptyWiki({ repository, canWrite }: PlaceProps): Html {
  const texts = useTexts(wikiTexts);
  return (
    <Empty icon="book" title={texts.none}>
      <p>{texts.howTo}</p>
      {canWrite && (
        <p>
          <a class="button primary" href={actionPath(repository, "", "_new")}>
            {texts.first}
          </a>
        </p>
      )}
    </Empty>
  );
}

export interface WikiPagesProps extends PlaceProps {
  readonly pages: readonly WikiPageView[];
  readonly total: number;
  readonly page: Page;
  readonly cloneUrl: string;
  readonly now: number;
}

/** The list of all pages, with the clone URL. */
export function WikiPages({ repository, pages, total, page, canWrite, cloneUrl, now }: WikiPagesProps): Html {
  const texts = useTexts(wikiTexts);
  return (
    <>
      {canWrite && (
        <p>
          <a class="button primary" href={actionPath(repository, "", "_new")}>
            <Icon name="plus" />
            {texts.new}
          </a>
        </p>
      )}
      <WikiSearch repository={repository} typed="" />
      <ul class="list">
        {pages.map(({ title, slug, commit }) => (
          <li>
            <a class="row-title" href={wikiPath(repository, slug)}>
              {title}
            </a>
            <div class="meta">
              <span>
                {texts.lastChange(commit.author.name)} <Ago ms={commit.author.seconds * 1000} now={now} />
              </span>
            </div>
          </li>
        ))}
      </ul>
      <Pager path={wikiPath(repository)} query={{ action: "_pages" }} page={page} total={total} />
      <div class="field">
        <label for="clone-wiki">{texts.clone}</label>
        <input id="clone-wiki" value={cloneUrl} readOnly />
      </div>
    </>
  );
}

export interface WikiRevisionsProps {
  readonly repository: RepositoryName;
  readonly name: PageName;
  readonly commits: readonly Commit[];
  readonly total: number;
  readonly page: Page;
  readonly now: number;
}

/** The history of a page, latest commit first. */
export function WikiRevisions({ repository, name, commits, total, page, now }: WikiRevisionsProps): Html {
  const texts = useTexts(wikiTexts);
  return (
    <>
      <p>
        <a href={wikiPath(repository, name.slug)}>{name.title}</a>
      </p>
      <form action={wikiPath(repository, name.slug)}>
        <input type="hidden" name="action" value="_compare" />
        {commits.length > 1 && (
          <p>
            <button type="submit">
              <Icon name="git-compare" />
              {texts.compare}
            </button>
          </p>
        )}
        <ol class="commits box">
          {commits.map(({ oid, message, author }, at) => (
            <li>
              {commits.length > 1 && (
                <span class="ends">
                  <input type="radio" name="from" value={oid} checked={at === 1} aria-label={texts.chooseOlder(oid.slice(0, 10))} title={texts.older} />
                  <input type="radio" name="to" value={oid} checked={at === 0} aria-label={texts.chooseNewer(oid.slice(0, 10))} title={texts.newer} />
                </span>
              )}
              <div class="what">
                <strong>{messageTitle(message)}</strong>
                <div class="who">
                  {author.name}
                  {", "}
                  <Ago ms={author.seconds * 1000} now={now} />
                </div>
              </div>
              <a class="oid" href={withQuery(wikiPath(repository, name.slug), { action: "_view", at: oid })} aria-label={texts.viewRevision(oid.slice(0, 10))}>
                {oid.slice(0, 10)}
              </a>
            </li>
          ))}
        </ol>
      </form>
      <Pager path={wikiPath(repository, name.slug)} query={{ action: "_revision" }} page={page} total={total} />
    </>
  );
}

export interface WikiRevisionProps {
  readonly repository: RepositoryName;
  readonly name: PageName;
  readonly revision: WikiRevision;
  readonly html: string;
  readonly now: number;
}

/** A page as it was at a commit. */
export function WikiFormerPage({ repository, name, revision: { commit }, html, now }: WikiRevisionProps): Html {
  const texts = useTexts(wikiTexts);
  return (
    <>
      <p class="notice">
        {texts.isFormer} <a href={wikiPath(repository, name.slug)}>{texts.showPresent}</a>
        {" · "}
        <a href={actionPath(repository, name.slug, "_revision")}>{texts.history}</a>
      </p>
      <p class="soft">
        <code>{commit.oid.slice(0, 10)}</code> {messageTitle(commit.message)}
        {" · "}
        {commit.author.name}, <Ago ms={commit.author.seconds * 1000} now={now} />
      </p>
      <Rendered html={html} />
    </>
  );
}

export interface WikiComparisonProps {
  readonly repository: RepositoryName;
  readonly name: PageName;
  readonly from: WikiRevision;
  readonly to: WikiRevision;
}

/** The changes of a page between two commits. */
export function WikiComparison({ repository, name, from, to }: WikiComparisonProps): Html {
  const texts = useTexts(wikiTexts);
  const [before, after] = [from.content.toString("utf8"), to.content.toString("utf8")];
  return (
    <>
      <p>
        <a href={wikiPath(repository, name.slug)}>{name.title}</a>
        {" · "}
        <a href={actionPath(repository, name.slug, "_revision")}>{texts.history}</a>
      </p>
      {before === after ? (
        <p class="soft">{texts.sameText}</p>
      ) : (
        <section class="box">
          <header>
            <h2>
              <code>{from.commit.oid.slice(0, 10)}</code> → <code>{to.commit.oid.slice(0, 10)}</code>
            </h2>
          </header>
          <ChangedLines before={before} after={after} />
        </section>
      )}
    </>
  );
}

export interface WikiFoundProps {
  readonly repository: RepositoryName;
  readonly typed: string;
  /** Undefined: the text is too short. */
  readonly found: FoundPages | undefined;
}

/** The pages with a text. */
export function WikiFound({ repository, typed, found }: WikiFoundProps): Html {
  const texts = useTexts(wikiTexts);
  return (
    <>
      <WikiSearch repository={repository} typed={typed} />
      {found === undefined && <p class="notice">{texts.tooShort(minSearchLength)}</p>}
      {found?.pages.length === 0 && <Empty icon="search" title={texts.nothingFound} />}
      {found !== undefined && found.pages.length > 0 && (
        <ul class="list">
          {found.pages.map(({ page, lines }) => (
            <li>
              <a class="row-title" href={wikiPath(repository, page.slug)} dir="auto">
                {page.title}
              </a>
              {lines.map((line) => (
                <div class="meta" dir="auto">
                  {line}
                </div>
              ))}
            </li>
          ))}
        </ul>
      )}
      {found !== undefined && found.end !== "all" && <p class="soft">{texts.notAll}</p>}
    </>
  );
}

export interface WikiFormProps {
  readonly repository: RepositoryName;
  /** Empty for a new page. */
  readonly slug: string;
  readonly title: string;
  readonly content: string;
  readonly message: string;
  /** The commit of the edited content, to detect concurrent edits. */
  readonly seen: string;
  readonly formToken: string;
  readonly problem?: FormProblem | undefined;
  /** The present content of the page if it changed since the form was loaded. */
  readonly changedTo?: string | undefined;
}

/** The form for editing a page. */
export function WikiForm({ repository, slug, title, content, message, seen, formToken, problem, changedTo }: WikiFormProps): Html {
  const texts = useTexts(wikiTexts);
  const action = actionPath(repository, slug, slug === "" ? "_new" : "_edit");
  return (
    <>
      {changedTo !== undefined && (
        <p class="notice bad" role="alert">
          {texts.changed}
        </p>
      )}
      <Form action={action} formToken={formToken} hidden={{ seen }} problem={problem}>
        <Field name="title" label={texts.pageTitle} value={title} autocomplete="off" />
        {/* Browsers drop the first line break in a textarea. */}
        <div class="editor">
          <TextArea
            name="content"
            maxLength={lengths.content}
            label={texts.content}
            value={content.startsWith("\n") ? `\n${content}` : content}
            rows={20}
            hint={texts.contentHint}
            isMarkdown
            previewAs="wiki"
          />
        </div>
        <OptionalField name="message" label={texts.message} value={message} hint={texts.messageHint} />
        <div>
          <button class="primary" type="submit">
            {texts.save}
          </button>
        </div>
      </Form>
      {changedTo !== undefined && <TextBox title={texts.now} text={changedTo} />}
      {slug !== "" && <Removal repository={repository} slug={slug} formToken={formToken} />}
    </>
  );
}

function Removal({ repository, slug, formToken }: Pick<WikiFormProps, "repository" | "slug" | "formToken">): Html {
  const texts = useTexts(wikiTexts);
  return (
    <section class="removal">
      <h2>{texts.delete}</h2>
      <p class="soft">{texts.deleteHow}</p>
      <Form action={actionPath(repository, slug, "_delete")} formToken={formToken}>
        <div>
          <button type="submit">{texts.delete}</button>
        </div>
      </Form>
    </section>
  );
}
