/** Colours, type, forms and the plain blocks. Colours follow the reader's preference; the narrowest screen is 320 px. */
export const base = `
:root { color-scheme: light dark;
  --ink: light-dark(#1f2328, #e6e8eb); --soft: light-dark(#59636e, #9aa4af); --paper: light-dark(#ffffff, #14171a); --sheet: light-dark(#f6f7f8, #1c2024);
  --line: light-dark(#d1d6db, #353b42); --edge: light-dark(#7d8590, #79838e); --accent: light-dark(#a63c17, #f08a5d); --on-accent: light-dark(#ffffff, #1a0f0a);
  --bad: light-dark(#b3261e, #ff9a90); --bad-sheet: light-dark(#fdecea, #3a1b19); --good: light-dark(#1a6f37, #6fd08c); --good-sheet: light-dark(#e6f6ea, #14301d);
  --mono: ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, monospace; --round: .375rem }
html[data-theme=light] { color-scheme: light } html[data-theme=dark] { color-scheme: dark }
*, ::before, ::after { box-sizing: border-box }
body { margin: 0; font: 1rem/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); overflow-wrap: anywhere }
a { color: var(--accent) }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
.skip { position: absolute; inset-inline-start: -100vw } .skip:focus { inset-inline-start: 1rem; top: 1rem; background: var(--paper); padding: .5rem 1rem }
main.narrow { max-width: 26rem }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 1rem }
p, ul, ol { margin: 0 0 1rem } ul, ol { padding-inline-start: 1.5rem } h1, h2, .empty p { text-wrap: balance }
.stack { display: grid; grid-template-columns: minmax(0, 1fr); gap: 1rem }
.field { display: grid; grid-template-columns: minmax(0, 1fr); gap: .25rem } .field label { font-weight: 600 } .field .hint { color: var(--soft); font-size: .875rem }
input { font: inherit; color: inherit; background: var(--paper); border: 1px solid var(--edge); border-radius: .375rem; padding: .5rem .625rem; width: 100%; min-height: 2.75rem }
select { font: inherit; color: inherit; background: var(--paper); border: 1px solid var(--edge); border-radius: var(--round); padding: .5rem .625rem; min-height: 2.75rem; max-width: 100% }
.check { display: flex; align-items: center; gap: .25rem } .check input { width: auto; min-height: 0; margin: 0; margin-inline-end: .375rem }
textarea { font: inherit; color: inherit; background: var(--paper); border: 1px solid var(--edge); border-radius: var(--round); padding: .5rem .625rem; width: 100%; resize: vertical }
input[aria-invalid="true"] { border-color: var(--bad) }
button { font: inherit; font-weight: 600; cursor: pointer; border: 1px solid var(--edge); border-radius: .375rem; padding: .5rem 1rem; min-height: 2.75rem; color: var(--ink); background: var(--sheet); overflow-wrap: break-word }
button.primary { color: var(--on-accent); background: var(--accent); border-color: var(--accent) }
button.plain { min-height: 0; padding: .25rem .5rem; font-weight: 400 }
.actions { display: flex; flex-wrap: wrap; gap: .75rem } .actions button { flex: 1 1 8rem }
.notice { border: 1px solid var(--line); border-radius: .375rem; background: var(--sheet); padding: .75rem 1rem; margin: 0 0 1rem }
.notice.bad { border-color: var(--bad); background: var(--bad-sheet); color: var(--bad) }
.rows { list-style: none; padding: 0 } .rows > li { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: center; justify-content: space-between; border-top: 1px solid var(--line); padding: .75rem 0 }
.rows > li > div { flex: 1 1 16rem } .rows ul { margin: 0 }
.soft { color: var(--soft) }
code { font: .875em var(--mono); background: var(--sheet); border-radius: .25rem; padding: .125em .375em }
@media (prefers-reduced-motion: no-preference) { button, input { transition: border-color .1s } }
a:not(:hover) { text-decoration-color: color-mix(in srgb, currentColor 40%, transparent) }
h2 { font-size: 1.125rem; line-height: 1.3; margin: 1.5rem 0 .75rem }
.icon { flex: none; vertical-align: -.15em }
.button { display: inline-flex; align-items: center; gap: .5rem; font-weight: 600; text-decoration: none; border: 1px solid var(--edge); border-radius: var(--round);
  padding: .375rem .875rem; color: var(--ink); background: var(--sheet); overflow-wrap: break-word }
.button:hover, button:hover { border-color: var(--ink) }
.badge { border: 1px solid var(--line); border-radius: 1rem; padding: 0 .625rem; font-size: .8125rem; color: var(--soft); white-space: nowrap }
.badge.good { color: var(--good); border-color: currentColor }
.avatar { border-radius: .25rem; vertical-align: -.25em; background: var(--sheet) }
.menu { position: relative } .menu summary { cursor: pointer; list-style: none; display: inline-flex; align-items: center; gap: .375rem; padding: .375rem .5rem; border-radius: var(--round) }
.menu summary::-webkit-details-marker { display: none } .menu summary:hover { background: var(--sheet) }
.menu .sheet { position: absolute; inset-inline-end: 0; z-index: 2; min-width: 14rem; display: grid; padding: .375rem; border: 1px solid var(--line); border-radius: var(--round); background: var(--paper);
  box-shadow: 0 .5rem 1.5rem rgb(0 0 0 / .12) }
.menu .sheet a, .menu .sheet button { text-align: start; width: 100%; text-decoration: none; color: var(--ink); padding: .5rem .625rem; border: 0; border-radius: .25rem; background: none }
.menu .sheet a:hover, .menu .sheet button:hover { background: var(--sheet) }
.empty { text-align: center; max-width: 34rem; margin: 3rem auto; color: var(--soft) } .empty h1, .empty h2 { color: var(--ink); margin: .75rem 0 .25rem }
.empty:has(pre) { max-width: 44rem } .empty > .icon { width: 2rem; height: 2rem; color: var(--accent) } .empty pre { text-align: start }
.pager { display: flex; justify-content: center; align-items: baseline; gap: 1rem; margin: 1.5rem 0 }
pre { font: .8125rem/1.5 var(--mono); background: var(--sheet); border: 1px solid var(--line); border-radius: var(--round); padding: .75rem 1rem; margin: 0 0 1rem; overflow-x: auto }
pre code { font: inherit; background: none; padding: 0 }
pre, code, kbd, textarea.code { direction: ltr } code, kbd { unicode-bidi: isolate } pre { text-align: left } a, strong, em, h1 span, option { unicode-bidi: plaintext } :dir(rtl) > .pointing { transform: scaleX(-1) }
`;
