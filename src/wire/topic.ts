import type { Static } from "typebox";
import { counts, lengths } from "../core/lengths.ts";
import { field, inPlace, int, list, nullable, option, record, text, time } from "./schema.ts";

/** The topics of a repository. */
export const TopicName = record("TopicName", {
  topics: nullable(list(text())),
});
export type TopicName = Static<typeof TopicName>;

export const TopicResponse = record("TopicResponse", {
  id: int(),
  topic_name: text(),
  repo_count: int(),
  created: time(),
  updated: time(),
});
export type TopicResponse = Static<typeof TopicResponse>;

export const TopicSearchResults = inPlace({
  topics: nullable(list(TopicResponse)),
});
export type TopicSearchResults = Static<typeof TopicSearchResults>;

export const RepoTopicOptions = option("RepoTopicOptions", {
  topics: field("Topics", nullable(list(text(lengths.line), counts.names))),
});
export type RepoTopicOptions = Static<typeof RepoTopicOptions>;
