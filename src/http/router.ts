import { valuesOfPathParameter } from "./description-parameters.ts";

/**
 * Finds the route of a path. Segments are declared as text (`repos`), a parameter (`{owner}`), both (`{index}.{diffType}`), or, once, a
 * rest parameter that matches the segments up to the end (`{ref+}`, or `{path*}`, which may be empty). A rest parameter may be followed by
 * text and by parameters with a fixed set of values, which distinguish routes (`{ref+}/status`).
 * Precedence: text, text with a parameter, a parameter, a rest parameter. Among several rest parameters, the one with the longest text
 * after it wins. Segments are decoded before they are compared. A path that cannot be decoded is not found. A trailing slash is ignored.
 */
export interface Router<T> {
  find(method: string, path: string): Found<T> | undefined;
  /** The methods with which a path is served. */
  methodsOf(path: string): readonly string[];
}

export interface Found<T> {
  readonly value: T;
  readonly params: Record<string, string>;
}

export interface Routed<T> {
  readonly method: string;
  /** The declared path from the root. */
  readonly path: string;
  readonly value: T;
}

interface End<T> {
  readonly path: string;
  /** Names of the parameters in the order of the path. */
  readonly names: readonly string[];
  readonly value: T;
}

interface RestEnd<T> extends End<T> {
  readonly pattern: RegExp;
}

/** Most nodes have one kind of continuation, so the others are created when a route needs them. */
interface Node<T> {
  texts: Map<string, Node<T>> | undefined;
  mixed: { readonly pattern: RegExp; readonly node: Node<T> }[] | undefined;
  parameter: Node<T> | undefined;
  /** The longest pattern first. */
  rests: RestEnd<T>[] | undefined;
  end: End<T> | undefined;
}

/** @throws Error when two routes share method and path, or a path is invalid */
export function createRouter<T>(routes: readonly Routed<T>[]): Router<T> {
  const roots = new Map<string, Node<T>>();
  for (const route of routes) {
    const root = roots.get(route.method) ?? createNode<T>();
    roots.set(route.method, root);
    add(root, route);
  }
  return {
    find(method, path) {
      const root = roots.get(method);
      const segments = segmentsOf(path);
      if (root === undefined || segments === undefined) return undefined;
      const values: string[] = [];
      const end = walk(root, segments, 0, values);
      if (end === undefined) return undefined;
      const params: Record<string, string> = {};
      for (const [index, name] of end.names.entries()) params[name] = values[index] ?? "";
      return { value: end.value, params };
    },
    methodsOf(path) {
      const segments = segmentsOf(path);
      return segments === undefined ? [] : [...roots].filter(([, root]) => walk(root, segments, 0, []) !== undefined).map(([method]) => method);
    },
  };
}

const createNode = <T>(): Node<T> => ({ texts: undefined, mixed: undefined, parameter: undefined, rests: undefined, end: undefined });

function segmentsOf(path: string): string[] | undefined {
  const end = path.length > 1 && path.endsWith("/") ? path.length - 1 : path.length;
  const segments = path.slice(1, end).split("/");
  if (!path.includes("%")) return segments;
  try {
    return segments.map((segment) => decodeURIComponent(segment));
  } catch {
    return undefined;
  }
}

const literally = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
const piecesOf = (text: string): string[] => text.split(/(\{[^}]+\})/).filter((piece) => piece !== "");

function add<T>(root: Node<T>, { method, path, value }: Routed<T>): void {
  const names: string[] = [];
  let node = root;
  const segments = path.slice(1).split("/");
  let at = 0;
  for (const segment of segments) {
    if (/\{\w+[+*]\}/.test(segment)) {
      addRest(node, path, segments.slice(at).join("/"), names, value);
      return;
    }
    at += 1;
    const parameter = /^\{(\w+)\}$/.exec(segment)?.[1];
    if (parameter !== undefined) {
      names.push(parameter);
      node = node.parameter ??= createNode();
    } else if (segment.includes("{")) node = mixedNode(node, segment, names);
    else node = textNode(node, segment);
  }
  if (node.end !== undefined) throw new Error(`routes ${node.end.path} and ${path} both match the same ${method} requests`);
  node.end = { path, names, value };
}

function textNode<T>(node: Node<T>, text: string): Node<T> {
  node.texts ??= new Map();
  const known = node.texts.get(text);
  if (known !== undefined) return known;
  const next = createNode<T>();
  node.texts.set(text, next);
  return next;
}

/** The node of a segment of text and parameters. The same pattern shares a node, whatever the names of its parameters. */
function mixedNode<T>(node: Node<T>, segment: string, names: string[]): Node<T> {
  let source = "";
  for (const piece of piecesOf(segment)) {
    const name = /^\{(\w+)\}$/.exec(piece)?.[1];
    if (name === undefined) source += literally(piece);
    else {
      names.push(name);
      source += wordsOf(name) ?? "(.+)";
    }
  }
  const pattern = new RegExp(`^${source}$`, "s");
  node.mixed ??= [];
  const known = node.mixed.find((one) => one.pattern.source === pattern.source);
  if (known !== undefined) return known.node;
  const next = createNode<T>();
  node.mixed.push({ pattern, node: next });
  return next;
}

/** A pattern group for a parameter with a fixed set of values. */
function wordsOf(name: string): string | undefined {
  const words = valuesOfPathParameter(name);
  return words && `(${words.map(literally).join("|")})`;
}

function addRest<T>(node: Node<T>, path: string, text: string, names: readonly string[], value: T): void {
  const restNames: string[] = [];
  let source = "";
  for (const [at, piece] of piecesOf(text).entries()) {
    const [, name, kind] = /^\{(\w+)([+*]?)\}$/.exec(piece) ?? [];
    const words = name === undefined ? literally(piece) : wordsOf(name);
    if (name !== undefined) restNames.push(name);
    if (at === 0) source += kind === "+" ? "(.+)" : "(.*)";
    else if (words === undefined || kind === "+" || kind === "*") {
      throw new Error(`route path ${path}: only text, and parameters with a fixed set of values, may follow a rest parameter`);
    } else source += words;
  }
  const pattern = new RegExp(`^${source}$`, "s");
  node.rests ??= [];
  const rival = node.rests.find((one) => one.pattern.source === pattern.source);
  if (rival !== undefined) throw new Error(`routes ${rival.path} and ${path} both match the same requests`);
  node.rests.push({ path, names: [...names, ...restNames], value, pattern });
  node.rests.sort((a, b) => b.pattern.source.length - a.pattern.source.length);
}

/** @param values collects the values of the parameters on the way; unchanged when no route is found */
function walk<T>(node: Node<T>, segments: readonly string[], at: number, values: string[]): End<T> | undefined {
  const segment = segments[at];
  if (segment === undefined) return node.end ?? walkRest(node, "", values);
  const text = node.texts?.get(segment);
  const found = text === undefined ? undefined : walk(text, segments, at + 1, values);
  if (found !== undefined) return found;
  const held = values.length;
  for (const { pattern, node: next } of node.mixed ?? []) {
    const match = pattern.exec(segment);
    if (match === null) continue;
    values.push(...match.slice(1));
    const end = walk(next, segments, at + 1, values);
    if (end !== undefined) return end;
    values.length = held;
  }
  if (node.parameter !== undefined && segment !== "") {
    values.push(segment);
    const end = walk(node.parameter, segments, at + 1, values);
    if (end !== undefined) return end;
    values.length = held;
  }
  return node.rests === undefined ? undefined : walkRest(node, segments.slice(at).join("/"), values);
}

function walkRest<T>(node: Node<T>, text: string, values: string[]): End<T> | undefined {
  const rest = text.replace(/\/{2,}/g, "/").replace(/^\/|\/$/g, "");
  for (const end of node.rests ?? []) {
    const match = end.pattern.exec(rest);
    if (match === null) continue;
    values.push(...match.slice(1));
    return end;
  }
  return undefined;
}

/** Whether a decoded segment of the path is `..` or contains one: such a path is not found. */
export function hasClimbingSegment(rawPath: string): boolean {
  if (!rawPath.includes("..") && !/%2e/i.test(rawPath)) return false;
  return rawPath.split(/\/|%2f|\\|%5c/i).some((segment) => segment.replace(/%2e/gi, ".") === "..");
}

/** Whether the decoded path contains a NUL. No name contains one, and databases cannot look one up. */
export const holdsNul = (rawPath: string): boolean => rawPath.includes("%00");

/**
 * Joins adjacent slashes in the path of a request target, as most servers do: clients often concatenate `/api/v1/` and `/version` to
 * `/api/v1//version`. Encoded slashes and the query stay unchanged, and so does the origin of a target in absolute form (RFC 9112, 3.2.2).
 */
export function joinSlashes(target: string): string {
  if (!target.includes("//")) return target;
  const query = target.indexOf("?");
  const path = query < 0 ? target : target.slice(0, query);
  const origin = /^[a-z]+:\/\/[^/]*/i.exec(path)?.[0] ?? "";
  return origin + path.slice(origin.length).replace(/\/{2,}/g, "/") + target.slice(path.length);
}
