import { readFileSync } from "node:fs";

/** An operation of the contract (`contract/README.md` describes its members). */
export interface ContractOperation {
  readonly method: string;
  readonly path: string;
  readonly operationId: string;
  readonly tag: string;
  readonly deprecated?: true;
  readonly params: readonly ContractParameter[];
  readonly body?: string;
  readonly consumes?: readonly string[];
  readonly produces?: readonly string[];
  readonly responses: Readonly<Record<string, string | { readonly body?: string }>>;
  readonly shared?: Readonly<Record<string, string>>;
  readonly inDocument: boolean;
}

export interface ContractParameter {
  readonly name: string;
  readonly in: "path" | "query" | "formData";
  readonly type: string;
  readonly required?: true;
  readonly enum?: readonly string[];
  readonly valuesInText?: readonly string[];
  readonly items?: { readonly type: string; readonly enum?: readonly string[] };
}

/** A type of the contract: a record, or (`CreateHookOptionConfig` and two others) an alias of a map, list or number. */
export interface ContractType {
  readonly fields?: Readonly<Record<string, ContractField>>;
  readonly request?: true;
  readonly type?: string;
}

export interface ContractField extends ContractValue {
  readonly nullable?: true;
  readonly omitempty?: true;
  readonly required?: true;
  readonly undescribed?: true;
  readonly go?: string;
  readonly rules?: readonly string[];
}

export interface ContractValue {
  readonly type: string;
  readonly format?: string;
  readonly ref?: string;
  readonly enum?: readonly string[];
  readonly valuesInText?: readonly string[];
  readonly items?: ContractValue;
  readonly values?: ContractValue;
}

const read = (name: string): unknown => JSON.parse(readFileSync(new URL(`../contract/${name}`, import.meta.url), "utf8"));

export const readOperations = (): readonly ContractOperation[] => read("operations.json") as ContractOperation[];
export const readTypes = (): Readonly<Record<string, ContractType>> => read("types.json") as Record<string, ContractType>;
export const readNotServed = (): readonly string[] => read("not-served.json") as string[];

/** The types of the operation's successful responses by status; an empty string where the contract states none. */
export function successes({ responses }: ContractOperation): Readonly<Record<string, string>> {
  const found = Object.entries(responses).filter(([status]) => status.startsWith("2"));
  return Object.fromEntries(found.map(([status, response]) => [status, typeof response === "string" ? response : (response.body ?? "")]));
}
