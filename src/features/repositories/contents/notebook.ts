import { parseSmallJson } from "../../../core/bounded-json.ts";
import { type ImageType, imageTypeOf } from "./image-type.ts";

/** A Jupyter notebook (nbformat 4) reduced to displayable parts: text and images. HTML output is not displayed. */
export interface Notebook {
  /** The language of the code cells, by highlighter name. */
  readonly language: string;
  readonly cells: readonly NotebookCell[];
  /** The notebook has more content than is shown. */
  readonly isCut: boolean;
}

export type NotebookCell =
  | { readonly kind: "markdown"; readonly text: string }
  | { readonly kind: "raw"; readonly text: string }
  | { readonly kind: "code"; readonly text: string; readonly count: number | undefined; readonly outputs: readonly NotebookOutput[] };

export type NotebookOutput =
  | { readonly kind: "text" | "error"; readonly text: string }
  | { readonly kind: "image"; readonly picture: NotebookPicture }
  /** Output of an unsupported media type. */
  | { readonly kind: "other"; readonly type: string };

export interface NotebookPicture {
  /** Index among the images of the notebook. */
  readonly index: number;
  readonly type: ImageType;
  readonly data: Buffer;
  /** The alternative text from the notebook. */
  readonly text: string;
}

const maxCells = 300;
const maxOutputs = 50;
const maxTextLength = 50_000;
const maxPictures = 60;

/** @returns undefined if the source is not a notebook of this format, or has too many values */
export function readNotebook(source: Buffer): Notebook | undefined {
  const document = parseObject(source);
  if (document === undefined || document.nbformat !== 4 || !Array.isArray(document.cells)) return undefined;
  const language = membersOf(membersOf(document.metadata).language_info).name;
  const pictures: NotebookPicture[] = [];
  const cells = document.cells.slice(0, maxCells).map((cell) => readCell(membersOf(cell), pictures));
  return { language: typeof language === "string" ? language.slice(0, 50) : "", cells, isCut: document.cells.length > maxCells };
}

/** All images of a notebook, in order. */
export const picturesOf = ({ cells }: Notebook): readonly NotebookPicture[] =>
  cells.flatMap((cell) => (cell.kind === "code" ? cell.outputs.flatMap((output) => (output.kind === "image" ? [output.picture] : [])) : []));

type Members = Readonly<Record<string, unknown>>;

function parseObject(source: Buffer): Members | undefined {
  try {
    return membersOf(parseSmallJson(source));
  } catch {
    return undefined;
  }
}

const membersOf = (value: unknown): Members => (typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Members) : {});

/** Text is a list of lines or one string; anything else is ignored. */
const linesOf = (value: unknown): readonly string[] => (Array.isArray(value) ? value : [value]).filter((line) => typeof line === "string");

function textOf(value: unknown, between = ""): string {
  const text = linesOf(value).join(between);
  return text.length > maxTextLength ? `${text.slice(0, maxTextLength).toWellFormed()}…` : text;
}

function readCell(cell: Members, pictures: NotebookPicture[]): NotebookCell {
  const text = textOf(cell.source);
  if (cell.cell_type !== "code") return { kind: cell.cell_type === "markdown" ? "markdown" : "raw", text };
  const count = typeof cell.execution_count === "number" && Number.isSafeInteger(cell.execution_count) ? cell.execution_count : undefined;
  const outputs = Array.isArray(cell.outputs) ? cell.outputs.slice(0, maxOutputs) : [];
  return { kind: "code", text, count, outputs: outputs.flatMap((output) => readOutput(membersOf(output), pictures)) };
}

function readOutput(output: Members, pictures: NotebookPicture[]): NotebookOutput[] {
  if (output.output_type === "stream") return [{ kind: output.name === "stderr" ? "error" : "text", text: withoutColours(textOf(output.text)) }];
  if (output.output_type === "error") {
    const trace = textOf(output.traceback, "\n");
    return [{ kind: "error", text: withoutColours(trace === "" ? textOf(output.evalue) : trace) }];
  }
  const data = membersOf(output.data);
  const text = textOf(data["text/plain"]);
  const picture = findPicture(data, text, pictures.length);
  if (picture !== undefined) {
    pictures.push(picture);
    return [{ kind: "image", picture }];
  }
  if (text !== "") return [{ kind: "text", text: withoutColours(text) }];
  const [type] = Object.keys(data);
  return type === undefined ? [] : [{ kind: "other", type: type.slice(0, 100) }];
}

/** The first image by content, regardless of the declared type. SVG is stored as text in notebooks and not shown. */
function findPicture(data: Members, text: string, index: number): NotebookPicture | undefined {
  if (index >= maxPictures) return undefined;
  for (const name of ["image/png", "image/jpeg", "image/gif", "image/webp"]) {
    const content = Buffer.from(linesOf(data[name]).join(""), "base64");
    const type = imageTypeOf("", content);
    if (type !== undefined) return { index, type, data: content, text: text.slice(0, 200) };
  }
  return undefined;
}

/** Removes terminal colours (ECMA-48, select graphic rendition), which notebooks keep. */
const withoutColours = (text: string): string => text.replace(/\x1b\[[0-9;]*m/g, "");
