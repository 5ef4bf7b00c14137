import { TRANSIENT_PARAMETERS } from "../../http/pages/held-forms.ts";
export interface WorkspaceIds {
  organization_id: string;
  workspace_id: string;
}

export function visibilityAddress({ organization_id, workspace_id }: WorkspaceIds): string {
  return `/visibility/${organization_id}/${workspace_id}`;
}

export function promptsAddress({ organization_id, workspace_id }: WorkspaceIds): string {
  return `/prompts/${organization_id}/${workspace_id}`;
}

export function sitesAddress({ organization_id, workspace_id }: WorkspaceIds): string {
  return `/sources/${organization_id}/${workspace_id}`;
}

export function analysesAddress({ organization_id, workspace_id }: WorkspaceIds): string {
  return `/analyses/${organization_id}/${workspace_id}`;
}

export function buildAuditsAddress({ organization_id, workspace_id }: WorkspaceIds): string {
  return `/audits/${organization_id}/${workspace_id}`;
}

export function analysisAddress(ids: WorkspaceIds, analysisId: string): string {
  return `${analysesAddress(ids)}/${analysisId}`;
}

export function perceptionAddress({ organization_id, workspace_id }: WorkspaceIds): string {
  return `/perception/${organization_id}/${workspace_id}`;
}

/** Path of the type selection, or of a step such as `search/what`. */
export function newAnalysisAddress({ organization_id, workspace_id }: WorkspaceIds, step?: string): string {
  return `/new/${organization_id}/${workspace_id}${step === undefined ? "" : `/${step}`}`;
}

export function brandsAddress({ organization_id, workspace_id }: WorkspaceIds): string {
  return `/brands/${organization_id}/${workspace_id}`;
}

export function buildBrandAddress(ids: WorkspaceIds, brandId: string): string {
  return `${brandsAddress(ids)}/${brandId}`;
}

export function buildImportAddress(ids: WorkspaceIds, analysisId: string): string {
  return `${analysisAddress(ids, analysisId)}/import`;
}

export function answersAddress({ organization_id, workspace_id }: WorkspaceIds): string {
  return `/answers/${organization_id}/${workspace_id}`;
}

export function answerAddress(ids: WorkspaceIds & { analysis_id: string }, answerId: string): string {
  return `${answersAddress(ids)}/${ids.analysis_id}/${answerId}`;
}

export function exportsAddress({ organization_id, workspace_id }: WorkspaceIds): string {
  return `/exports/${organization_id}/${workspace_id}`;
}

/** Query with question mark. Sets these parameters, and removes those that are undefined. */
export function updateQuery(query: URLSearchParams, changes: Readonly<Record<string, string | undefined>>): string {
  const changed = new URLSearchParams(query);
  for (const name of TRANSIENT_PARAMETERS) changed.delete(name);
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined || value === "") changed.delete(name);
    else changed.set(name, value);
  }
  const text = changed.toString();
  return text === "" ? "" : `?${text}`;
}
