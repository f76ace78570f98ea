import type { Page } from "../core/paging.ts";
import { type RepositoryName, repositoryPath, topicPath, withQuery } from "./addresses.ts";
import type { Html } from "./html.ts";
import { Icon, type IconName } from "./icons.tsx";
import { Revealed, revealedHtml } from "./revealed.tsx";
import { sharedTexts } from "./texts/shared.ts";
import { useTexts } from "./texts/texts.ts";

export interface EmptyProps {
  readonly icon: IconName;
  readonly title: string;
  /** It is all that the page says: its title is the page's. */
  readonly isWholePage?: boolean;
  readonly children?: Html;
}

/** Where there is nothing yet: what that means and what to do next. */
export const Empty = ({ icon, title, isWholePage, children }: EmptyProps): Html => {
  const Heading = isWholePage ? "h1" : "h2";
  return (
    <section class="empty">
      <Icon name={icon} />
      <Heading>{title}</Heading>
      {children}
    </section>
  );
};

/** Where what is shown follows from commits, and there is none yet: the way to the first. */
export const NoCommits = ({ repository, icon, title }: { readonly repository: RepositoryName; readonly icon: IconName; readonly title: string }): Html => {
  const texts = useTexts(sharedTexts).repository;
  return (
    <Empty icon={icon} title={title}>
      <p>{texts.comesWithCommits}</p>
      <p>
        <a class="button" href={repositoryPath(repository)}>
          {texts.howToBegin}
        </a>
      </p>
    </Empty>
  );
};

export interface PagerProps {
  readonly path: string;
  /** What the address says besides the page. */
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly page: Page;
  readonly total: number;
}

/** To the pages before and after; nothing where all stands on one. */
export function Pager({ path, query = {}, page, total }: PagerProps): Html {
  const { pages } = useTexts(sharedTexts);
  const last = Math.max(1, Math.ceil(total / page.limit));
  if (last === 1 && page.page === 1) return null;
  const address = (number: number): string => withQuery(path, { ...query, page: number === 1 ? undefined : number });
  return (
    <nav class="pager" aria-label={pages.of}>
      {page.page > 1 && (
        <a href={address(Math.min(page.page - 1, last))} rel="prev">
          {pages.previousPage}
        </a>
      )}
      <span class="soft">{`${page.page} / ${last}`}</span>
      {page.page < last && (
        <a href={address(page.page + 1)} rel="next">
          {pages.nextPage}
        </a>
      )}
    </nav>
  );
}

/**
 * HTML that the markup service has made and cleaned, or the highlighter: nothing else is ever put into a page as it is.
 * Its headings stand below the page's own, and its tasks have a name. No attribute of cleaned HTML holds an unescaped `<`, so what is found are elements.
 */
export function Rendered({ html }: { readonly html: string }): Html {
  const { task } = useTexts(sharedTexts);
  const placed = html.replace(/<(\/?)h([1-5])\b/g, (_, end: string, level: string) => `<${end}h${Number(level) + 1}`);
  const named = placed.replaceAll('<input type="checkbox"', `<input aria-label="${task}" type="checkbox"`);
  return <div class="markdown" dangerouslySetInnerHTML={{ __html: named }} />;
}

/** The same of one line, for labels of fields. What is no single paragraph stays as it was written. */
export function RenderedLine({ html, text }: { readonly html: string; readonly text: string }): Html {
  const [, line] = /^\s*<p(?: [^>]*)?>((?:(?!<\/?p[\s>]).)*)<\/p>\s*$/s.exec(html) ?? [];
  return line === undefined ? <span>{text}</span> : <span class="markdown" dangerouslySetInnerHTML={{ __html: line }} />;
}

/** One string instead of elements: a file can have 100,000 lines. */
function lineNumbers(count: number): string {
  let html = "";
  for (let line = 1; line <= count; line += 1) html += `<a id="L${line}" href="#L${line}">${line}</a>`;
  return html;
}

/** Code with line numbers, which link to their lines. */
export function CodeLines({ text, html }: { readonly text: string; readonly html: string | undefined }): Html {
  return (
    <div class="lines">
      <div class="numbers" dangerouslySetInnerHTML={{ __html: lineNumbers(lineCount(text)) }} />
      <pre>
        {html === undefined ? (
          <code>
            <Revealed text={text} />
          </code>
        ) : (
          <code dangerouslySetInnerHTML={{ __html: revealedHtml(html) }} />
        )}
      </pre>
    </div>
  );
}

/** Lines as an editor counts them: a line end at the end begins no further one. */
export const lineCount = (text: string): number => (text === "" ? 0 : text.split("\n").length - (text.endsWith("\n") ? 1 : 0));

/** What a repository is about; each word leads to the others that are about it. */
export const Topics = ({ topics }: { readonly topics: readonly string[] }): Html => (
  <ul class="chips">
    {topics.map((topic) => (
      <li>
        <a class="badge" href={topicPath(topic)}>
          {topic}
        </a>
      </li>
    ))}
  </ul>
);
