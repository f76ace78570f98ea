import type { RepositoryName } from "../../../../ui/addresses.ts";
import type { Html } from "../../../../ui/html.ts";
import { useTexts } from "../../../../ui/texts/texts.ts";
import { plainState } from "../../../repositories/diffs/views/looking.ts";
import type { ReviewWithThreads } from "../service/told.ts";
import type { Thread } from "../view.ts";
import { commentPath } from "./files-address.ts";
import { type TalkFacts, ThreadView } from "./thread.tsx";

export interface ToldFacts extends TalkFacts, Omit<ReviewWithThreads, "review"> {
  readonly repository: RepositoryName;
  readonly number: number;
}

/** What a review says on lines: the conversations with their lines as they were, and where it answers in others. */
export const ToldLines = (facts: ToldFacts): Html => (
  <>
    {facts.threads.map((thread) => (
      <ToldThread {...facts} thread={thread} />
    ))}
    {facts.answers.length > 0 && <Answers {...facts} />}
  </>
);

function ToldThread(facts: ToldFacts & { readonly thread: Thread }): Html {
  const { pulls: texts } = useTexts();
  const { repository, number, thread } = facts;
  const { id, path, present } = thread.first;
  return (
    <div class="within below">
      <p class="soft">
        <code>{present?.path ?? path}</code>
        {" · "}
        <a href={commentPath(repository, number, plainState, id)}>{texts.answerThere}</a>
      </p>
      <ThreadView {...facts} isElsewhere />
    </div>
  );
}

function Answers({ answers }: ToldFacts): Html {
  const { pulls: texts } = useTexts();
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
