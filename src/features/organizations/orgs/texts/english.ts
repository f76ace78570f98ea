/** Organizations and their settings. */
export const english = {
  createHint: "Organizations own repositories and give teams access to them.",
  name: "Name",
  fullName: "Full name",
  email: "Email address",
  description: "Description",
  website: "Website",
  location: "Location",
  visibility: "Visibility",
  visibilities: { public: "Public", limited: "Limited: signed-in users only", private: "Private: members only" },
  teamAccess: "Repository administrators can add and remove access for teams",
  rename: "Rename organization",
  renameHint: "The old name redirects here until another account uses it.",
  newName: "New name",
  delete: "Delete this organization",
  deleteHint: "Delete or transfer all repositories of the organization first.",
  confirm: (name: string) => `Type ${name} to confirm`,
};
