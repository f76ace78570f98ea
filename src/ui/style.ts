import { createHash } from "node:crypto";

/** The style sheet of all pages. Colours follow the reader's preference; the narrowest screen is 320 px. */
export const style = `
:root { color-scheme: light dark;
  --ink: light-dark(#1f2328, #e6e8eb); --soft: light-dark(#59636e, #9aa4af); --paper: light-dark(#ffffff, #14171a); --sheet: light-dark(#f6f7f8, #1c2024);
  --line: light-dark(#d1d6db, #353b42); --edge: light-dark(#7d8590, #79838e); --accent: light-dark(#a63c17, #f08a5d); --on-accent: light-dark(#ffffff, #1a0f0a);
  --bad: light-dark(#b3261e, #ff9a90); --bad-sheet: light-dark(#fdecea, #3a1b19); }
*, ::before, ::after { box-sizing: border-box }
body { margin: 0; font: 1rem/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); overflow-wrap: anywhere }
a { color: var(--accent) }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
.skip { position: absolute; left: -100vw } .skip:focus { left: 1rem; top: 1rem; background: var(--paper); padding: .5rem 1rem }
.site { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem 1rem; padding: .75rem 1rem; border-bottom: 1px solid var(--line) }
.site .brand { font-weight: 700; color: inherit; text-decoration: none; margin-right: auto }
.site form { margin: 0 }
main { max-width: 60rem; margin: 0 auto; padding: 1.5rem 1rem 3rem }
main.narrow { max-width: 26rem }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 1rem }
p, ul { margin: 0 0 1rem } ul { padding-left: 1.25rem }
form.stack { display: grid; gap: 1rem }
.field { display: grid; gap: .25rem } .field label { font-weight: 600 } .field .hint { color: var(--soft); font-size: .875rem }
input { font: inherit; color: inherit; background: var(--paper); border: 1px solid var(--edge); border-radius: .375rem; padding: .5rem .625rem; width: 100%; min-height: 2.75rem }
input[aria-invalid="true"] { border-color: var(--bad) }
button { font: inherit; font-weight: 600; cursor: pointer; border: 1px solid var(--edge); border-radius: .375rem; padding: .5rem 1rem; min-height: 2.75rem; color: var(--ink); background: var(--sheet) }
button.primary { color: var(--on-accent); background: var(--accent); border-color: var(--accent) }
button.plain { min-height: 0; padding: .25rem .5rem; font-weight: 400 }
.actions { display: flex; flex-wrap: wrap; gap: .75rem } .actions button { flex: 1 1 8rem }
.notice { border: 1px solid var(--line); border-radius: .375rem; background: var(--sheet); padding: .75rem 1rem; margin: 0 0 1rem }
.notice.bad { border-color: var(--bad); background: var(--bad-sheet); color: var(--bad) }
.rows { list-style: none; padding: 0 } .rows > li { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: center; justify-content: space-between; border-top: 1px solid var(--line); padding: .75rem 0 }
.rows > li > div { flex: 1 1 16rem } .rows ul { margin: 0 }
.soft { color: var(--soft) }
code { font: .875em ui-monospace, monospace; background: var(--sheet); border-radius: .25rem; padding: .125em .375em }
@media (prefers-reduced-motion: no-preference) { button, input { transition: border-color .1s } }
`;

/** Its name holds its digest, so browsers may keep it for good. */
export const styleFile = `hearth-${createHash("sha256").update(style).digest("hex").slice(0, 16)}.css`;
export const stylePath = `/assets/${styleFile}`;
