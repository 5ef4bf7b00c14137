/**
 * Access classes of test/access/access-table.ts, from interface.md section 1 and service.md section
 * 2. test/matrix/expected.ts has the expected outcome per caller.
 */
export const ACCESS_CLASSES = {
  open: "Anyone, also without signing in: what gives or ends tokens.",
  person: "Everyone who is signed in; it shows only what they may see.",
  mine: "People, and user keys of theirs: what is their own.",
  key: "One key, browser or assistant, here the owner's own: that person alone.",
  mark: "People, and user keys of theirs, who see the workspace: it is marked as a favourite.",
  lists: "Everyone in the organization, guests too; it lists what they see of it.",
  read: "Viewers of the organization.",
  edit: "Editors of the organization.",
  own: "Owners of the organization: its administration.",
  expel: "Owners, for another person; everyone for themselves. Here it is another person.",
  wread: "Viewers of the workspace.",
  wedit: "Editors of the workspace, which editors of its organization are too.",
  wadmin: "Reading what editors of the workspace administer: its members and integrations.",
  wexpel: "Editors of the workspace, for another person; everyone for themselves. Here it is another person.",
} as const;

export type AccessClass = keyof typeof ACCESS_CLASSES;
