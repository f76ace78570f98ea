/** The dashboard, the inbox, profiles, and what they list. */
export const overview = `
.row-title { font-weight: 600; color: inherit; text-decoration: none } .row-title:hover { color: var(--accent); text-decoration: underline }
.activity > li, .people > li { display: flex; gap: .75rem; align-items: baseline } .people > li { align-items: flex-start } .activity .icon { color: var(--soft) } .activity .what, .people .what { flex: 1; min-width: 0 }
.people p { margin: 0 } .quotes { list-style: none; margin: .25rem 0 0; padding: 0 0 0 .75rem; border-left: 2px solid var(--line); color: var(--soft); font-size: .9375rem }
.bar h2 { margin: 0 } .waiting > header h3 { margin: 0; font-size: .875rem } .waiting .list > li:first-child { border-top: 0; padding-top: 0 } .waiting .list > li:last-child { border-bottom: 0; padding-bottom: 0 }
.steps { gap: 1rem } .steps a { font-weight: 600 } aside .button { margin-top: .5rem } .commits li.unread .what > a { font-weight: 700 } .commits li.read .what > a { font-weight: 400 } .commits form { margin: 0 }
.bar form, .box > header form { margin: 0 } .person .end { margin-left: auto }
.calendar { margin-bottom: 1.5rem } .calendar h2 { margin-top: 0 } .wide { overflow-x: auto; padding-bottom: .25rem } .wide svg { display: block } .wide text { font: 11px system-ui, sans-serif; fill: var(--soft) }
.level-0 { fill: light-dark(#ebedf0, #22272c) } .level-1 { fill: light-dark(#f4cdbb, #57301f) } .level-2 { fill: light-dark(#e79d7b, #8a4427) } .level-3 { fill: light-dark(#cc6a3f, #c2663d) } .level-4 { fill: light-dark(#a63c17, #f08a5d) }
.plain { border-collapse: collapse; margin-top: .5rem } .plain th, .plain td { text-align: left; padding: .25rem 1rem .25rem 0; border-top: 1px solid var(--line) } .plain thead th { border-top: 0; color: var(--soft); font-weight: 400 }
main > .tabs { margin: 0 0 1.25rem } .site .inbox { color: inherit } .site .inbox:hover { color: var(--accent) }
.wiki-footer { border-top: 1px solid var(--line); margin-top: 2rem; padding-top: 1rem } .removal { border-top: 1px solid var(--line); margin-top: 2rem } .bar h1 { margin: 0 }
@media (max-width: 40rem) { .site nav { order: 1; flex-basis: 100% } .site .inbox { margin-left: auto } }
.blame, .found { width: 100%; border-collapse: collapse; font: .8125rem/1.5 var(--mono) } .blame td, .found td { padding: 0 .75rem; vertical-align: top } .blame code, .found code { font: inherit; background: none; padding: 0; white-space: pre-wrap; tab-size: 4 }
.blame .first td { border-top: 1px solid var(--line) } .blame .by { min-width: 14rem; max-width: 18rem; font: .8125rem/1.5 system-ui, sans-serif } .blame .by .one-line { display: block } .blame .by span { display: block; font-size: .75rem }
.blame .number, .found .number { width: 1%; text-align: right; white-space: nowrap } .blame td:last-child, .found td:last-child { width: 99% } .number a { color: var(--soft); text-decoration: none } .blame tr:has(:target) { background: color-mix(in srgb, var(--accent) 14%, transparent) }
mark { background: color-mix(in srgb, var(--accent) 28%, transparent); color: inherit; border-radius: .125rem }
.editor { display: grid; gap: 1rem } .editor textarea { max-width: none } .counts a { color: inherit; text-decoration: none } .counts a:hover { text-decoration: underline; color: var(--accent) }
.marks { display: flex; flex-wrap: wrap; gap: .5rem; margin-bottom: 1rem } .marks form { margin: 0 }
details > summary { cursor: pointer }
`;
