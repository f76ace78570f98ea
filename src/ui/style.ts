import { createHash } from "node:crypto";
import { base } from "./style/base.ts";
import { code } from "./style/code.ts";
import { forms } from "./style/forms.ts";
import { layout } from "./style/layout.ts";
import { overview } from "./style/overview.ts";
import { plots } from "./style/plots.ts";
import { review } from "./style/review.ts";
import { scripts } from "./style/scripts.ts";

/** The style sheet of all pages. */
export const style = base + layout + code + forms + overview + plots + review + scripts;

/** Its name holds its digest, so browsers may keep it for good. */
export const styleFile = `hearth-${createHash("sha256").update(style).digest("hex").slice(0, 16)}.css`;
export const stylePath = `/assets/${styleFile}`;
