import type { ErrorCode } from "yaml";
import type { MistakeKind } from "../../../../core/workflow-mistakes.ts";
import { type Problem, shorten } from "./problem.ts";

/** The messages of the libraries that read workflow files and expressions. The names of groups are those of the values of a text. */
const messages: readonly (readonly [RegExp, MistakeKind])[] = [
  [/^Unexpected end of expression: '(?<symbol>.*)'$/s, "expression_end"],
  [/^Unexpected symbol: '(?<symbol>.*)'(?:\. Located at position .*)?$/s, "expression_symbol"],
  [/^Unrecognized named-value: '(?<symbol>.*)'$/s, "expression_name"],
  [/^Unrecognized function: '(?<symbol>.*)'$/s, "expression_function"],
  [/^Too few parameters supplied: '(?<symbol>.*)'$/s, "expression_few"],
  [/^Too many parameters supplied: '(?<symbol>.*)'$/s, "expression_many"],
  [/^Even number of parameters supplied, .*: '(?<symbol>.*)'$/s, "expression_even"],
  [/^Exceeded max expression depth (?<max>\w+)/, "expression_depth"],
  [/^Exceeded max expression length|^ErrorExceededMaxLength$/, "expression_long"],
  [/^case predicate must evaluate to a boolean value$/, "expression_case"],
  [/^empty input$/, "expression_json_empty"],
  [/^Error parsing JSON when evaluating fromJson$/, "expression_json"],
  [/^The following format string references more arguments than were supplied: (?<format>.*)$/s, "expression_format_few"],
  [/^The following format string is invalid: (?<format>.*)$/s, "expression_format"],
  [/^An expression was expected$/, "expression_empty"],
  [/^The expression is not closed\.|^the expression that begins with .* has no end$/s, "expression_open"],
  [/^A template expression is not allowed in this context$/, "expression_forbidden"],
  [/^The directive '(?<directive>.*)' is not allowed in this context\./s, "directive_embedded"],
  [
    /^Exactly (?<expected>.+) parameter\(s\) were expected following the directive '(?<directive>.*)'\. Actual parameter count: (?<count>.+)$/s,
    "directive_parameters",
  ],
  [/^Unexpected value type /, "value_type"],
  [/^Unexpected value '(?<value>.*)'$/s, "value_unexpected"],
  [/^'(?<key>.*)' is already defined$/s, "key_twice"],
  [/^Required property is missing: (?<key>.*)$/s, "key_missing"],
  [/^There's not enough info to determine what you meant\. Add one of these properties: (?<keys>.*)$/s, "keys_ambiguous"],
  [/^A sequence was not expected$/, "list_unexpected"],
  [/^A mapping was not expected$/, "map_unexpected"],
  [/^Expected a scalar value, a sequence, or a mapping$|^Expected (?:mapping end|(?:start|end) of reader)$/, "value_missing"],
  [/^Unexpected type '(?<type>.*)' encountered while reading '(?<field>.*)'\. The type '(?<expected>.*)' was expected\.$/s, "type_wrong"],
  [/^Error while reading '(?<field>.*)'\. Unexpected value '(?<value>.*)'$/s, "field_value"],
  [/^(?:Invalid key '(?<key>.*)'|(?:Unexpected container item key:|credentials key|Invalid property name:) (?<key2>.*))$/s, "key_unexpected"],
  [/^Invalid format for (?:'(?<field>on)'|(?<field2>jobs|steps))$/, "field_format"],
  [/^Missing 'options' for choice input$/, "options_missing"],
  [/^Input type is not 'choice', but 'options' is defined$/, "options_unexpected"],
  [/^Invalid cron expression\./, "cron_invalid"],
  [/^Missing required key 'cron' in schedule entry$/, "cron_missing"],
  [/^Invalid schedule key$/, "cron_key"],
  [/^The workflow must contain at least one job with no dependencies\.$/, "jobs_without_start"],
  [/^Job '(?<job>.*)' depends on job '(?<needed>.*)' which creates a cycle in the dependency graph\.$/s, "job_cycle"],
  [/^Job '(?<job>.*)' depends on unknown job '(?<needed>.*)'\.$/s, "job_unknown"],
  [/^The identifier '(?<id>.*)' is invalid\. IDs may only .* less than (?<max>.+) characters\.$/s, "id_invalid"],
  [/^The identifier '(?<id>.*)' is invalid\. IDs starting with '__' are reserved\.$/s, "id_reserved"],
  [/^The identifier '(?<id>.*)' may not be used more than once within the same scope\.$/s, "id_twice"],
  [/^Unable to create a unique name$/, "id_impossible"],
  [/^Expected one of uses.* to be defined$/, "step_empty"],
  [/^Step '(?<id>.*)' cannot reference itself$/s, "step_self"],
  [/^Step references unknown step ID '(?<id>.*)'$/s, "step_unknown"],
  [/^'(?<key>[\w-]+)' is not allowed inside a parallel block\.|^Nested '(?<key2>parallel)' blocks are not allowed\.$/, "step_not_parallel"],
  [/^The value of 'wait-all' must be true or omitted$/, "wait_all_false"],
  [/^Container image cannot be empty$/, "container_image"],
  [/^Invalid runs-on group name '(?<group>.*)\. Please use /s, "group_prefix"],
  [/^Invalid runs-on group name '(?<group>.*)'\.$/s, "group_invalid"],
  [/^Unresolved alias \(.*\): (?<alias>.*)$/s, "yaml_alias_missing"],
  [/^Excessive alias count/, "yaml_aliases"],
];

/** The messages of the YAML library that a text describes more closely than their code does. */
const yamlMessages: readonly (readonly [RegExp, MistakeKind])[] = [
  [/^Missing closing (?<quote>['"])quote$/, "yaml_quote_missing"],
  [/^Unexpected , in /, "yaml_comma_unexpected"],
  [/^Unexpected empty item in /, "yaml_item_empty"],
  [/^Missing , (?:or : )?between /, "yaml_comma_missing"],
  [/^Missing space after : /, "yaml_space_missing"],
  [/must (?:be sufficiently indented and )?end with a (?<bracket>[\]}])/, "yaml_bracket_missing"],
  [/^Implicit map keys need to be followed by map values$/, "yaml_colon_missing"],
  [/^All sequence items must start at the same column$/, "yaml_list_columns"],
  [/^All mapping items must start at the same column$/, "yaml_map_columns"],
  [/^Sequence item without - indicator$/, "yaml_list_dash"],
  [/^Unexpected block-seq-ind on same line with key$/, "yaml_list_on_key_line"],
  [/^Nested mappings are not allowed in compact mappings$/, "yaml_map_nested"],
  [/^Block scalar (?:values|lines|s with)|^Block scalars with more-indented/, "yaml_block_indent"],
  [/^Block scalar header includes extra characters|^Unexpected token in block scalar header/, "yaml_block_header"],
  [/^Plain value cannot start with (?<sign>.*)$/, "yaml_scalar_start"],
  [/^Invalid escape sequence (?<sequence>.*)$/, "yaml_escape"],
  [/^Comments must be separated /, "yaml_comment"],
  [/^(?:Tags and anchors must be separated|Block collection cannot start on same line|Missing newline after block sequence props)/, "yaml_anchor"],
  [/^Missing directives-end/, "yaml_directive"],
  [/^Unresolved alias \(.*\): (?<alias>.*)$/, "yaml_alias_missing"],
];

const yamlCodes: Readonly<Record<ErrorCode, MistakeKind>> = {
  ALIAS_PROPS: "yaml_anchor",
  BAD_ALIAS: "yaml_anchor",
  BAD_COLLECTION_TYPE: "yaml_tag",
  BAD_DIRECTIVE: "yaml_directive",
  BAD_DQ_ESCAPE: "yaml_escape",
  BAD_INDENT: "yaml_indent",
  BAD_PROP_ORDER: "yaml_anchor",
  BAD_SCALAR_START: "yaml_scalar_start",
  BLOCK_AS_IMPLICIT_KEY: "yaml_key_list",
  BLOCK_IN_FLOW: "yaml_block_in_flow",
  DUPLICATE_KEY: "yaml_key_twice",
  IMPOSSIBLE: "yaml_unexpected",
  KEY_OVER_1024_CHARS: "yaml_key_long",
  MISSING_CHAR: "yaml_character",
  MULTILINE_IMPLICIT_KEY: "yaml_key_lines",
  MULTIPLE_ANCHORS: "yaml_anchor",
  MULTIPLE_DOCS: "yaml_documents",
  MULTIPLE_TAGS: "yaml_tag",
  NON_STRING_KEY: "yaml_tag",
  RESOURCE_EXHAUSTION: "file_too_complex",
  TAB_AS_INDENT: "yaml_tab",
  TAG_RESOLVE_FAILED: "yaml_tag",
  UNEXPECTED_TOKEN: "yaml_unexpected",
};

type Explained = Pick<Problem, "message" | "kind" | "values">;

function findKind(message: string, table: typeof messages): Omit<Explained, "message"> | undefined {
  for (const [pattern, kind] of table) {
    const found = pattern.exec(message);
    if (found === null) continue;
    const groups = Object.entries(found.groups ?? {}).filter(([, value]) => value !== undefined);
    return { kind, values: Object.fromEntries(groups.map(([name, value]) => [name.replace(/\d$/, ""), shorten(value)])) };
  }
  return undefined;
}

/** A message of a library with its kind, if it is known. */
export const explain = (message: string): Explained => ({
  message,
  ...findKind(message.replace(/^(?:could not evaluate index for index access: )+/, ""), messages),
});

/** An error of the YAML library. Its message continues with a part of the file. */
export function explainYaml({ code, message }: { readonly code: ErrorCode; readonly message: string }): Explained {
  const first = message.split("\n", 1)[0] ?? message;
  return { message: first, ...(findKind(first.replace(/ at line \d+, column \d+:$/, ""), yamlMessages) ?? { kind: yamlCodes[code] }) };
}
