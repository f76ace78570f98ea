import { type MistakeKind, mistakeMessages } from "../../../core/workflow-mistakes.ts";

const kinds: Readonly<Record<MistakeKind, string>> = mistakeMessages;

/** Mistakes in workflow files, by kind. Values are in braces. */
export const english = {
  kinds,
  /** Types of values, by their names in messages. */
  types: {
    StringToken: "a text",
    ScalarToken: "a single value",
    NumberToken: "a number",
    BooleanToken: "true or false",
    NullToken: "empty",
    SequenceToken: "a list",
    MappingToken: "a map",
    BasicExpressionToken: "an expression",
    InsertExpressionToken: "an expression",
  },
  /** A mistake of an unknown kind. Its English message follows. */
  unknown: "The workflow file has an error.",
  unknownAt: "The workflow file has an error in line {line}, column {column}.",
};
