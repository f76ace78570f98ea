/** Forms of many fields, and pages of settings beside their list. */
export const forms = `
.hint { color: var(--soft); font-size: .875rem } .wrong { color: var(--bad); font-size: .875rem; font-weight: 600 } .notice.good { border-color: var(--good); background: var(--good-sheet); color: var(--good) }
fieldset { border: 0; border-top: 1px solid var(--line); margin: 0; padding: 1rem 0 0; min-width: 0; display: grid; gap: .75rem } legend { float: inline-start; width: 100%; padding: 0; font-weight: 600; font-size: 1.0625rem } legend + * { clear: both }
.hint .markdown > * { margin-block: 0 .25rem } .field .hint a { text-underline-offset: .2em }
fieldset > .hint { margin: -.5rem 0 0 } .check { align-items: flex-start } .check input { flex: none; width: 1.125rem; height: 1.125rem; margin-block: .1875rem 0; margin-inline: 0 .5rem; accent-color: var(--accent) } .check > div { display: grid }
.field input, .field select, .field textarea, .stack > .ticks { max-width: min(36rem, 100%) } .stack > .field textarea[data-markdown] { max-width: min(60rem, 100%) } .field select { width: max-content } textarea.code { font: .875rem/1.5 var(--mono) } .field input[type=date] { width: max-content }
select[aria-invalid="true"], textarea[aria-invalid="true"] { border-color: var(--bad) }
.rows .button { min-height: 2.75rem } .beside { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(15rem, 100%), 1fr)); gap: .75rem 1.5rem }
button.danger { color: var(--bad); border-color: var(--bad); background: none } button.danger:hover { color: var(--paper); background: var(--bad); border-color: var(--bad) } button.small, .button.small { min-height: 0; padding: .25rem .625rem; font-size: .875rem }
.settings { display: grid; grid-template-columns: 14rem minmax(0, 1fr); gap: 2.5rem } .settings > nav { display: grid; align-content: start; gap: .125rem }
.settings > nav a { padding: .375rem .75rem; border-radius: var(--round); color: var(--ink); text-decoration: none; border-inline-start: 3px solid transparent } .settings > nav a:hover { background: var(--sheet) }
.settings > nav a[aria-current] { background: var(--sheet); border-color: var(--accent); font-weight: 600 } .settings > nav h2 { font-size: .8125rem; color: var(--soft); margin-block: 1rem .25rem; margin-inline: .9375rem 0 }
.settings > nav h2:first-child { margin-top: 0 } .settings section > h2:first-child, .settings > div > h2:first-child { margin-top: 0 } .settings section { margin-bottom: 2.5rem } .settings form + section, .settings .rows + form { margin-top: 2.5rem }
@media (max-width: 56rem) { .settings { grid-template-columns: minmax(0, 1fr); gap: 1.25rem } .settings > nav { display: flex; min-width: 0; overflow-x: auto; border-bottom: 1px solid var(--line) } .settings > nav h2 { display: none } .settings > nav a { flex: none; padding: .375rem .5rem; font-size: .9375rem; border-inline-start: 0; border-bottom: 3px solid transparent } }
.danger-zone { border: 1px solid var(--bad); border-radius: var(--round); padding: 0 1.25rem } .danger-zone > .rows { margin: 0 } .danger-zone > .rows > li:first-child { border-top: 0 } .rows strong { font-weight: 600 }
.rows .avatar { vertical-align: -.45em } .rows form { margin: 0 } .rows .end { flex: 0 1 auto; display: flex; flex-wrap: wrap; gap: .5rem; align-items: center } .rows > li > .end { flex: 0 1 auto }
details.more > summary { cursor: pointer; padding: .5rem 0; font-weight: 600 } details.more[open] > summary { margin-bottom: .75rem }
.table { width: 100%; border-collapse: collapse; font-size: .9375rem } .table th { text-align: start; font-size: .8125rem; color: var(--soft); font-weight: 600 } .table th, .table td { padding-block: .5rem; padding-inline: 0 .75rem; border-top: 1px solid var(--line); vertical-align: top }
.table tr:first-child th { border-top: 0 } .wide { overflow-x: auto } .secret { display: block; padding: .75rem 1rem; font-size: .9375rem; user-select: all } dl.pairs { display: grid; grid-template-columns: minmax(8rem, max-content) minmax(0, 1fr); gap: .375rem 1.5rem; margin: 0 0 1.5rem }
dl.pairs dt { color: var(--soft) } dl.pairs dd { margin: 0 } @media (max-width: 40rem) { dl.pairs { grid-template-columns: minmax(0, 1fr); gap: 0 } dl.pairs dd { margin-bottom: .5rem } }
form.inline { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; margin: 0 } form.inline .field label { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%) } .settings h3 { font-size: 1rem; margin: 1.25rem 0 .75rem }
progress { display: block; appearance: none; width: 100%; max-width: 24rem; height: .5rem; margin: .375rem 0; border: 0; border-radius: .25rem; overflow: hidden; background: var(--line) }
progress::-webkit-progress-bar { background: var(--line) } progress::-webkit-progress-value { background: var(--accent) } progress::-moz-progress-bar { background: var(--accent) } .field input[type=color] { width: 4rem; padding: .25rem }
.badge.bad { color: var(--bad); border-color: currentColor }
svg.qr + p, .secret + p { margin-top: .75rem } svg.qr { display: block; width: 14rem; height: auto; border: 1px solid var(--line); border-radius: var(--round) } :is(main.narrow, .narrow-form) > form + p { margin-top: 1.25rem } main.narrow p > .button { display: block; text-align: center } .or { text-align: center }
`;
