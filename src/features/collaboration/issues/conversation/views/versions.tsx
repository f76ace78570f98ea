import { issuePath, pullPath, type RepositoryName } from "../../../../../ui/addresses.ts";
import { ChangedLines } from "../../../../../ui/changed-lines.tsx";
import type { Html } from "../../../../../ui/html.ts";
import { ListInTurns } from "../../../../../ui/render-in-turns.tsx";
import { useTexts } from "../../../../../ui/texts/texts.ts";
import { Ago } from "../../../../../ui/time.tsx";
import type { IssueView, TextVersionView } from "../../model.ts";
import { planningTexts } from "../../texts/texts.ts";
import { Person } from "../../views/person.tsx";

export interface VersionsProps {
  readonly repository: RepositoryName;
  readonly issue: IssueView;
  /** Newest first. */
  readonly versions: readonly TextVersionView[];
  /** Undefined for the issue's own text. */
  readonly commentId: number | undefined;
  readonly now: number;
}

/** Versions of a text, each as a diff to its predecessor. */
export function VersionsView({ repository, issue, versions, commentId, now }: VersionsProps): Html {
  const texts = useTexts(planningTexts);
  const path = (issue.isPull ? pullPath : issuePath)(repository, issue.number);
  const anchor = commentId === undefined ? "#issue" : `#issuecomment-${commentId}`;
  return (
    <>
      <p class="soft">
        <a href={path + anchor} dir="auto">{`${issue.title} #${issue.number}`}</a>
        {` · ${texts.oneOfSeveral(versions.length)}`}
      </p>
      <ol class="timeline">
        <ListInTurns
          items={versions.map((version, at) => ({ version, before: versions[at + 1] }))}
          costOf={() => 100}
          view={(item) => <Version {...item} now={now} />}
        />
      </ol>
    </>
  );
}

interface VersionProps {
  readonly version: TextVersionView;
  /** Undefined for the first version. */
  readonly before: TextVersionView | undefined;
  readonly now: number;
}

function Version({ version, before, now }: VersionProps): Html {
  const texts = useTexts(planningTexts);
  return (
    <li class="box">
      <header>
        {before === undefined ? texts.writtenBy : texts.editedBy}{" "}
        <strong>
          <Person user={version.editor} avatarSize={20} />
        </strong>{" "}
        <span class="soft">
          <Ago ms={version.writtenMs} now={now} />
        </span>
      </header>
      <ChangedLines before={before === undefined ? version.content : before.content} after={version.content} />
    </li>
  );
}
