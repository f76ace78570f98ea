import type { Html } from "./html.ts";

/** A text of the interface in which backticks enclose code, such as a command. */
export const WithCode = ({ text }: { readonly text: string }): Html => <>{text.split("`").map((part, at) => (at % 2 === 1 ? <code>{part}</code> : part))}</>;
