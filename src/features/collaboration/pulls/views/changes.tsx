import type { Page } from "../../../../core/paging.ts";
import { pullPath } from "../../../../ui/addresses.ts";
import { Empty, Pager } from "../../../../ui/blocks.tsx";
import type { Html } from "../../../../ui/html.ts";
import { useTexts } from "../../../../ui/texts/texts.ts";
import type { CommitView } from "../../../repositories/commits/model.ts";
import { type ChecksOfCommits, CommitList } from "../../../repositories/commits/views/history.tsx";
import { pullTexts } from "../texts/texts.ts";
import { PullFrame, type PullFrameProps } from "./frame.tsx";

type Framed = Omit<PullFrameProps, "part">;

export interface PullCommitsProps extends Framed {
  readonly commits: readonly CommitView[];
  readonly checks: ChecksOfCommits;
  readonly total: number;
  readonly page: Page;
}

/** The commits of a pull request, newest first. */
export function PullCommits({ repository, pull, commits, checks, total, commitsCount, page, now }: PullCommitsProps): Html {
  const texts = useTexts(pullTexts);
  return (
    <>
      <PullFrame repository={repository} pull={pull} part="commits" commitsCount={commitsCount} now={now} />
      {commits.length === 0 ? (
        <Empty icon="git-commit" title={texts.noCommits} />
      ) : (
        <CommitList repository={repository} commits={commits} checks={checks} now={now} />
      )}
      <Pager path={`${pullPath(repository, pull.number)}/commits`} page={page} total={total} />
    </>
  );
}
