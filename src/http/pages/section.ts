import { AppError } from "../../../core/shared/errors.ts";

export interface Section {
  name: string;
  /** SVG path in a square of 16. */
  icon: string;
  /** True if the page also opens without a workspace. */
  isForAnyone?: true;
}

/** Entry with the path of its page, whose first segment is the section's key. */
export interface BarSection extends Section {
  path: string;
}

export function findSection(sections: readonly BarSection[], key: string): BarSection {
  const section = sections.find(({ path }) => path.split("/")[1] === key);
  if (!section) throw new AppError("INTERNAL", `The navigation bar has no section "${key}".`);
  return section;
}

/** Path of a section's page; undefined if it needs a workspace and there is none. */
export function buildSectionAddress(
  { path, isForAnyone }: Pick<BarSection, "path" | "isForAnyone">,
  workspace: { organization_id: string; id: string } | undefined,
): string | undefined {
  if (!workspace) return isForAnyone && path;
  const address = path.replace(":organization_id", workspace.organization_id).replace(":workspace_id", workspace.id);
  return address === path ? `${path}?workspace=${workspace.id}` : address;
}
