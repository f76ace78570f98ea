import { commitPath, comparePath, type RepositoryName } from "../../../../ui/addresses.ts";
import type { Html } from "../../../../ui/html.ts";
import { fill } from "../../../../ui/texts/fill.ts";
import { useTexts } from "../../../../ui/texts/texts.ts";
import type { ShownPush } from "../service/push-timeline.ts";
import { pullTexts } from "../texts/texts.ts";

export interface PushProps {
  readonly repository: RepositoryName;
  readonly branch: string;
  readonly push: ShownPush;
  readonly when: Html;
}

/** The sentence of a push in the timeline. */
export function PushSentence({ repository, branch, push: { isForced, commitOids }, when }: PushProps): Html {
  const texts = useTexts(pullTexts);
  const [former, head] = commitOids;
  if (!isForced || former === undefined || head === undefined) return fill<Html>(texts.pushedCommits(commitOids.length), { when });
  return (
    <>
      {fill<Html>(texts.forcePushed, {
        branch: (
          <bdi>
            <code>{branch}</code>
          </bdi>
        ),
        former: <ShortOid repository={repository} oid={former} />,
        present: <ShortOid repository={repository} oid={head} />,
        when,
      })}{" "}
      <a class="button small" href={comparePath(repository, `${former}..${head}`)} aria-label={texts.compareVersions(former.slice(0, 10), head.slice(0, 10))}>
        {texts.compare}
      </a>
    </>
  );
}

const ShortOid = ({ repository, oid }: { readonly repository: RepositoryName; readonly oid: string }): Html => (
  <a class="oid" href={commitPath(repository, oid)}>
    {oid.slice(0, 10)}
  </a>
);

/** The commits of a push, below its sentence. */
export function PushedCommits({ repository, push: { isForced, commitOids, titles } }: Omit<PushProps, "branch" | "when">): Html {
  const texts = useTexts(pullTexts);
  const named = isForced ? [] : commitOids.filter((oid) => titles.has(oid));
  if (named.length === 0) return null;
  return (
    <ol class="pushed plain-list">
      {commitOids.length > named.length && <li class="soft">{texts.earlierCommits(commitOids.length - named.length)}</li>}
      {named.map((oid) => (
        <li>
          <a class="title" href={commitPath(repository, oid)} dir="auto">
            {titles.get(oid)}
          </a>{" "}
          <ShortOid repository={repository} oid={oid} />
        </li>
      ))}
    </ol>
  );
}
