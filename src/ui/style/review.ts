/** The files of a pull request, and what is said of their lines. */
export const review = `
main:has(.changes), .repository:has(~ main .changes) { max-width: 110rem } .site:has(~ main .changes) { padding-inline: max(1rem, (100vw - 108rem) / 2) } .changes { display: grid; grid-template-columns: 17rem minmax(0, 1fr); gap: 1.25rem; align-items: start }
.tree { position: sticky; top: 0; max-height: 100vh; overflow-y: auto; padding: .25rem 0; font-size: .875rem } .tree > input { min-height: 2.25rem; padding: .25rem .625rem; margin-bottom: .5rem }
.tree ul { list-style: none; margin: 0; padding: 0 } .tree ul ul { padding-left: .875rem } .tree li { padding: .125rem 0 } .tree a { color: var(--ink); text-decoration: none } .tree a:hover { text-decoration: underline; color: var(--accent) }
.tree .folder { color: var(--soft) } .tree .folder .icon { margin-right: .375rem; color: var(--accent) } .tree li > .icon { margin-left: .375rem; color: var(--good) } .tree .badge { margin-left: .375rem; padding: 0 .375rem }
@media (max-width: 56rem) { .changes { grid-template-columns: minmax(0, 1fr) } .tree { position: static; max-height: 14rem; border: 1px solid var(--line); border-radius: var(--round); padding: .5rem .75rem } }
.change > header { position: sticky; top: 0; z-index: 1 } .change > header h2 { min-width: 0; flex: 0 1 auto } .change > details > summary { padding: .25rem .875rem; font-size: .8125rem; cursor: pointer } .change > details > p { padding: .75rem 1rem; margin: 0 }
.viewed { margin: 0 } .viewed button { display: inline-flex; gap: .375rem; align-items: center } .viewed .icon { opacity: 0 } .viewed button[aria-pressed=true] { color: var(--good); border-color: currentColor } .viewed button[aria-pressed=true] .icon { opacity: 1 }
.switch button[aria-pressed=true] { background: var(--sheet); font-weight: 600 } .switch button { border: 0; background: none; border-radius: var(--round); padding: .25rem .75rem } form.switch { margin: 0 } .switch button { min-height: 0 }
.diff .number a { display: block; color: inherit; text-decoration: none } .diff .number a::before { content: attr(data-line) } .diff .number a:hover, .diff .number a:focus { color: var(--accent); font-weight: 700 }
.diff .number:has(a)::before { content: none } .diff .gap { display: inline-block; padding: 0 .5rem; color: var(--accent) }
.diff.split { table-layout: fixed } .diff.split col.number { width: 3.5rem } .diff.split .number { min-width: 0 } .diff.split td.none { background: var(--sheet) } .diff.split td.added { background: var(--good-sheet) } .diff.split td.removed { background: var(--bad-sheet) }
.diff.split td:nth-child(3) { border-left: 1px solid var(--line) }
.diff .talk > td { padding: .625rem .875rem; font: 1rem/1.5 system-ui, sans-serif; white-space: normal; background: var(--paper); border-top: 1px solid var(--line); border-bottom: 1px solid var(--line); tab-size: 4 }
.diff .talk td .diff td { font: .8125rem/1.5 var(--mono) } .thread, .write { max-width: 52rem; border: 1px solid var(--line); border-radius: var(--round); padding: .625rem .875rem; margin: 0 0 .5rem; background: var(--paper) } .talk .thread:last-child, .talk .write:last-child { margin: 0 }
.write h3 { margin: 0 0 .5rem; font-size: .9375rem } .write .field input { width: 6rem } .others h3 { margin: 0 0 .5rem; font-size: .9375rem } .said + .said { border-top: 1px solid var(--line); padding-top: .625rem } .said > p { margin: 0 0 .375rem; font-size: .875rem } .said .markdown > :last-child { margin-bottom: .5rem }
.thread > .bar { margin: .375rem 0 0; align-items: start } .thread > .bar form { margin: 0 } .thread .reply { flex: 1 1 16rem } .thread .reply > summary { padding: .25rem 0 } .thread .reply[open] > summary { margin-bottom: .5rem }
.suggestion { margin: .25rem 0 .75rem } .suggestion form { margin: 0 } .thread > .bar button, .suggestion button { min-height: 0; padding: .25rem .625rem; font-size: .875rem } #review > form { margin-top: .75rem } #review > .below { margin-top: 1rem }
@media (max-width: 40rem) { .diff .number { min-width: 2rem; padding: 0 .25rem } .diff.split col.number { width: 2.25rem } } .write, .said, .change tr { scroll-margin-top: 4rem }
`;
