import type { Clock } from "../../../../core/clock.ts";
import { plainState } from "../../../repositories/diffs/views/looking.ts";
import type { PullDeps } from "../../pulls/service/deps.ts";
import type { ReviewSentences } from "../../pulls/views/review-sentences.ts";
import { listReviewsWithThreads } from "../service/review-timeline.ts";
import { filesPath } from "../views/files-address.ts";
import { ReviewedLines } from "../views/review-timeline.tsx";
import { dismissingOf } from "./dismissals.ts";
import { editPaths, talkRights, writtenIn } from "./talk.ts";

/** Reviews in the conversation of their pull request, with the same reply forms as among the files. */
export const loadReviewTimeline =
  (deps: PullDeps & { readonly clock: Clock }): ReviewSentences =>
  async ({ actor, repository, formToken, page }, pull, ids) => {
    const listed = await listReviewsWithThreads(deps, actor, repository, pull, ids);
    const { canApply, ...rights } = await talkRights(
      deps,
      actor,
      repository,
      pull,
      listed.some(({ threads }) => threads.length > 0),
    );
    const post = (below: string): string => filesPath(repository, pull.number, plainState, below, { back: page });
    const shared = {
      ...rights,
      repository,
      number: pull.number,
      formToken,
      talkPath: (id: number) => post(`/comments/${id}`),
      editPath: editPaths(actor, repository, pull, (id) => post(`/comments/${id}/edit`)),
      applyPath: canApply ? post("/suggestions") : undefined,
      isBatched: false,
      refusedReply: undefined,
      now: deps.clock.now(),
    };
    return new Map(
      listed.map(({ review, threads, answers }) => {
        const lines = (htmlOf: (text: string) => string) => <ReviewedLines {...shared} threads={threads} answers={answers} htmlOf={htmlOf} />;
        return [review.id, { ...review, dismissing: dismissingOf(repository, pull, review, page), written: writtenIn(threads), lines }];
      }),
    );
  };
