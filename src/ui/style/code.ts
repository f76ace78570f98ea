/** Files, histories and differences. */
export const code = `
.bar { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem .75rem; margin-bottom: .75rem } .bar .end { margin-inline-start: auto; display: flex; flex-wrap: wrap; align-items: center; gap: .5rem }
.path { font-size: 1rem; font-weight: 400; margin: 0 } .path strong { font-weight: 600 }
.box { border: 1px solid var(--line); border-radius: var(--round); margin-bottom: 1.25rem; min-width: 0 }
.box > header { display: flex; flex-wrap: wrap; align-items: center; gap: .375rem .75rem; padding: .5rem .875rem; background: var(--sheet); border-bottom: 1px solid var(--line); border-radius: var(--round) var(--round) 0 0;
  font-size: .875rem } .box > header .end { margin-inline-start: auto; display: flex; flex-wrap: wrap; align-items: center; gap: .375rem .75rem } .box > header .check { align-items: center } .box > header .check input { margin-top: 0 } .box > header h2 { margin: 0; font-size: .875rem }
.box > header a { color: inherit } .box > .notice { border: 0; margin: 0 } .box > .within { padding: 1rem 1.25rem } .box > p { padding: 1rem; margin: 0 }
.one-line { flex: 1 1 10rem; min-width: 0; white-space: nowrap; overflow: hidden; text-overflow: ellipsis }
.files { width: 100%; border-collapse: collapse; font-size: .9375rem; table-layout: fixed } .files td { border-top: 1px solid var(--line); padding: .4375rem .875rem; white-space: nowrap; overflow: hidden; text-overflow: ellipsis }
.files tr:first-child td { border-top: 0 } .files tr:hover td { background: var(--sheet) } .files a { color: inherit; text-decoration: none } .files a:hover { color: var(--accent); text-decoration: underline }
.files .icon { margin-inline-end: .5rem; color: var(--soft) } .files .folder .icon { color: var(--accent) } .files td:nth-child(n + 2) { color: var(--soft) } .files td:nth-child(3) { text-align: end }
.files .name { width: 32% } .files .when { width: 9.5rem }
@media (max-width: 40rem) { .files .name { width: auto } .files .last { width: 0 } .files .when { width: 8.5rem } .files td:nth-child(2) { padding: 0 } }
.hidden { position: absolute; inset-inline-start: 0; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap }
.lines, .diff, .blame, .found { direction: ltr } .lines { position: relative; display: grid; grid-template-columns: max-content minmax(0, 1fr); font: .8125rem/1.5 var(--mono) }
.lines .numbers { display: grid; padding: .75rem 0; text-align: end; user-select: none } .lines .numbers a { padding-inline: 1rem .75rem; color: var(--soft); text-decoration: none; scroll-margin-top: 6rem }
.lines .numbers a:hover { color: var(--ink) } .lines .numbers a:target { color: var(--ink); font-weight: 600 }
.picture { padding: 1.5rem; text-align: center; border-radius: 0 0 var(--round) var(--round) } .picture img, .notebook img { max-width: 100%; background: repeating-conic-gradient(#fff 0 25%, #e3e3e3 0 50%) 0 0 / 1rem 1rem }
.notebook { padding: 1rem 1.25rem; display: grid; grid-template-columns: minmax(0, 1fr); gap: 1rem } .notebook pre { margin: 0; white-space: pre-wrap } .notebook .cell { display: grid; grid-template-columns: 2.5rem minmax(0, 1fr); gap: .375rem .5rem } .notebook .count { font: .8125rem/2.75 var(--mono); text-align: end }
.notebook .output { grid-column: 2 } .notebook .output pre { background: none; border-color: transparent; padding: .25rem 1rem } .notebook .bad { color: var(--bad) } @media (max-width: 40rem) { .notebook .cell { display: block } .notebook .output { margin-top: .5rem } }
.lines .marked { position: absolute; inset-inline: 0; background: color-mix(in srgb, var(--accent) 14%, transparent); pointer-events: none } .lines[data-marked] .numbers a:target::before { content: none }
.lines .numbers a:target::before { content: ""; position: absolute; inset-inline: 0; height: 1.5em; background: color-mix(in srgb, var(--accent) 14%, transparent); pointer-events: none }
.lines pre { margin: 0; border: 0; border-radius: 0; background: none; padding: .75rem 1rem .75rem .25rem; tab-size: 4 }
.markdown { overflow-wrap: break-word } .markdown ul { list-style-type: disc } .markdown ul ul { list-style-type: circle } .markdown > :first-child { margin-top: 0 } .markdown > :last-child { margin-bottom: 0 } .markdown img { max-width: 100% }
.markdown h2, .markdown h3 { border-bottom: 1px solid var(--line); padding-bottom: .25rem } .markdown h2 { font-size: 1.5rem } .markdown h3 { font-size: 1.25rem } .markdown table { margin: 0 0 1rem; border-collapse: collapse; display: block; overflow-x: auto }
.markdown th, .markdown td { border: 1px solid var(--line); padding: .375rem .75rem } .markdown blockquote { margin: 0 0 1rem; padding: 0 1rem; border-inline-start: 3px solid var(--line); color: var(--soft) } .markdown blockquote:has(> :dir(rtl)) { direction: rtl }
.markdown li.task-list-item { list-style: none } .markdown input { width: auto; min-height: 0; margin: 0; margin-inline-end: .375rem; vertical-align: middle } .markdown li > ul, .markdown li > ol { margin: 0 }
.commits { list-style: none; padding: 0; margin: 0 0 1.25rem } .commits > li { display: flex; flex-wrap: wrap; gap: .25rem 1rem; align-items: center; padding: .625rem .875rem; border-top: 1px solid var(--line) } .commits > li:first-child { border-top: 0 }
.commits .what { flex: 1 1 18rem; min-width: 0 } .commits .what > a { display: inline-block; padding-block: .1875rem; color: inherit; font-weight: 600; text-decoration: none } .commits .what > a:hover { color: var(--accent); text-decoration: underline }
.commits .who { color: var(--soft); font-size: .875rem } .oid { font: .8125rem var(--mono) } .message { white-space: pre-wrap; background: none; border: 0; padding: 0; margin: 0; font: .875rem/1.5 var(--mono) }
.within-diff { padding: .625rem .875rem } .within-diff ol { margin: .5rem 0 0; font-size: .9375rem } .commits .icon { color: var(--soft) } .commits .state .icon { color: inherit }
.box > .within + header { border-top: 1px solid var(--line); border-radius: 0 } .box > .within > h1:last-child { margin-bottom: 0 } .box > .facts { margin: 0; padding: .375rem .875rem; min-height: 2.75rem; font-size: .875rem }
.pictures { display: flex; flex-wrap: wrap; gap: 1rem; padding: 1rem; justify-content: center; text-align: center } .pictures figure { margin: 0; flex: 0 1 auto; min-width: 0 } .pictures img { display: block; max-width: 100%; max-height: 40rem; margin: 0 auto .375rem; background: repeating-conic-gradient(#fff 0 25%, #e3e3e3 0 50%) 0 0 / 1rem 1rem }
.plus { color: var(--good) } .minus { color: var(--bad) }
.diff { width: 100%; border-collapse: collapse; font: .8125rem/1.5 var(--mono); tab-size: 4 } .diff td { padding: 0 .5rem; white-space: pre-wrap; overflow-wrap: anywhere; vertical-align: top }
.diff .number { width: 1%; min-width: 3rem; text-align: end; color: var(--soft); user-select: none; white-space: nowrap } .diff .number::before { content: attr(data-line) }
.unseen { margin: 0 .125rem; padding: 0 .25rem; border-radius: .25rem; background: var(--bad-sheet); color: var(--bad); font-size: .75em }
.diff .added td { background: var(--good-sheet) } .diff .removed td { background: var(--bad-sheet) } .diff .hunk td { background: var(--sheet); color: var(--soft); padding: .25rem .5rem } .diff .sign { width: 1%; user-select: none }
.hljs-comment, .hljs-quote { color: var(--soft); font-style: italic } .hljs-keyword, .hljs-selector-tag, .hljs-literal, .hljs-type { color: light-dark(#8e2a8a, #d79bf0) }
.hljs-string, .hljs-regexp, .hljs-addition, .hljs-attribute { color: light-dark(#0b6b4f, #7fd6a4) } .hljs-number, .hljs-symbol, .hljs-bullet, .hljs-meta { color: light-dark(#9a4b00, #f0b070) }
.hljs-title, .hljs-section, .hljs-name { color: light-dark(#1b55a8, #8ab8ff) } .hljs-built_in, .hljs-variable, .hljs-template-variable, .hljs-attr { color: light-dark(#7a4a00, #e3c07a) } .hljs-deletion { color: var(--bad) }
.hljs-emphasis { font-style: italic } .hljs-strong { font-weight: 700 }
`;
