import type { Html } from "../../../../ui/html.ts";
import { Plot } from "../../../../ui/plot.tsx";
import { administrationPaths } from "../../../../ui/settings.tsx";
import { countText, decimalText, wholePercentText } from "../../../../ui/texts/numbers.ts";
import { sizeText } from "../../../../ui/texts/size.ts";
import { useLanguage, useTexts } from "../../../../ui/texts/texts.ts";
import { Moment } from "../../../../ui/time.tsx";
import type { LoadView, StatusView as StatusModel, UpkeepView } from "../model.ts";
import { rates, type Sample } from "../samples.ts";
import { adminTexts } from "../texts/texts.ts";

const second = 1_000;
const minute = 60_000;

/** The server's status and its samples of the last hour. */
export function StatusView({ samples, server, jobs, upkeep, load }: StatusModel & { readonly upkeep: UpkeepView; readonly load: LoadView }): Html {
  const texts = useTexts(adminTexts).status;
  const elapsedMs = (samples.at(-1)?.atMs ?? 0) - (samples[0]?.atMs ?? 0);
  return (
    <>
      <p class="soft">{texts.intro(Math.floor(elapsedMs / minute))}</p>
      <Plots samples={samples} />
      <h2>{texts.about}</h2>
      <dl class="pairs">
        <Pair name={texts.version} value={server.version} />
        <dt>{texts.started}</dt>
        <dd>
          <Moment ms={server.startedMs} />
        </dd>
        <dt>{texts.queue}</dt>
        <dd>
          <a href={administrationPaths.jobs}>{texts.queued(jobs.waiting, jobs.running, jobs.failed)}</a>
        </dd>
        <Pair name={texts.load} value={texts.loaded(load)} />
        <Pair name={texts.database} value={server.database} />
        <Pair name={texts.git} value={server.git} />
        <Pair name={texts.ssh} value={server.sshPlace || texts.sshStates[server.ssh]} />
        <Pair name={texts.node} value={server.node} />
        <Pair name={texts.system} value={server.system} />
        <Pair name={texts.folder} value={server.dataDirectory} />
      </dl>
      <Maintenance upkeep={upkeep} />
    </>
  );
}

const Pair = ({ name, value }: { readonly name: string; readonly value: string }): Html => (
  <>
    <dt>{name}</dt>
    <dd>{value}</dd>
  </>
);

function Maintenance({ upkeep: { current, waiting, cpuMs, runs } }: { readonly upkeep: UpkeepView }): Html {
  const texts = useTexts(adminTexts).status;
  const language = useLanguage();
  const seconds = (ms: number): string => decimalText(ms / second, language);
  const now = current === undefined ? texts.noMaintenance : texts.maintained[current.isWaiting ? "waiting" : current.kind](current.storeId);
  return (
    <>
      <h2>{texts.maintenance}</h2>
      <dl class="pairs">
        <Pair name={texts.currentStore} value={now} />
        <Pair name={texts.waitingStores} value={String(waiting)} />
        <Pair name={texts.cpuSeconds} value={seconds(cpuMs)} />
      </dl>
      {runs.length > 0 && (
        <div class="wide" tabIndex={0} role="region" aria-label={texts.lastRuns}>
          <table class="table">
            <thead>
              <tr>
                <th>{texts.lastRuns}</th>
                <th>{texts.started}</th>
                <th>{texts.runSeconds}</th>
                <th>{texts.cpuSeconds}</th>
              </tr>
            </thead>
            <tbody>
              {runs.map((run) => (
                <tr>
                  <td>{texts.maintained[run.kind](run.storeId)}</td>
                  <td>
                    <Moment ms={run.startedMs} />
                  </td>
                  <td>{seconds(run.wallMs)}</td>
                  <td>{seconds(run.cpuMs)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </>
  );
}

function Plots({ samples }: { readonly samples: readonly Sample[] }): Html {
  const language = useLanguage();
  const texts = useTexts(adminTexts).status;
  const inWords = (values: readonly number[], say: (value: number) => string): string =>
    `${texts.now} ${say(values.at(-1) ?? 0)}, ${texts.highest} ${say(Math.max(0, ...values))}`;
  const size = (bytes: number): string => sizeText(bytes, language);
  const number = (value: number): string => (value < 10 ? decimalText(value, language) : countText(Math.round(value), language));
  const percent = (value: number): string => wholePercentText(value, language);
  const [memory, busy] = [samples.map(({ memoryBytes }) => memoryBytes), samples.slice(1).map((sample) => sample.busy)];
  const counted = [
    ["requests", rates(samples, (sample) => sample.requests, second)],
    ["statements", rates(samples, (sample) => sample.statements, second)],
    ["gitProcesses", rates(samples, (sample) => sample.gitProcesses, minute)],
    ["jobs", rates(samples, (sample) => sample.jobs, minute)],
  ] as const;
  return (
    <div class="plots">
      <Plot title={texts.plots.memory} values={memory} atLeast={256 * 1_048_576} summary={inWords(memory, size)} />
      <Plot title={texts.plots.busy} values={busy} atLeast={1} summary={inWords(busy, percent)} />
      {counted.map(([name, values]) => (
        <Plot title={texts.plots[name]} values={values} atLeast={1} summary={inWords(values, number)} />
      ))}
    </div>
  );
}
