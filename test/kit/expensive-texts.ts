/** Texts of the largest accepted size that are expensive to parse. Tests check what becomes of them, and `bench/parsers.ts` what they cost. */

const size = 50_000;
/** Repeats a part up to a length. */
export const fill = (part: string, length = size): string => part.repeat(Math.ceil(length / part.length)).slice(0, length);
const numbered = (count: number, line: (at: number) => string): string => Array.from({ length: count }, (_, at) => line(at)).join("\n");
const fenced = (code: string, language: string): string => `\`\`\`${language}\n${code}\n\`\`\`\n`;

/** Markdown. */
export const expensiveTexts: Readonly<Record<string, string>> = {
  "opening brackets": fill("["),
  "bracket pairs": `${fill("[", size / 2)}a${fill("]", size / 2)}`,
  "opening links": fill("[a]("),
  "opening links in angles": fill("[a](<b"),
  "links with open titles": fill('[a](b "c'),
  images: fill("![a](b)"),
  "opening images": fill("!["),
  references: `${numbered(size / 12, (at) => `[a${at}]: u`)}\n\n${fill("[a1]")}`,
  "one reference, large": `[a]: ${fill("u", 10_000)}\n\n${fill("[a]", 30_000)}`,
  "one reference, small": `[a]: ${fill("u", 4_000)} "${fill("t", 1_000)}"\n\n${fill("[a]", 2_500)}`,
  quotations: fill(">"),
  "nested lists": numbered(Math.sqrt(size), (at) => `${" ".repeat(at * 2)}- a`),
  "list markers": fill("- "),
  stars: fill("*"),
  "stars and words": fill("**a *a "),
  "closing stars": `${fill("*a **a ", size / 2)}${fill("b** b*", size / 2)}`,
  underscores: fill("_a__"),
  tildes: fill("~~a~ "),
  backticks: numbered(Math.sqrt(2 * size), (at) => "`".repeat(at)),
  "open tags": fill("<b>"),
  "open angles": fill("<"),
  attributes: `<a ${fill("b=c ")}>`,
  "nested elements": fill("<div>"),
  "open comments": fill("<!--"),
  "open declarations": fill("<!A <?a <![CDATA["),
  "raw text elements": fill("<noscript><svg><style>"),
  entities: fill("&#1;&amp"),
  "ten thousand columns": `|${fill("a|", 20_000)}\n|${fill("-|", 20_000)}\n|${fill("b|", 20_000)}`,
  "rows to be completed": `|${fill("a|", 5_000)}\n|${fill("-|", 5_000)}\n${fill("b\n")}`,
  headings: fill("# a\n"),
  "underlined headings": fill("a\n=\n"),
  "headings in bars": fill("|\n-\n"),
  "a hundred thousand issues": fill("#1 ", 300_000),
  mentions: fill("@a "),
  "a long name": `@${fill("a-.")}`,
  paths: fill("a.b/"),
  "object ids": fill("0123abc "),
  "a hundred thousand emoji": fill("🎉", 200_000),
  "emoji names": fill(":smile:", 100_000),
  colons: fill(":a"),
  flags: fill("🇩🇪🇫"),
  "joined emoji": fill("👨‍👩‍👧‍"),
  dollars: fill("$a "),
  "formula blocks": fill("$$\na\n\n"),
  "wiki links": fill("[[a"),
  "open footnotes": `[^a]: x\n\n${fill("[^")}`,
  footnotes: numbered(size / 20, (at) => `[^${at}]\n\n[^${at}]: n\n`),
  "footnote references": `[^a]: x\n\n${fill("[^a] ")}`,
  definitions: fill("a\n: b\n\n"),
  tasks: fill("- [ ] a\n"),
  alerts: fill("> [!NOTE]\n\n"),
  addresses: fill("http://a.b/("),
  "a long address": `http://${fill("a.")}`,
  mail: fill("a@b.c "),
  "a long mail name": `${fill("a")}@b.c`,
  schemes: fill("http://www."),
  "open fences": fill("```\n"),
  "a long fence": `\`\`\`${fill("a")}`,
  "code of many quotes": fenced(fill('"\\'), "js"),
  "code of open comments": fenced(fill("/*"), "c"),
  "code of open braces": fenced(fill("${`"), "js"),
  "code of open tags": fenced(fill("<a b='"), "html"),
  "code of numbers": fenced(fill("1e"), "ruby"),
  "code of spaces": fenced(fill(" "), "yaml"),
  backslashes: fill("\\"),
  spaces: `${fill(" ")}a`,
  "line ends": fill("\r\n"),
  zeros: fill("\u0000"),
  candidates: `<img srcset="${fill("a 1x,")}">`,
  climbing: `<a href="${fill("../")}">x</a>`,
  classes: `<p class="${fill("a ")}">`,
  styles: `<p style="${fill("color:red;")}">`,
};

/** Parts of Org texts; `fill` repeats them. */
export const expensiveOrgParts: readonly string[] = [
  "* a\n",
  "** a\n* b\n",
  "- a\n",
  "*a /b _c +d ",
  "[[a][",
  "#+begin_x\n",
  "#+begin_quote\n",
  "| a ",
  ": a\n",
  ":a:\n",
  "http://a",
  "*",
  "- a :: ",
];

/** Expands to more than a formula may take. */
export const endlessMacro = `\\def\\a{${"x".repeat(900)}}${"\\a".repeat(190)}`;

/** Formulas in TeX. */
export const expensiveFormulas: Readonly<Record<string, string>> = {
  "endless macros": "\\def\\a{\\a}\\a",
  "growing macros": "\\def\\a#1{#1#1#1#1}\\a{\\a{\\a{\\a{\\a{\\a{\\a{\\a{x}}}}}}}}",
  "macros defined by themselves": `\\def\\a{x}${"\\edef\\a{\\a\\a}".repeat(30)}\\a`,
  "a long macro, repeated": endlessMacro,
  "deep groups": "{".repeat(2_400) + "}".repeat(2_400),
  "deep roots": `${"\\sqrt{".repeat(700)}x${"}".repeat(700)}`,
  "wide tables": `\\begin{matrix}${"&".repeat(4_900)}\\end{matrix}`,
  "long tables": `\\begin{matrix}${"\\\\".repeat(2_400)}\\end{matrix}`,
  "a formula of 60,000 characters": "x".repeat(60_000),
};

const heading = '<h1 id="user-content-a">';

/** Rendered HTML with headings. */
export const expensiveHeadings: Readonly<Record<string, string>> = {
  "open headings": heading.repeat(40_000),
  "a heading of a million characters": `${heading}${"a".repeat(1_000_000)}</h1>`,
  "fifty thousand headings": numbered(50_000, (at) => `<h${(at % 3) + 1} id="user-content-h${at}">H ${at}</h${(at % 3) + 1}>`),
};

/** Texts with references to issues and users. */
export const expensiveReferences: Readonly<Record<string, string>> = {
  backticks: "`".repeat(200_000),
  fences: "```\n".repeat(50_000),
  "half-open spans": "`a ".repeat(60_000),
  "half-open comments": "<!-- #".repeat(30_000),
  keywords: "closes ".repeat(30_000),
  "at signs": "@a/".repeat(60_000),
};

/** Files of comma-separated values. */
export const expensiveTables: Readonly<Record<string, string>> = {
  commas: ",".repeat(1_000_000),
  rows: "a\n".repeat(500_000),
  quotes: '""'.repeat(500_000),
  "quotes in quotes": `"${'""'.repeat(400_000)}`,
  "open quotes": '"a,'.repeat(300_000),
};
