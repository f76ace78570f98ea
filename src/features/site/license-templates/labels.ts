export interface LabelTemplate {
  /** `scope/name` for a scoped label. */
  readonly name: string;
  /** An issue can have at most one label of the scope. */
  readonly isExclusive: boolean;
  /** Six hex digits. */
  readonly color: string;
  readonly description: string;
}

const free = (name: string, color: string, description: string): LabelTemplate => ({ name, isExclusive: false, color, description });
const exclusive = (name: string, color: string, description: string): LabelTemplate => ({ name, isExclusive: true, color, description });

/** @compat names, colours and descriptions are those of Gitea's two sets (license-templates/templates.test.ts) */
const sets: ReadonlyMap<string, readonly LabelTemplate[]> = new Map([
  [
    "Advanced",
    [
      free("Kind/Bug", "ee0701", "Something is not working"),
      free("Kind/Feature", "0288d1", "New functionality"),
      free("Kind/Enhancement", "84b6eb", "Improve existing functionality"),
      free("Kind/Security", "9c27b0", "This is security issue"),
      free("Kind/Testing", "795548", "Issue or pull request related to testing"),
      free("Kind/Documentation", "37474f", "Documentation changes"),
      free("Compat/Breaking", "c62828", "Breaking change that won't be backward compatible"),
      exclusive("Reviewed/Duplicate", "616161", "This issue or pull request already exists"),
      exclusive("Reviewed/Invalid", "546e7a", "Invalid issue"),
      exclusive("Reviewed/Confirmed", "795548", "Issue has been confirmed"),
      exclusive("Reviewed/Won't Fix", "eeeeee", "This issue won't be fixed"),
      exclusive("Status/Need More Info", "424242", "Feedback is required to reproduce issue or to continue work"),
      exclusive("Status/Blocked", "880e4f", "Something is blocking this issue or pull request"),
      exclusive("Status/Abandoned", "222222", "Somebody has started to work on this but abandoned work"),
      exclusive("Priority/Critical", "b71c1c", "The priority is critical"),
      exclusive("Priority/High", "d32f2f", "The priority is high"),
      exclusive("Priority/Medium", "e64a19", "The priority is medium"),
      exclusive("Priority/Low", "4caf50", "The priority is low"),
    ],
  ],
  [
    "Default",
    [
      free("bug", "ee0701", "Something is not working"),
      free("duplicate", "cccccc", "This issue or pull request already exists"),
      free("enhancement", "84b6eb", "New feature"),
      free("help wanted", "128a0c", "Need some help"),
      free("invalid", "e6e6e6", "Something is wrong"),
      free("question", "cc317c", "More information is needed"),
      free("wontfix", "ffffff", "This won't be fixed"),
    ],
  ],
]);

export const listLabelSets = (): string[] => [...sets.keys()];
export const findLabelSet = (name: string): readonly LabelTemplate[] | undefined => sets.get(name);
