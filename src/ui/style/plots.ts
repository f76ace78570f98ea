/** Values: lines of them over time, and tables of what is set to what. */
export const plots = `
.plots { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(18rem, 100%), 1fr)); gap: 1.25rem; margin-bottom: 1.5rem } .plot { display: flex; flex-direction: column; margin: 0; border: 1px solid var(--line); border-radius: var(--round); overflow: hidden }
.plot figcaption { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 .75rem; padding: .5rem .875rem; font-size: .875rem } .plot svg { display: block; margin-top: auto; width: 100%; height: 4.5rem; background: var(--sheet) }
.plot .line { fill: none; stroke: var(--accent); stroke-width: 1.5; vector-effect: non-scaling-stroke } .plot .under { fill: color-mix(in srgb, var(--accent) 16%, transparent) }
.table.values td:nth-child(2) { min-width: 12rem }
@media (max-width: 40rem) { .table.values :is(tbody, tr, td) { display: block } .table.values tr { padding: .625rem 0; border-top: 1px solid var(--line) } .table.values tr:has(th) { display: none } .table.values td { padding: 0 0 .25rem; border: 0 } }
`;
