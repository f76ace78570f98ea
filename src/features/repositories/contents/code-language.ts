/** Files whose names say what their endings do not. */
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

/** The language in which a file is coloured, by its name: that of its ending where nothing else is known. */
export function languageOf(path: string): string {
  const name = (path.split("/").at(-1) ?? "").toLowerCase();
  return byName[name] ?? (name.includes(".") ? (name.split(".").at(-1) ?? "") : name);
}
