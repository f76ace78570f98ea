import { messageTitle } from "../../../../core/commit-message.ts";
import { blamePath, codeSearchPath, commitPath, type RepositoryName, type RevName, rawPath, sourcePath, withQuery } from "../../../../ui/addresses.ts";
import { Avatar } from "../../../../ui/avatar.tsx";
import { Empty } from "../../../../ui/blocks.tsx";
import type { Html } from "../../../../ui/html.ts";
import { Icon } from "../../../../ui/icons.tsx";
import { ListInTurns } from "../../../../ui/render-in-turns.tsx";
import { Revealed, revealedHtml } from "../../../../ui/revealed.tsx";
import { countText } from "../../../../ui/texts/numbers.ts";
import { sizeText } from "../../../../ui/texts/size.ts";
import { useLanguage, useTexts } from "../../../../ui/texts/texts.ts";
import { Ago } from "../../../../ui/time.tsx";
import { canRender } from "../../../site/markup/file-kinds.ts";
import { ageSteps, type BlamedFile, type BlameRange, ignoredRevsFile } from "../model.ts";
import { codeTexts, searchTexts } from "../texts/texts.ts";
import { FileForms } from "./file.tsx";

export interface BlameProps {
  readonly repository: RepositoryName;
  readonly at: RevName;
  readonly path: string;
  readonly sizeBytes: number;
  readonly ranges: readonly BlameRange[];
  readonly ignoredRevs: BlamedFile["ignoredRevs"];
  readonly now: number;
}

/** A file with the commit of each line. */
export function BlameView({ repository, at, path, sizeBytes, ranges, ignoredRevs, now }: BlameProps): Html {
  const code = useTexts(codeTexts);
  const texts = useTexts(searchTexts);
  const language = useLanguage();
  const address = sourcePath(repository, at, path);
  const count = ranges.reduce((sum, { lines }) => sum + lines.length, 0);
  const hasTwo = canRender(path);
  const forms = [
    ...(hasTwo ? [[address, code.rendered, false] as const] : []),
    [hasTwo ? `${address}?display=source` : address, code.code, false],
    [blamePath(repository, at, path), texts.blame, true],
  ] as const;
  return (
    <section class="box file">
      <header>
        <h2 class="hidden">{path.split("/").at(-1)}</h2>
        <FileForms forms={forms} />
        <span class="soft details">{`${code.lines(count, countText(count, language))} · ${sizeText(sizeBytes, language)}`}</span>
        <span class="end">
          <Ages />
          <a class="button small" href={rawPath(repository, at, path)}>
            {code.raw}
          </a>
        </span>
      </header>
      {ignoredRevs !== "none" && (
        <p class="notice">
          {ignoredRevs === "applied" ? texts.ignoresRevs : texts.bypassesRevs} <a href={sourcePath(repository, at, ignoredRevsFile)}>{ignoredRevsFile}</a>{" "}
          <a href={withQuery(blamePath(repository, at, path), { ignore_revs: ignoredRevs === "applied" ? "false" : undefined })}>
            {ignoredRevs === "applied" ? texts.bypassRevs : texts.ignoreRevs}
          </a>
        </p>
      )}
      <div class="wide" tabIndex={0} role="region" aria-label={texts.blameOf(path)}>
        <table class="blame">
          <thead class="hidden">
            <tr>
              {[texts.author, texts.number, texts.text].map((word) => (
                <th scope="col">{word}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            <ListInTurns items={blamedParts(ranges)} costOf={costOfPart} view={(part) => <BlamedRows {...part} repository={repository} now={now} />} />
          </tbody>
        </table>
      </div>
    </section>
  );
}

/** Explains the colors of the lines. */
function Ages(): Html {
  const texts = useTexts(searchTexts);
  return (
    <span class="soft ages">
      {texts.older}
      {Array.from({ length: ageSteps }, (_, age) => (
        <span class={`age-mark age-${age}`} aria-hidden="true" />
      ))}
      {texts.newer}
    </span>
  );
}

/** Some lines of a range. */
interface BlamedPart {
  readonly range: BlameRange;
  /** Index of the first line in the range. */
  readonly from: number;
  readonly count: number;
}

const partLines = 100;

/** Splits long ranges, so that each part is rendered quickly. */
const blamedParts = (ranges: readonly BlameRange[]): readonly BlamedPart[] =>
  ranges.flatMap((range) =>
    Array.from({ length: Math.ceil(range.lines.length / partLines) }, (_, at) => ({
      range,
      from: at * partLines,
      count: Math.min(partLines, range.lines.length - at * partLines),
    })),
  );

/** The commit of a range costs about as much as a line. */
const costOfPart = ({ count }: BlamedPart): number => count + 1;

type PlaceProps = Pick<BlameProps, "repository"> & { readonly now: number };

const BlamedRows = ({ range: { lines, startLine, commit, age, previous }, from, count, ...place }: PlaceProps & BlamedPart): Html =>
  lines.slice(from, from + count).map((line, index) => (
    <tr {...(from + index === 0 ? { class: "first" } : null)}>
      {from + index === 0 && (
        <td class={age === undefined ? "by" : `by age-${age}`} rowSpan={lines.length}>
          <By {...place} commit={commit} previous={previous} />
        </td>
      )}
      <td class="number">
        <a id={`L${startLine + from + index}`} href={`#L${startLine + from + index}`}>
          {startLine + from + index}
        </a>
      </td>
      <td>
        {line.html === undefined ? (
          <code>
            <Revealed text={line.text} />
          </code>
        ) : (
          <code dangerouslySetInnerHTML={{ __html: revealedHtml(line.html) }} />
        )}
      </td>
    </tr>
  ));

function By({ repository, commit, previous, now }: PlaceProps & Pick<BlameRange, "commit" | "previous">): Html {
  const texts = useTexts(searchTexts);
  if (commit === undefined) return "?";
  const title = messageTitle(commit.message);
  const before = previous && blamePath(repository, { kind: "commit", rev: previous.oid }, previous.path);
  return (
    <>
      <a class="one-line" href={commitPath(repository, commit.oid)} title={title}>
        {title === "" ? commit.oid.slice(0, 10) : title}
      </a>
      <span class="soft">
        <Avatar account={{ ...commit.author, avatar: "" }} size={16} />
        {commit.author.name}
        {", "}
        <Ago ms={commit.author.seconds * 1000} now={now} />
      </span>
      {before !== undefined && (
        <a class="before" href={before} title={texts.before}>
          <Icon name="history" label={texts.before} />
        </a>
      )}
    </>
  );
}

export interface CodeSearchProps {
  readonly repository: RepositoryName;
  readonly at: RevName;
  readonly typed: string;
  /** Undefined if no search was made. */
  readonly found: { readonly lines: readonly FoundLine[]; readonly end: "all" | "enough" | "late" } | undefined;
}
interface FoundLine {
  readonly path: string;
  readonly line: number;
  readonly text: string;
}

/** The form for searching the files of a commit. */
export function CodeSearchForm({ repository, rev, typed }: Pick<CodeSearchProps, "repository" | "typed"> & { readonly rev: string }): Html {
  const texts = useTexts(searchTexts);
  return (
    <form class="find" action={codeSearchPath(repository)} role="search">
      <input type="hidden" name="ref" value={rev} />
      <input type="search" name="q" value={typed} aria-label={texts.find(rev)} placeholder={texts.find(rev)} />
      <button type="submit">{texts.findButton}</button>
    </form>
  );
}

/** The search results. */
export function FoundLines({ repository, at, typed, found }: CodeSearchProps): Html {
  const texts = useTexts(searchTexts);
  const files = Map.groupBy(found?.lines ?? [], ({ path }) => path);
  return (
    <>
      {found === undefined && <p class="soft">{typed === "" ? texts.how : texts.tooShort}</p>}
      {found !== undefined && files.size === 0 && (
        <Empty icon="search" title={texts.nothing}>
          <p>{texts.how}</p>
        </Empty>
      )}
      {files.size > 0 && <p class="soft">{texts.files(files.size)}</p>}
      {found !== undefined && found.end !== "all" && <p class="notice">{found.end === "late" ? texts.slow : texts.cut}</p>}
      {[...files].map(([path, lines]) => (
        <FoundFile repository={repository} at={at} path={path} lines={lines} text={typed.trim()} />
      ))}
    </>
  );
}

interface FoundFileProps {
  readonly repository: RepositoryName;
  readonly at: RevName;
  readonly path: string;
  readonly lines: readonly FoundLine[];
  readonly text: string;
}

function FoundFile({ repository, at, path, lines, text }: FoundFileProps): Html {
  const texts = useTexts(searchTexts);
  const address = sourcePath(repository, at, path);
  return (
    <section class="box">
      <header>
        <h2>
          <a href={address}>{path}</a>
        </h2>
      </header>
      <table class="found">
        {lines.map((found) => (
          <tr>
            <td class="number">
              <a href={`${address}${address.includes("?") ? "&" : "?"}display=source#L${found.line}`} aria-label={texts.line(found.line)}>
                {found.line}
              </a>
            </td>
            <td>
              <code>{marked(found.text, text)}</code>
            </td>
          </tr>
        ))}
      </table>
    </section>
  );
}

/** The line with the matches marked. */
function marked(line: string, text: string): Html {
  const [lower, wanted] = [line.toLowerCase(), text.toLowerCase()];
  // Some characters change length with their case. Positions would be wrong then, so nothing is marked.
  if (wanted === "" || lower.length !== line.length) return line;
  const parts: Html[] = [];
  let from = 0;
  for (let at = lower.indexOf(wanted); at !== -1; at = lower.indexOf(wanted, from)) {
    parts.push(line.slice(from, at), <mark>{line.slice(at, at + wanted.length)}</mark>);
    from = at + wanted.length;
  }
  return [...parts, line.slice(from)];
}
