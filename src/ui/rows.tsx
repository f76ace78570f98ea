import type { Html } from "./html.ts";
import { FormToken } from "./page.tsx";

/** Things below each other, each with what can be done to it beside it. */
export const Rows = ({ children }: { readonly children?: Html }): Html => <ul class="rows">{children}</ul>;

export const Row = ({ action, children }: { readonly action?: Html; readonly children?: Html }): Html => (
  <li>
    <div>{children}</div>
    {action}
  </li>
);

export interface DoProps {
  readonly action: string;
  readonly formToken: string;
  readonly label: string;
  /** What it is done to, for those who do not see where the button stands. */
  readonly of: string;
  readonly isDanger?: boolean;
  /** Fields that travel with it, by name. */
  readonly hidden?: Readonly<Record<string, string>>;
}

/** A button that does one thing. */
export const Do = ({ action, formToken, label, of, isDanger, hidden = {} }: DoProps): Html => (
  <form method="post" action={action}>
    <FormToken value={formToken} />
    {Object.entries(hidden).map(([name, value]) => (
      <input type="hidden" name={name} value={value} />
    ))}
    <button type="submit" {...(isDanger && { class: "danger" })} aria-label={`${label}: ${of}`}>
      {label}
    </button>
  </form>
);
