import katex from "katex";
import sanitizeHtml, { type IOptions } from "sanitize-html";
import { escapeHtml } from "../../../core/escape-html.ts";
import type { Formula, FormulaResult } from "./jobs.ts";

/** Limits of KaTeX: macro expansions of a formula, and sizes in em. */
const limits = { maxExpand: 200, maxSize: 20 };
const maxLength = 5_000;
/** Macros can repeat a text many times. */
const maxHtmlLength = 100_000;

const spacing = ["lspace", "rspace", "width", "height", "depth", "voffset", "minsize", "maxsize", "linethickness"];
const colours = ["mathcolor", "mathbackground", "mathsize", "mathvariant"];

/** MathML as KaTeX writes it, without links, images, classes and styles. */
const mathml: IOptions = {
  allowedTags: [
    ...["math", "semantics", "annotation", "mrow", "mi", "mn", "mo", "ms", "mtext", "mspace", "mstyle", "mpadded", "mphantom", "menclose", "merror"],
    ...["mfrac", "msqrt", "mroot", "msub", "msup", "msubsup", "munder", "mover", "munderover", "mtable", "mtr", "mlabeledtr", "mtd"],
  ],
  allowedAttributes: {
    "*": [...spacing, ...colours],
    math: ["xmlns", "display"],
    annotation: ["encoding"],
    menclose: ["notation"],
    mo: ["fence", "form", "largeop", "movablelimits", "separator", "stretchy", "symmetric"],
    mover: ["accent"],
    munder: ["accentunder"],
    munderover: ["accent", "accentunder"],
    mstyle: ["displaystyle", "scriptlevel"],
    mtable: ["columnalign", "columnlines", "columnspacing", "rowalign", "rowlines", "rowspacing", "side"],
    mtd: ["columnalign"],
  },
};

const tooLarge = "the formula is too large";

/** Renders formulas to MathML, without a time limit. */
export const renderFormulas = (formulas: readonly Formula[]): readonly FormulaResult[] => formulas.map(renderFormula);

function renderFormula({ source, isDisplay }: Formula): FormulaResult {
  if (source.length > maxLength) return { problem: tooLarge };
  try {
    const html = sanitizeHtml(katex.renderToString(source, { ...limits, displayMode: isDisplay, output: "mathml", trust: false, strict: "ignore" }), mathml);
    if (html.length > maxHtmlLength) return { problem: tooLarge };
    return { html: `<span class="math" title="${escapeHtml(source)}">${html}</span>` };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}
