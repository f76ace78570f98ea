/** How a repository begins. */
export const creating = {
  title: "New repository",
  owner: "Owner",
  name: "Name",
  nameHint: "Short, and easy to remember: letters, digits, and - _ .",
  description: "Description",
  private: "Private: only those whom you let in see it",
  readme: "Begin with a README",
  readmeHint: "Leave it out to push what you have already.",
  gitignore: "Files that git leaves alone",
  gitignoreHint: "A .gitignore for this language or tool, such as Node or Python.",
  license: "License",
  licenseHint: "By its SPDX name, such as MIT or Apache-2.0.",
  more: "What it begins with",
  submit: "Create the repository",
};
