import type { Html } from "./html.ts";

/** The colour of a label: a picture, since the pages' policy forbids styles within them. */
export const LabelDot = ({ color }: { readonly color: string }): Html => (
  <svg width={10} height={10} viewBox="0 0 10 10" aria-hidden="true">
    <circle class="edge" cx={5} cy={5} r={4.5} fill={`#${color}`} />
  </svg>
);

/** A label: its colour as a dot beside its name, so that any colour can be read on any ground. */
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
