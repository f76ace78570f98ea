import type { Actor } from "../../../../access/actor.ts";
import type { RepositorySubject } from "../../../../access/subjects.ts";
import type { Reader } from "../../../../db/db.ts";
import type { RepositoryTextDeps } from "../../../site/markup/repository-texts.ts";
import { renderConversation } from "../../issues/tasks/service/rendered-tasks.ts";
import type { ShownReview } from "../views/review.tsx";
import type { ReviewSentence } from "../views/review-sentences.ts";

export interface RenderedTexts {
  of(text: string): string;
  ofReview(review: ReviewSentence | undefined): ShownReview | undefined;
}

/** Renders all user texts of a page together. */
export async function renderAll(
  deps: RepositoryTextDeps & { readonly db: Reader },
  actor: Actor,
  repository: RepositorySubject,
  written: readonly string[],
  reviews: ReadonlyMap<number, ReviewSentence>,
): Promise<RenderedTexts> {
  const reviewTexts = [...reviews.values()].flatMap(({ content, written: onLines }) => [content, ...onLines]);
  const texts = [...new Set([...written, ...reviewTexts])];
  const rendered = await renderConversation(deps, actor, repository, texts);
  const known = new Map(texts.map((text, at) => [text, rendered[at] ?? ""]));
  const of = (text: string): string => known.get(text) ?? "";
  return {
    of,
    ofReview: (review) => review && { review, html: of(review.content), lines: review.lines(of) },
  };
}
