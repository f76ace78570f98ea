import type { ComponentChildren } from "preact";

/** The result of a view: elements, strings, or lists of them. Strings are escaped when they are rendered. */
export type Html = ComponentChildren;
