/** Creating a repository. */
export const english = {
  title: "New repository",
  owner: "Owner",
  name: "Name",
  nameHint: "Short and memorable. Letters, digits and - _ . are allowed.",
  description: "Description",
  private: "Private",
  readme: "Add a README",
  readmeHint: "Leave this unchecked to push an existing repository.",
  gitignore: ".gitignore template",
  gitignoreHint: "For example Node or Python.",
  license: "License",
  licenseHint: "The SPDX identifier, for example MIT or Apache-2.0.",
  more: "Initialize repository",
  submit: "Create repository",
};
