import type { Static } from "typebox";
import { inPlace, list, nullable, optional, record, text } from "./schema.ts";

/** The body of most refusals. */
export const APIError = record("APIError", {
  message: text(),
  /** Where the interface is described. */
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

/** The body of a refused list of topics. A body that cannot be read is refused without `invalidTopics`, and with `url`. */
export const InvalidTopicsError = inPlace({
  invalidTopics: optional(nullable(list(text()))),
  message: text(),
  url: optional(text()),
});
export type InvalidTopicsError = Static<typeof InvalidTopicsError>;
