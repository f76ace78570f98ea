/** What the scripts of pages add to them. */
export const scripts = `
[hidden] { display: none !important } form[aria-busy] button { opacity: .6 }
.draft { display: flex; flex-wrap: wrap; gap: .25rem .5rem; align-items: center } .told { margin: .25rem 0 0 }
.modes { margin-bottom: .25rem } .modes button { border: 0; background: none; border-radius: var(--round) } .modes button[aria-pressed="true"] { background: var(--sheet); font-weight: 600 } .preview { min-height: 7rem; margin: 0 }
.copied { position: relative } .copied:has(> pre) { direction: ltr } .copied:has(> input) { max-width: 36rem } .copied > button.copy { position: absolute; top: .4375rem; inset-inline-end: .4375rem; margin: 0; font-size: .8125rem } .copied > input { padding-inline-end: 5.5rem } .copied > pre { padding-inline-end: 5.5rem }
dialog { border: 1px solid var(--line); border-radius: var(--round); background: var(--paper); color: var(--ink); padding: 1.25rem; width: min(36rem, calc(100vw - 2rem)); max-height: 80vh } dialog::backdrop { background: rgb(0 0 0 / .4) } dialog h2 { margin-top: 0 }
.keys dl { display: grid; grid-template-columns: max-content 1fr; gap: .5rem 1rem; margin: 0 0 1rem } .keys dt { display: flex; gap: .25rem } .keys dd { margin: 0 }
kbd { white-space: nowrap; font: .8125rem var(--mono); border: 1px solid var(--edge); border-bottom-width: 2px; border-radius: .25rem; padding: .0625rem .4375rem; background: var(--sheet) }
.finder { top: 10vh; margin-top: 0 } .finder ul { list-style: none; padding: 0; margin: .75rem 0 0; max-height: 50vh; overflow-y: auto } .options li { display: flex; gap: 1rem; justify-content: space-between; align-items: baseline; padding: .375rem .5rem; border-radius: .25rem; cursor: pointer } .options li > span:first-child { min-width: 0 } .options .soft { flex: none; max-width: 50%; font-size: .875rem } .options li:hover { background: var(--sheet) } .options li[aria-selected="true"] { background: var(--sheet); box-shadow: inset 3px 0 var(--accent) }
.field:has(> .suggestions), .suggests { position: relative } .suggestions { position: absolute; z-index: 3; list-style: none; margin: 0; padding: .25rem; width: min(24rem, 100%); max-height: 16rem; overflow-y: auto; border: 1px solid var(--line); border-radius: var(--round); background: var(--paper); box-shadow: 0 .5rem 1.5rem rgb(0 0 0 / .12) }
.spoken { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap }
.site .inbox { display: inline-flex; align-items: center; gap: .25rem } .site .count { background: var(--accent); color: var(--on-accent); border-radius: 1rem; padding: 0 .4375rem; font-size: .75rem; font-weight: 600 }
.drop-zone { border: 2px dashed var(--edge); border-radius: var(--round); padding: 1.5rem 1rem; margin: 0; text-align: center; color: var(--soft); max-width: 36rem } .drop-zone[data-over] { border-color: var(--accent); color: var(--ink) }
.chosen { margin: .25rem 0 0 } .chosen:empty { display: none }
.within-diff > input { display: block; max-width: 24rem; margin: .75rem 0 0 }
`;
