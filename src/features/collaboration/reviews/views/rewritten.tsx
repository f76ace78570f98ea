import { Empty } from "../../../../ui/blocks.tsx";
import type { Html } from "../../../../ui/html.ts";
import type { IconName } from "../../../../ui/icons.tsx";
import { ListInTurns } from "../../../../ui/render-in-turns.tsx";
import { useTexts } from "../../../../ui/texts/texts.ts";
import { reviewTexts } from "../texts/texts.ts";

export interface RewrittenProps {
  /** The output of git-range-diff; undefined if it is too large. */
  readonly text: string | undefined;
  /** Address of the comparison of both versions. */
  readonly comparePath: string;
  /** Address of all changes. */
  readonly allPath: string;
}

/** Compares the reviewed commits of a pull request with their new versions. */
export function Rewritten({ text, comparePath, allPath }: RewrittenProps): Html {
  const texts = useTexts(reviewTexts);
  return (
    <>
      <p class="notice">{texts.rewritten}</p>
      <p class="bar">
        <a class="button" href={comparePath}>
          {texts.compareTrees}
        </a>
        <a class="button" href={allPath}>
          {texts.viewAll}
        </a>
      </p>
      {text === undefined ? (
        <p class="soft">{texts.rewrittenTooLarge}</p>
      ) : (
        <section class="box">
          <header>
            <h2>{texts.sinceReview}</h2>
          </header>
          <p class="within soft">{texts.rewrittenHint}</p>
          <pre class="range-diff" tabIndex={0}>
            <ListInTurns items={text.split("\n")} view={(line) => <span class={classOf(line)}>{`${line}\n`}</span>} />
          </pre>
        </section>
      )}
    </>
  );
}

/** A line of a commit starts at the margin. The lines of its comparison are indented by four spaces; the first column compares the versions. */
function classOf(line: string): string {
  if (/^ *(?:\d+|-): /.test(line)) return "commit";
  if (line.startsWith("    +")) return "plus";
  if (line.startsWith("    -")) return "minus";
  return line.startsWith("    @@") ? "soft" : "";
}

export interface NoChangesProps {
  readonly icon: IconName;
  readonly title: string;
  readonly allPath: string;
}

/** In place of the changes since a review, if there are none to show. */
export const NoChanges = ({ icon, title, allPath }: NoChangesProps): Html => (
  <Empty icon={icon} title={title}>
    <p>
      <a class="button" href={allPath}>
        {useTexts(reviewTexts).viewAll}
      </a>
    </p>
  </Empty>
);
