/** The frame of all pages, and what the pages of a repository share. */
export const layout = `
.site { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem 1.25rem; padding: .625rem max(1rem, (100vw - 76rem) / 2); border-bottom: 1px solid var(--line) }
.site .brand { display: inline-flex; align-items: center; gap: .375rem; font-weight: 700; color: inherit; text-decoration: none } .site .brand .icon { color: var(--accent) }
.site nav { display: flex; gap: 1rem } .site nav a { color: inherit; text-decoration: none } .site nav a:hover { text-decoration: underline }
.site form { margin: 0 } .site .search { flex: 1 1 8rem; max-width: 22rem; margin-inline-start: auto } .site .search input { min-height: 2.25rem; padding: .25rem .625rem }
@media (max-width: 40rem) { .site > .button { margin-inline-start: auto } .site .search { order: 1; flex-basis: 100%; max-width: none } .site nav { margin-inline-end: auto } }
main { max-width: 78rem; margin: 0 auto; padding: 1.5rem 1rem 4rem }
.repository { max-width: 78rem; margin: 0 auto; padding: 1rem 1rem 0 }
.repository .title { display: flex; flex-wrap: wrap; align-items: center; gap: .25rem .625rem } .repository .title > .icon { color: var(--soft) }
.repository .name, .path { direction: ltr; unicode-bidi: isolate } .repository .name { margin: 0; font-size: 1.125rem } .repository .name a { text-decoration: none } .repository .name a:hover { text-decoration: underline }
.repository .title > span:last-child { margin-inline-start: auto; font-size: .875rem } .repository .origin { margin: 0; font-size: .875rem }
.repository .title > .icon + .name { max-width: calc(100% - 2rem) }
.tabs { display: flex; gap: .125rem; margin-top: .75rem; border-bottom: 1px solid var(--line); overflow-x: auto }
.tabs a { display: inline-flex; align-items: center; gap: .375rem; padding: .5rem .5625rem; color: var(--ink); text-decoration: none; border-bottom: 2px solid transparent; white-space: nowrap }
.tabs a:hover { background: var(--sheet) } .tabs a[aria-current] { border-color: var(--accent); font-weight: 600 } .tabs .icon { color: var(--soft) }
.columns { display: grid; grid-template-columns: minmax(0, 1fr) 17rem; gap: 2rem } .columns aside h2:first-child { margin-top: 0 }
.profile > aside { order: 1 }
@media (max-width: 56rem) { .columns { grid-template-columns: minmax(0, 1fr) } .profile > aside { order: 0 } .profile { gap: .75rem } }
.facts { list-style: none; padding: 0; display: grid; gap: .5rem; color: var(--soft) } .facts .icon { margin-inline-end: .375rem }
.chips { display: flex; flex-wrap: wrap; gap: .375rem; padding: 0; list-style: none } .chips .badge { display: block; color: var(--accent); text-decoration: none } .chips .badge:hover { border-color: currentColor } .list .chips { margin: .25rem 0 }
.find { display: flex; flex-wrap: wrap; gap: .75rem; margin-bottom: 1rem; align-items: end } .find input { max-width: 28rem; flex: 1 1 14rem } .find .button { min-height: 2.75rem } .find .field:has(> input) { flex: 0 1 18rem }
.find:has(.hint) { align-items: start } @media (min-width: 40rem) { .find:has(.hint) > button { margin-top: 1.75rem } }
.list { list-style: none; padding: 0; margin: 0 } .list > li { border-top: 1px solid var(--line); padding: .875rem 0 } .list > li:last-child { border-bottom: 1px solid var(--line) }
.list h2, .list h3 { margin: 0 0 .25rem; font-size: 1rem; display: flex; flex-wrap: wrap; gap: .25rem .625rem; align-items: center } .list h2 a:not(.label), .list h3 a:not(.label) { text-decoration: none; color: inherit }
.list h2 > .icon + a { max-width: calc(100% - 1.75rem) } .list h2 a[dir] { text-align: left } .list h2 a:hover, .list h3 a:hover { text-decoration: underline; color: var(--accent) } .list p { margin: 0 0 .25rem } .list .meta { display: flex; flex-wrap: wrap; gap: .25rem 1rem; color: var(--soft); font-size: .875rem }
.label { display: inline-flex; align-items: center; gap: .375rem; border: 1px solid var(--line); border-radius: 1rem; padding-inline: .5rem .625rem; font-size: .8125rem; font-weight: 400; color: var(--ink); max-width: 100%; text-decoration: none }
.tick svg, .label svg { flex: none } circle.edge { stroke: color-mix(in srgb, var(--ink) 35%, transparent) } .issues > li { display: flex; gap: .75rem; align-items: baseline } .issues .what { flex: 1; min-width: 0 } .state, .state-badge { color: var(--good) } .state.closed, .state.merged, .state-badge.closed, .state-badge.merged { color: light-dark(#7a3fb0, #c79bf2) }
.state.rejected, .state-badge.rejected { color: var(--bad) } .state.draft, .state-badge.draft { color: var(--soft) }
.state-badge { display: inline-flex; align-items: center; gap: .375rem; border: 1px solid currentColor; border-radius: 1rem; padding: .125rem .75rem; font-weight: 600 }
.issue-title { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem .75rem; margin-bottom: 1.25rem } .issue-title h1 { flex-basis: 100%; margin: 0 } .issue-title h1 span { color: var(--soft); font-weight: 400; unicode-bidi: isolate }
.timeline { list-style: none; padding: 0; margin: 0 0 1.5rem; display: grid; gap: .875rem } .timeline .event { display: flex; flex-wrap: wrap; gap: .25rem .5rem; align-items: center; padding-inline-start: .875rem; color: var(--soft); font-size: .9375rem }
.timeline .box { margin: 0 } .switch { display: inline-flex; flex-wrap: wrap; align-items: center; gap: .25rem } .switch a { white-space: nowrap; padding: .25rem .75rem; border-radius: var(--round); color: var(--ink); text-decoration: none } .switch a:hover { background: var(--sheet) }
.switch a[aria-current] { background: var(--sheet); font-weight: 600 } .side h2 { font-size: .875rem; color: var(--soft); margin: 1rem 0 .25rem } .side h2:first-child { margin-top: 0 } .side p { margin: 0 }
.box > .commits { margin: 0 } .side p + form, .side p + .bar { margin-top: .375rem } .box > .below { border-top: 1px solid var(--line) } .below h3 { margin: 0 0 .5rem; font-size: .9375rem } .plain-list { list-style: none; margin: 0; padding: 0; display: grid; gap: .375rem }
.within > p:last-child, .within > ul:last-child { margin-bottom: 0 } main > .tabs { margin: 0 0 1.25rem }
.person { display: flex; flex-wrap: wrap; gap: 1rem; align-items: center; margin-bottom: 1.5rem } .person > div:not(.end) { flex: 1 1 11rem; min-width: 0 } .person h1 { margin: 0 } .person .avatar { border-radius: .5rem }
.side .folded { margin: .5rem 0 } .folded[open] > .stack { margin-top: .75rem } .side .folded > summary, .reactions summary { cursor: pointer; color: var(--soft); font-size: .875rem } .side .folded > form { margin-top: .5rem } .side form.inline { display: inline-flex } .side .plain-list { margin: .25rem 0 .5rem }
button.small { min-height: 2rem; padding: .125rem .625rem; font-size: .875rem; font-weight: 400 } .narrow-form { max-width: 34rem } .how { margin-bottom: 1rem } .how > summary { color: var(--soft); font-size: .875rem } .how p { margin: .25rem 0 0; max-width: 60rem }
.ticks { border: 1px solid var(--line); border-radius: var(--round); padding: .25rem .75rem .5rem; max-height: 16rem; overflow-y: auto } .ticks legend { font-weight: 600; padding: 0 .25rem } .tick { display: flex; align-items: center; gap: .5rem; padding: .25rem 0; font-weight: 400 } .tick input, input.tick-box { width: 1.125rem; height: 1.125rem; min-height: 0; margin: 0; flex: none }
.reactions { padding: 0 1rem .625rem } .reactions form, .reactions .choices { display: flex; flex-wrap: wrap; gap: .25rem .375rem; align-items: center } .reaction { min-height: 1.75rem; padding: 0 .5rem; border: 1px solid var(--line); border-radius: 1rem; background: none; font-size: .875rem; font-weight: 400 } .reaction[aria-pressed="true"] { border-color: var(--accent); background: var(--sheet) }
.reactions details { position: relative } .reactions summary { list-style: none; padding: 0 .375rem; line-height: 1.75rem } .reactions summary::-webkit-details-marker { display: none } .reactions details[open] { display: flex; gap: .375rem }
.bulk { margin-bottom: .75rem } .bulk > summary { cursor: pointer; color: var(--soft); font-size: .9375rem } .bulk-fields { display: grid; grid-template-columns: repeat(auto-fill, minmax(13rem, 1fr)); gap: .75rem 1rem; align-items: start; margin-top: .75rem; padding: 1rem; border: 1px solid var(--line); border-radius: var(--round) } .bulk-fields > .bar, .bulk-fields > .notice { grid-column: 1 / -1 } .bulk-fields .field select { width: 100% } .columns .field textarea[data-markdown] { max-width: none } .issues .tick-box { align-self: center }
.tick-all { display: flex; gap: 1rem; align-items: center; margin: 0 0 .5rem }
.changed-lines { margin: 0; border: 0; white-space: pre-wrap } .changed-lines ins { background: var(--good-sheet); text-decoration: none } .changed-lines del { background: var(--bad-sheet) }
.pinned { list-style: none; margin: 0 0 1rem; padding: 0; display: grid; grid-template-columns: repeat(auto-fit, minmax(min(16rem, 100%), 1fr)); gap: .75rem } .pinned li { margin: 0; padding: .625rem .875rem } .pinned a { font-weight: 600; color: inherit; text-decoration: none } .pinned a:hover { text-decoration: underline } .pinned .box > p { padding: 0; margin: .25rem 0 0; font-size: .875rem } .pinned .bar { margin: .5rem 0 0 } .side .plain-list form { margin-inline-start: .5rem } .side .bar:empty { display: none }
`;
