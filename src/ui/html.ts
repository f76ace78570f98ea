import type { ComponentChildren } from "preact";

/** What a view gives: elements, texts, lists of them. Text is escaped when it is rendered. */
export type Html = ComponentChildren;
