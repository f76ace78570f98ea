import type { Html } from "./html.ts";

/** The colour of a label, as an SVG image because the content security policy forbids inline styles. */
export const LabelDot = ({ color }: { readonly color: string }): Html => (
  <svg width={10} height={10} viewBox="0 0 10 10" aria-hidden="true">
    <circle class="edge" cx={5} cy={5} r={4.5} fill={`#${color}`} />
  </svg>
);

/** A label with its colour as a dot next to its name, so that the name is readable whatever the colour. */
export const LabelChip = ({ name, color, href }: { readonly name: string; readonly color: string; readonly href: string | undefined }): Html => {
  const content = (
    <>
      <LabelDot color={color} />
      <span dir="auto">{name}</span>
    </>
  );
  return href === undefined ? (
    <span class="label">{content}</span>
  ) : (
    <a class="label" href={href}>
      {content}
    </a>
  );
};
