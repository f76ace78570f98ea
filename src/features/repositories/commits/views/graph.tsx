import { messageTitle } from "../../../../core/commit-message.ts";
import type { Page } from "../../../../core/paging.ts";
import { commitPath, graphPath, historyPath, type RepositoryName, sourcePath } from "../../../../ui/addresses.ts";
import { Author } from "../../../../ui/avatar.tsx";
import { NoCommits, Pager } from "../../../../ui/blocks.tsx";
import type { Html } from "../../../../ui/html.ts";
import { Icon } from "../../../../ui/icons.tsx";
import { useTexts } from "../../../../ui/texts/texts.ts";
import { Ago } from "../../../../ui/time.tsx";
import type { GraphRow } from "../graph-lanes.ts";
import type { CommitView } from "../model.ts";
import { historyTexts } from "../texts/texts.ts";

export interface GraphProps {
  readonly repository: RepositoryName & { readonly defaultBranch: string };
  readonly entries: readonly GraphEntryProps[];
  readonly total: number;
  readonly isCut: boolean;
  readonly branches: readonly string[];
  /** The selected branch; empty for all. */
  readonly branch: string;
  readonly page: Page;
  readonly now: number;
}

interface GraphEntryProps {
  readonly row: GraphRow;
  readonly view: CommitView;
  readonly branches: readonly string[];
  readonly tags: readonly string[];
}

/** The commit graph, next to the list of its commits as accessible text. */
export function GraphView({ repository, entries, total, isCut, branches, branch, page, now }: GraphProps): Html {
  const texts = useTexts(historyTexts);
  const path = graphPath(repository);
  if (total === 0) return <NoCommits repository={repository} icon="git-branch" title={texts.none} />;
  const width = widthOf(entries);
  return (
    <>
      <form class="find" action={path}>
        <div class="field">
          <label for="branch">{texts.graphOf}</label>
          <select id="branch" name="branch">
            <option value="">{texts.allBranches}</option>
            {[...new Set([...branches, branch])]
              .filter((name) => name !== "")
              .map((name) => (
                <option value={name} selected={name === branch}>
                  {name}
                </option>
              ))}
          </select>
        </div>
        <button type="submit">{texts.show}</button>
      </form>
      <ol class="graph">
        {entries.map((entry) => (
          <GraphEntryRow repository={repository} entry={entry} width={width} now={now} />
        ))}
      </ol>
      {isCut && page.offset + page.limit >= total && (
        <p class="notice">
          <a href={historyPath(repository, { kind: "branch", rev: repository.defaultBranch })}>{texts.older}</a>
        </p>
      )}
      <Pager path={path} query={{ branch: branch === "" ? undefined : branch }} page={page} total={total} />
    </>
  );
}

const laneWidth = 14;
const rowHeight = 44;

const lanesOf = ({ lane, lines }: GraphRow): number[] => [lane, ...lines.flatMap(({ from, to }) => [from ?? 0, to ?? 0])];
const widthOf = (entries: readonly GraphEntryProps[]): number => {
  const last = entries.reduce((most, { row }) => Math.max(most, ...lanesOf(row)), 0);
  return (last + 1) * laneWidth + 4;
};
const xOf = (lane: number): number => lane * laneWidth + laneWidth / 2 + 2;

interface RowProps {
  readonly repository: RepositoryName;
  readonly entry: GraphEntryProps;
  readonly width: number;
  readonly now: number;
}

function GraphEntryRow({ repository, entry: { row, view, branches, tags }, width, now }: RowProps): Html {
  const texts = useTexts(historyTexts);
  const { commit, author } = view;
  return (
    <li>
      <Picture row={row} width={width} />
      <div class="what">
        {branches.map((name) => (
          <a class="badge" href={sourcePath(repository, { kind: "branch", rev: name })}>
            <Icon name="git-branch" /> {name}
          </a>
        ))}
        {tags.map((name) => (
          <a class="badge" href={sourcePath(repository, { kind: "tag", rev: name })}>
            <Icon name="tag" /> {name}
          </a>
        ))}
        <a href={commitPath(repository, commit.oid)}>{messageTitle(commit.message) || commit.oid.slice(0, 10)}</a>
        {row.hiddenParents > 0 && <span class="soft"> {texts.hiddenParents(row.hiddenParents)}</span>}
      </div>
      <span class="who soft">
        <Author account={author} signature={commit.author} size={16} />
        {", "}
        <Ago ms={commit.author.seconds * 1_000} now={now} />
      </span>
      <a class="oid" href={commitPath(repository, commit.oid)}>
        {commit.oid.slice(0, 10)}
      </a>
    </li>
  );
}

const colours = 8;

function Picture({ row, width }: { readonly row: GraphRow; readonly width: number }): Html {
  const [x, y] = [xOf(row.lane), rowHeight / 2];
  return (
    <svg width={width} height={rowHeight} viewBox={`0 0 ${width} ${rowHeight}`} aria-hidden="true">
      {row.lines.map(({ from, to, colour }) => {
        const [x1, y1] = from === undefined ? [x, y] : [xOf(from), 0];
        const [x2, y2] = to === undefined ? [x, y] : [xOf(to), rowHeight];
        const middle = (y1 + y2) / 2;
        const d = x1 === x2 ? `M${x1} ${y1}V${y2}` : `M${x1} ${y1}C${x1} ${middle} ${x2} ${middle} ${x2} ${y2}`;
        return <path class={`lane-${colour % colours}`} d={d} />;
      })}
      <circle class={row.isMerge ? `lane-${row.colour % colours} merge` : `dot-${row.colour % colours}`} cx={x} cy={y} r={row.isMerge ? 4 : 5} />
    </svg>
  );
}
