import { parseArgs } from "node:util";
import { prepareActs } from "../test/kit/acts.ts";
import { chooseCuts, lastCut, recordActs, tryCuts } from "../test/kit/power-cut.ts";

/**
 * The long version of the test of power cuts: `npm run bench -- power-cut --cuts 500 --seed 1`. Prints each fault; exits with 1 if there is
 * one.
 */
const { values } = parseArgs({ options: { cuts: { type: "string", default: "100" }, seed: { type: "string", default: "1" }, durability: { type: "string" } } });

using acts = prepareActs();
await using recording = await recordActs(acts.groups, values.durability === undefined ? {} : { HEARTH_DATABASE_DURABILITY: values.durability });
console.log(`${recording.events.length} events, ${recording.acts.length} acts`);
const cuts = [...chooseCuts(recording, Number(values.cuts), Number(values.seed)), lastCut(recording, "restored")];
let [tried, faulty] = [0, 0];
for await (const { cut, acknowledged, faults } of tryCuts(recording, cuts)) {
  tried += 1;
  if (faults.length > 0) faulty += 1;
  if (faults.length > 0) console.log(`\n${JSON.stringify(cut)}, ${acknowledged} acknowledged:\n  ${faults.join("\n  ")}`);
  process.stderr.write(`\r${tried} cuts, ${faulty} with faults`);
}
console.log(`\n${tried} power cuts, ${faulty} with faults`);
process.exitCode = faulty === 0 ? 0 : 1;
