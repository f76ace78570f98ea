declare module "markdown-it-footnote" {
  import type { MarkdownIt } from "markdown-it";

  const plugin: (md: MarkdownIt) => void;
  export = plugin;
}

declare module "markdown-it-deflist" {
  import type { MarkdownIt } from "markdown-it";

  const plugin: (md: MarkdownIt) => void;
  export = plugin;
}
