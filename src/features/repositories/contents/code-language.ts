/** Languages of file names without a telling extension. */
const byName: Readonly<Record<string, string>> = {
  dockerfile: "dockerfile",
  containerfile: "dockerfile",
  makefile: "makefile",
  gnumakefile: "makefile",
  "cmakelists.txt": "cmake",
  gemfile: "ruby",
  rakefile: "ruby",
  vagrantfile: "ruby",
  jenkinsfile: "groovy",
  ".bashrc": "bash",
  ".profile": "bash",
  ".gitconfig": "ini",
  ".editorconfig": "ini",
  ".npmrc": "ini",
  "nginx.conf": "nginx",
  "go.mod": "go",
};

/** The highlighting language of a file, by its name or else its extension. */
export function languageOf(path: string): string {
  const name = (path.split("/").at(-1) ?? "").toLowerCase();
  return byName[name] ?? (name.includes(".") ? (name.split(".").at(-1) ?? "") : name);
}
