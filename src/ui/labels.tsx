import type { Html } from "./html.ts";

/** A sample of a label's color, as an SVG image because the content security policy forbids inline styles. */
export const LabelDot = ({ color }: { readonly color: string }): Html => (
  <svg class="label-dot" width={12} height={12} viewBox="0 0 12 12" aria-hidden="true">
    <circle cx={6} cy={6} r={5.5} fill={`#${color}`} />
  </svg>
);

/** Relative luminance of a color of six hexadecimal digits (WCAG 2.2), from 0 to 1. */
function luminanceOf(color: string): number {
  const [red = 0, green = 0, blue = 0] = [0, 2, 4].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Whether black text has more contrast on the color than white text. */
export const isBright = (color: string): boolean => (luminanceOf(color) + 0.05) ** 2 > 0.05 * 1.05;

const longName = 24;

export interface LabelChipProps {
  readonly name: string;
  readonly color: string;
  readonly href: string | undefined;
}

/** A label, filled with its color. A name such as `priority/low` is split into its scope and its value. */
export const LabelChip = ({ name, color, href }: LabelChipProps): Html => {
  const slash = name.lastIndexOf("/");
  const hasScope = slash > 0 && slash < name.length - 1;
  const content = (
    <>
      <svg aria-hidden="true">
        <rect width="100%" height="100%" fill={`#${color}`} />
      </svg>
      {hasScope && (
        <span class="scope" dir="auto">
          {name.slice(0, slash)}
          <span class="hidden">/</span>
        </span>
      )}
      <span dir="auto">{hasScope ? name.slice(slash + 1) : name}</span>
    </>
  );
  const style = isBright(color) ? "label bright" : "label";
  // Long names are cut in narrow columns.
  const title = name.length > longName ? name : undefined;
  return href === undefined ? (
    <span class={style} title={title}>
      {content}
    </span>
  ) : (
    <a class={style} href={href} title={title}>
      {content}
    </a>
  );
};
