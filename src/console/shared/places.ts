import { PASSING } from "../../http/pages/held-forms.ts";
/** A workspace, in addresses of pages. */
export interface WorkspacePlace {
  organization_id: string;
  workspace_id: string;
}

/** Path of the page of figures of a workspace. */
export function visibilityAddress({ organization_id, workspace_id }: WorkspacePlace): string {
  return `/visibility/${organization_id}/${workspace_id}`;
}

/** Path of the prompts of a workspace. */
export function promptsAddress({ organization_id, workspace_id }: WorkspacePlace): string {
  return `/prompts/${organization_id}/${workspace_id}`;
}

/** Path of the sites and pages that answers rest on. */
export function sitesAddress({ organization_id, workspace_id }: WorkspacePlace): string {
  return `/sources/${organization_id}/${workspace_id}`;
}

/** Path of the list of a workspace's analyses. */
export function analysesAddress({ organization_id, workspace_id }: WorkspacePlace): string {
  return `/analyses/${organization_id}/${workspace_id}`;
}

/** Path of the list of a workspace's audits. */
export function auditsAddress({ organization_id, workspace_id }: WorkspacePlace): string {
  return `/audits/${organization_id}/${workspace_id}`;
}

/** Path of the page where an analysis is run, paused and archived. */
export function analysisAddress(place: WorkspacePlace, analysisId: string): string {
  return `${analysesAddress(place)}/${analysisId}`;
}

/** Path of what answers say about brands. */
export function perceptionAddress({ organization_id, workspace_id }: WorkspacePlace): string {
  return `/perception/${organization_id}/${workspace_id}`;
}

/** Path of the form in steps that makes an analysis: of the choice of its type, or of a step such as `search/what`. */
export function newAnalysisAddress({ organization_id, workspace_id }: WorkspacePlace, step?: string): string {
  return `/new/${organization_id}/${workspace_id}${step === undefined ? "" : `/${step}`}`;
}

/** Path of the brand catalog of a workspace. */
export function brandsAddress({ organization_id, workspace_id }: WorkspacePlace): string {
  return `/brands/${organization_id}/${workspace_id}`;
}

/** Path of one brand's page. */
export function brandAddress(place: WorkspacePlace, brandId: string): string {
  return `${brandsAddress(place)}/${brandId}`;
}

/** Path of the page where answers are imported into an analysis. */
export function importAddress(place: WorkspacePlace, analysisId: string): string {
  return `${analysisAddress(place, analysisId)}/import`;
}

/** Path of the list of a workspace's answers. */
export function answersAddress({ organization_id, workspace_id }: WorkspacePlace): string {
  return `/answers/${organization_id}/${workspace_id}`;
}

/** Path of one answer's page. */
export function answerAddress(place: WorkspacePlace & { analysis_id: string }, answerId: string): string {
  return `${answersAddress(place)}/${place.analysis_id}/${answerId}`;
}

/** Path of the files that were exported of a workspace. */
export function exportsAddress({ organization_id, workspace_id }: WorkspacePlace): string {
  return `/exports/${organization_id}/${workspace_id}`;
}

/** A query with these parameters set, and those taken out that are undefined; with its question mark. */
export function queryWith(query: URLSearchParams, changes: Readonly<Record<string, string | undefined>>): string {
  const changed = new URLSearchParams(query);
  for (const name of PASSING) changed.delete(name);
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined || value === "") changed.delete(name);
    else changed.set(name, value);
  }
  const text = changed.toString();
  return text === "" ? "" : `?${text}`;
}
