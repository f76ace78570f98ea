import { h } from "preact";
import type { RepositoryName } from "../../../ui/addresses.ts";
import type { Html } from "../../../ui/html.ts";
import { useTexts } from "../../../ui/texts/texts.ts";
import { plainState } from "../../diffs/views/looking.ts";
import type { ReviewWithThreads } from "../service/told.ts";
import type { Thread } from "../view.ts";
import { commentPath } from "./files-address.ts";
import { type TalkFacts, ThreadView } from "./thread.ts";

export interface ToldFacts extends TalkFacts, Omit<ReviewWithThreads, "review"> {
  readonly repository: RepositoryName;
  readonly number: number;
}

/** What a review says on lines: the conversations with their lines as they were, and where it answers in others. */
export const ToldLines = (facts: ToldFacts): Html => [
  facts.threads.map((thread) => h(ToldThread, { ...facts, thread })),
  facts.answers.length > 0 && h(Answers, facts),
];

function ToldThread(facts: ToldFacts & { readonly thread: Thread }): Html {
  const { pulls: texts } = useTexts();
  const { repository, number, thread } = facts;
  const { id, path, present } = thread.first;
  return h(
    "div",
    { class: "within below" },
    h(
      "p",
      { class: "soft" },
      h("code", null, present?.path ?? path),
      " · ",
      h("a", { href: commentPath(repository, number, plainState, id) }, texts.answerThere),
    ),
    h(ThreadView, { ...facts, isElsewhere: true }),
  );
}

function Answers({ answers }: ToldFacts): Html {
  const { pulls: texts } = useTexts();
  return h(
    "ul",
    { class: "within below plain-list" },
    answers.map(({ id, path, present }) => h("li", null, h("a", { href: `#issuecomment-${id}` }, texts.answeredOn(present?.path ?? path)))),
  );
}
