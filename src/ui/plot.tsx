import type { Html } from "./html.ts";

export interface PlotProps {
  readonly title: string;
  /** From oldest to newest, at equal intervals. */
  readonly values: readonly number[];
  /** Minimum height of the scale, so that small changes do not look large. */
  readonly atLeast: number;
  /** The newest and the highest value as text. */
  readonly summary: string;
}

const [width, height] = [320, 72];

/** A line chart of values over time. Screen readers read its title and summary. */
export function Plot({ title, values, atLeast, summary }: PlotProps): Html {
  const top = Math.max(atLeast, ...values) || 1;
  const step = values.length > 1 ? width / (values.length - 1) : width;
  const point = (value: number, at: number): string => `${(at * step).toFixed(1)} ${(height - (value / top) * (height - 2)).toFixed(1)}`;
  const line = values.length === 1 ? [point(values[0] ?? 0, 0), `${width} ${point(values[0] ?? 0, 0).split(" ")[1]}`] : values.map(point);
  return (
    <figure class="plot">
      <figcaption>
        <strong>{title}</strong>
        <span class="soft">{summary}</span>
      </figcaption>
      <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" role="img" aria-label={`${title}: ${summary}`}>
        {line.length > 0 && (
          <>
            <path class="under" d={`M0 ${height} L${line.join(" L")} L${width} ${height} Z`} />
            <path class="line" d={`M${line.join(" L")}`} />
          </>
        )}
      </svg>
    </figure>
  );
}
