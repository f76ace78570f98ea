import { readFileSync } from "node:fs";

/** An operation of the contract (`contract/README.md` says what each member holds). */
export interface OperationFacts {
  readonly method: string;
  readonly path: string;
  readonly operationId: string;
  readonly tag: string;
  readonly deprecated?: true;
  readonly params: readonly ParameterFacts[];
  readonly body?: string;
  readonly consumes?: readonly string[];
  readonly produces?: readonly string[];
  readonly responses: Readonly<Record<string, string | { readonly body?: string }>>;
  readonly shared?: Readonly<Record<string, string>>;
  readonly inDocument: boolean;
}

export interface ParameterFacts {
  readonly name: string;
  readonly in: "path" | "query" | "formData";
  readonly type: string;
  readonly required?: true;
  readonly enum?: readonly string[];
  readonly valuesInText?: readonly string[];
  readonly items?: { readonly type: string; readonly enum?: readonly string[] };
}

/** A type of the contract: a record, or (`CreateHookOptionConfig` and two others) a name for a map, list or number. */
export interface TypeFacts {
  readonly fields?: Readonly<Record<string, FieldFacts>>;
  readonly request?: true;
  readonly type?: string;
}

export interface FieldFacts extends ValueFacts {
  readonly nullable?: true;
  readonly omitempty?: true;
  readonly required?: true;
  readonly undescribed?: true;
  readonly go?: string;
  readonly rules?: readonly string[];
}

export interface ValueFacts {
  readonly type: string;
  readonly format?: string;
  readonly ref?: string;
  readonly enum?: readonly string[];
  readonly valuesInText?: readonly string[];
  readonly items?: ValueFacts;
  readonly values?: ValueFacts;
}

const read = (name: string): unknown => JSON.parse(readFileSync(new URL(`../contract/${name}`, import.meta.url), "utf8"));

export const readOperations = (): readonly OperationFacts[] => read("operations.json") as OperationFacts[];
export const readTypes = (): Readonly<Record<string, TypeFacts>> => read("types.json") as Record<string, TypeFacts>;
export const readNotServed = (): readonly string[] => read("not-served.json") as string[];

/** The types of the operation's successes by status; empty text where the contract states none. */
export function successes({ responses }: OperationFacts): Readonly<Record<string, string>> {
  const found = Object.entries(responses).filter(([status]) => status.startsWith("2"));
  return Object.fromEntries(found.map(([status, response]) => [status, typeof response === "string" ? response : (response.body ?? "")]));
}
