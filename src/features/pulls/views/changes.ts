import { h } from "preact";
import type { Page } from "../../../core/paging.ts";
import { pullPath, sourcePath } from "../../../ui/addresses.ts";
import { Empty, Pager } from "../../../ui/blocks.ts";
import { Diff } from "../../../ui/diff.ts";
import type { Html } from "../../../ui/html.ts";
import { useTexts } from "../../../ui/texts/texts.ts";
import type { FileDiff } from "../../commits/unified-diff.ts";
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

export interface PullFilesFacts extends Framed {
  readonly files: readonly FileDiff[];
  readonly isCut: boolean;
}

/** What a pull request changes. */
export function PullFiles({ repository, pull, files, isCut, now }: PullFilesFacts): Html {
  const { pulls: texts, commit } = useTexts();
  const at = { kind: "commit", rev: pull.headOid } as const;
  const asText = h("a", { href: `${pullPath(repository, pull.number)}.diff` }, commit.asText);
  return [
    h(PullFrame, { repository, pull, part: "files", now }),
    files.length === 0
      ? h(Empty, { icon: "file-code", title: texts.noFiles })
      : h(Diff, { files, addressOf: ({ status, path }) => (status === "removed" ? undefined : sourcePath(repository, at, path)) }),
    h("p", null, isCut && [commit.tooLarge, " "], asText),
  ];
}
