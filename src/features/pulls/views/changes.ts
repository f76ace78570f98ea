import { h } from "preact";
import type { Page } from "../../../core/paging.ts";
import { pullPath } from "../../../ui/addresses.ts";
import { Empty, Pager } from "../../../ui/blocks.ts";
import type { Html } from "../../../ui/html.ts";
import { useTexts } from "../../../ui/texts/texts.ts";
import type { CommitView } from "../../commits/view.ts";
import { CommitRow } from "../../commits/views/history.ts";
import { PullFrame, type PullFrameFacts } from "./frame.ts";

type Framed = Omit<PullFrameFacts, "part">;

export interface PullCommitsFacts extends Framed {
  readonly commits: readonly CommitView[];
  readonly total: number;
  readonly page: Page;
}

/** The commits that a pull request brings, the newest first. */
export function PullCommits({ repository, pull, commits, total, page, now }: PullCommitsFacts): Html {
  const { pulls: texts } = useTexts();
  return [
    h(PullFrame, { repository, pull, part: "commits", now }),
    commits.length === 0
      ? h(Empty, { icon: "git-commit", title: texts.noCommits })
      : h(
          "ol",
          { class: "commits box" },
          commits.map((view) => h(CommitRow, { repository, view, now })),
        ),
    h(Pager, { path: `${pullPath(repository, pull.number)}/commits`, page, total }),
  ];
}
