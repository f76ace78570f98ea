import { spareValues, values } from "./site.ts";

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly type?: string;
}

interface Operation {
  readonly operationId: string;
  readonly produces?: readonly string[];
  readonly parameters?: readonly Parameter[] | undefined;
  readonly responses: Readonly<Record<string, unknown>>;
}

export interface Description {
  readonly produces: readonly string[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

/** Rename, archive, transfer or delete the account or repository that other operations need. */
const spareOperations = [
  /^(?:delete|patch) \/repos\/\{owner\}\/\{repo\}$/,
  /^post \/repos\/\{owner\}\/\{repo\}\/(?:transfer|convert|rename)/,
  /^(?:delete|patch) \/orgs\/\{org\}$/,
  /^post \/orgs\/\{org\}\/rename$/,
  /^(?:delete|patch|post) \/admin\/users\/\{username\}/,
];

/** They stop what is tested: the signed-in user, and jobs of the whole server. */
const left = [/^post \/admin\/cron/, /^delete \/users\/\{username\}\/tokens/];

/** Answers of the HTTP server before it knows an operation. */
const beforeRouting = { 431: { description: "The headers are longer than the server reads." } };

/** The media type of a file follows from its content. */
const sendsFile = ({ responses }: Operation): boolean => JSON.stringify(responses).includes('"type":"file"');

/**
 * The published description, with values of the site for the parameters of paths: most requests with other values find nothing. Operations without a
 * body name no media type, which would mean the default ones.
 */
export function withSiteValues(description: Description): Description {
  const paths = Object.entries(description.paths).map(([path, methods]) => {
    const operations = Object.entries(methods).flatMap(([method, operation]) => {
      const name = `${method} ${path}`;
      if (left.some((pattern) => pattern.test(name))) return [];
      const isSpare = spareOperations.some((pattern) => pattern.test(name));
      const parameters = operation.parameters?.map((parameter) => {
        const known = (isSpare ? spareValues[parameter.name] : undefined) ?? values[parameter.name];
        if (parameter.in !== "path" || known === undefined) return parameter;
        const chosen = method === "delete" && typeof known[0] === "number" ? known.slice(-1) : known;
        return { ...parameter, enum: parameter.type === "string" ? chosen.map(String) : chosen };
      });
      const produces = operation.produces === undefined || sendsFile(operation) ? { produces: [] } : {};
      return [[method, { ...operation, ...produces, parameters, responses: { ...operation.responses, ...beforeRouting } }] as const];
    });
    return [path, Object.fromEntries(operations)] as const;
  });
  return { ...description, produces: [], paths: Object.fromEntries(paths) };
}
