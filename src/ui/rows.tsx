import { toChildArray } from "preact";
import type { Html } from "./html.ts";
import { FormToken } from "./page.tsx";
import { sharedTexts } from "./texts/shared.ts";
import { useTexts } from "./texts/texts.ts";

/** A list of rows, each with its actions; nothing without rows, because the border of an empty list is a line. */
export const Rows = ({ children }: { readonly children?: Html }): Html => (toChildArray(children).length === 0 ? null : <ul class="rows">{children}</ul>);

/** An item of an ordered list that scripts let users drag to the place of another one. The form that it sends also works without scripts. */
export interface Dragged {
  /** The action of the form that moves the item. */
  readonly action: string;
  readonly fields: Readonly<Record<string, string>>;
  /** Name of the field with the position. */
  readonly field: string;
  /** The position that moves another item to the place of this one. */
  readonly position: string;
}

export const draggedAttributes = ({ action, fields, field, position }: Dragged) => ({
  "data-drag": action,
  "data-fields": JSON.stringify(fields),
  "data-field": field,
  "data-position": position,
});

export interface RowProps {
  readonly action?: Html;
  readonly drag?: Dragged;
  readonly children?: Html;
}

export const Row = ({ action, drag, children }: RowProps): Html => (
  <li {...(drag && draggedAttributes(drag))}>
    <div>{children}</div>
    {action}
  </li>
);

export interface DoProps {
  readonly action: string;
  readonly formToken: string;
  readonly label: string;
  /** The object of the action, for screen readers and questions; omitted if the label names it. */
  readonly of?: string;
  readonly isDanger?: boolean;
  /** Whether a red button acts without a question, because its effect can be undone. */
  readonly isReversible?: boolean;
  /** Hidden fields by name. */
  readonly hidden?: Readonly<Record<string, string>>;
}

/** A form with a single button. */
export const Do = ({ action, formToken, label, of, isDanger, isReversible, hidden = {} }: DoProps): Html => (
  <form method="post" action={action}>
    <FormToken value={formToken} />
    {Object.entries(hidden).map(([name, value]) => (
      <input type="hidden" name={name} value={value} />
    ))}
    <button
      type="submit"
      {...(isDanger && { class: "danger" })}
      {...(isReversible && { "data-reversible": "" })}
      {...(of !== undefined && { "aria-label": `${label}: ${of}` })}
    >
      {label}
    </button>
  </form>
);

export interface EditAndDeleteProps {
  readonly edit: string;
  readonly deletion: string;
  readonly formToken: string;
  /** The object of the deletion, for screen readers. */
  readonly of: string;
}

/** A link to the form of a row, and a button that deletes the row. */
export function EditAndDelete({ edit, deletion, formToken, of }: EditAndDeleteProps): Html {
  const { forms } = useTexts(sharedTexts);
  return (
    <div class="end">
      <a class="button" href={edit}>
        {forms.edit}
      </a>
      <Do action={deletion} formToken={formToken} label={forms.delete} of={of} isDanger />
    </div>
  );
}
