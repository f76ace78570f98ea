import type { FormProblem } from "../../../../core/form-problem.ts";
import { lengths } from "../../../../core/lengths.ts";
import type { Page } from "../../../../core/paging.ts";
import { type RepositoryName, wikiPath, withQuery } from "../../../../ui/addresses.ts";
import { Empty, Pager, TextBox } from "../../../../ui/blocks.tsx";
import { Field, Form, OptionalField, TextArea } from "../../../../ui/forms.tsx";
import type { Html } from "../../../../ui/html.ts";
import { Icon } from "../../../../ui/icons.tsx";
import { ContentsMenu, Rendered } from "../../../../ui/rendered.tsx";
import { fill } from "../../../../ui/texts/fill.ts";
import { useTexts } from "../../../../ui/texts/texts.ts";
import { Ago } from "../../../../ui/time.tsx";
import type { WikiPageDetails, WikiPageView } from "../model.ts";
import { wikiTexts } from "../texts/texts.ts";
import { WikiSearch } from "./search.tsx";

interface PlaceProps {
  readonly repository: RepositoryName;
  readonly canWrite: boolean;
}

export interface WikiPageProps extends PlaceProps {
  readonly page: WikiPageDetails;
  readonly shown: { readonly html: string; readonly sidebar: string; readonly footer: string };
  readonly now: number;
}

export const actionPath = (repository: RepositoryName, slug: string, action: string): string => withQuery(wikiPath(repository, slug), { action });

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
      <p class="soft">{fill<Html>(texts.lastChange, { author: page.commit.author.name, when: <Ago ms={page.commit.author.seconds * 1000} now={now} /> })}</p>
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
              <span>{fill<Html>(texts.lastChange, { author: commit.author.name, when: <Ago ms={commit.author.seconds * 1000} now={now} /> })}</span>
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
