import type { RepositoryName } from "../../../../ui/addresses.ts";
import type { Html } from "../../../../ui/html.ts";
import { useTexts } from "../../../../ui/texts/texts.ts";
import { plainState } from "../../../repositories/diffs/views/looking.ts";
import type { Thread } from "../model.ts";
import type { ReviewWithThreads } from "../service/review-timeline.ts";
import { reviewTexts } from "../texts/texts.ts";
import { commentPath } from "./files-address.ts";
import { type TalkProps, ThreadView } from "./thread.tsx";

export interface ReviewTimelineProps extends TalkProps, Omit<ReviewWithThreads, "review"> {
  readonly repository: RepositoryName;
  readonly number: number;
}

/** Comments of a review: conversations with their original lines, and its replies in others. */
export const ReviewedLines = (props: ReviewTimelineProps): Html => (
  <>
    {props.threads.map((thread) => (
      <ReviewThread {...props} thread={thread} />
    ))}
    {props.answers.length > 0 && <Answers {...props} />}
  </>
);

function ReviewThread(props: ReviewTimelineProps & { readonly thread: Thread }): Html {
  const texts = useTexts(reviewTexts);
  const { repository, number, thread } = props;
  const { id, path, present } = thread.first;
  return (
    <div class="within below">
      <p class="soft">
        <code>{present?.path ?? path}</code>
        {" · "}
        <a href={commentPath(repository, number, plainState, id)}>{texts.answerThere}</a>
      </p>
      <ThreadView {...props} isElsewhere />
    </div>
  );
}

function Answers({ answers }: ReviewTimelineProps): Html {
  const texts = useTexts(reviewTexts);
  return (
    <ul class="within below plain-list">
      {answers.map(({ id, path, present }) => (
        <li>
          <a href={`#issuecomment-${id}`}>{texts.answeredOn(present?.path ?? path)}</a>
        </li>
      ))}
    </ul>
  );
}
