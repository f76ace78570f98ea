import { messageTitle } from "../../../../core/commit-message.ts";
import { commitPath, historyPath, type RepositoryName, type RevName } from "../../../../ui/addresses.ts";
import { Author } from "../../../../ui/avatar.tsx";
import { CopyButton } from "../../../../ui/copy.tsx";
import type { Html } from "../../../../ui/html.ts";
import { Icon } from "../../../../ui/icons.tsx";
import { countText } from "../../../../ui/texts/numbers.ts";
import { useLanguage, useTexts } from "../../../../ui/texts/texts.ts";
import { Ago } from "../../../../ui/time.tsx";
import { CheckMark } from "../../commits/views/check-mark.tsx";
import type { ShownCommit } from "../model.ts";
import { codeTexts } from "../texts/texts.ts";

export interface LatestCommitProps {
  readonly repository: RepositoryName;
  readonly at: RevName;
  readonly path: string;
  readonly latest: ShownCommit;
  /** The number of commits, if it is shown. */
  readonly commitsCount?: number | undefined;
  readonly now: number;
}

/** The latest commit of a branch, folder or file, with a link to the history, as the header of a box. */
export function LatestCommit({ repository, at, path, latest, commitsCount, now }: LatestCommitProps): Html {
  const texts = useTexts(codeTexts);
  const language = useLanguage();
  const { commit, author, checks } = latest;
  return (
    <header class="latest">
      <strong>
        <Author account={author} signature={commit.author} size={20} />
      </strong>
      <a class="one-line soft" href={commitPath(repository, commit.oid)}>
        {messageTitle(commit.message)}
      </a>
      <CheckMark checks={checks} />
      <span class="end">
        <a class="oid" href={commitPath(repository, commit.oid)}>
          {commit.oid.slice(0, 10)}
        </a>
        <CopyButton text={commit.oid} />
        <span class="soft">
          <Ago ms={commit.committer.seconds * 1_000} now={now} />
        </span>
        <a class="history" href={historyPath(repository, at, path)}>
          <Icon name="history" />
          {commitsCount === undefined ? texts.history : texts.commitsCount(countText(commitsCount, language), commitsCount)}
        </a>
      </span>
    </header>
  );
}
