import type { Static } from "typebox";
import { inPlace, list, nullable, optional, record, text } from "./schema.ts";

/** The body of most refusals. */
export const APIError = record("APIError", {
  message: text(),
  /** URL of the API description. */
  url: text(),
});
export type APIError = Static<typeof APIError>;

/** The body of a 403. Refusals by protection rules, and those of an account that may not sign in, only have a message. */
export const ForbiddenError = inPlace({
  message: text(),
  url: optional(text()),
});

/** The body of a 404. */
export const NotFoundError = inPlace({
  errors: nullable(list(text())),
  message: text(),
  url: text(),
});
export type NotFoundError = Static<typeof NotFoundError>;

/** The body of a rejected list of topics. An unreadable body is rejected without `invalidTopics` and with `url`. */
export const InvalidTopicsError = inPlace({
  invalidTopics: optional(nullable(list(text()))),
  message: text(),
  url: optional(text()),
});
export type InvalidTopicsError = Static<typeof InvalidTopicsError>;

/** The body for one rejected topic; null if there are too many. */
export const InvalidTopicError = inPlace({
  invalidTopics: optional(nullable(text())),
  message: text(),
  url: optional(text()),
});

/** The body of a 404 where the request names an owner: an unknown one is answered with `error` alone. */
export const UnknownOwnerError = inPlace({
  error: optional(text()),
  errors: optional(nullable(list(text()))),
  message: optional(text()),
  url: optional(text()),
});
