import type { Static } from "typebox";
import { inPlace, list, nullable, optional, record, text } from "./schema.ts";

/** The body of most refusals. */
export const APIError = record("APIError", {
  message: text(),
  /** URL of the API description. */
  url: text(),
});
export type APIError = Static<typeof APIError>;

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
