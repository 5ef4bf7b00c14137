import { eq } from "drizzle-orm";
import type { Db } from "../engine/store.ts";

const MAX_NAME_LENGTH = 100;

function listNameColumns({ t }: Db) {
  return {
    api_key_id: [t.apiKeys, t.apiKeys.name],
    analysis_id: [t.analyses, t.analyses.name],
    asset_id: [t.assets, t.assets.name],
    brand_id: [t.brands, t.brands.name],
    content_brief_id: [t.contentBriefs, t.contentBriefs.title],
    domain_id: [t.organizationDomains, t.organizationDomains.domain],
    evaluation_id: [t.assetEvaluations, t.assetEvaluations.name],
    invitation_id: [t.invitations, t.invitations.email],
    organization_id: [t.organizations, t.organizations.name],
    persona_id: [t.personas, t.personas.name],
    platform_account_id: [t.platformAccounts, t.platformAccounts.name],
    scim_group_id: [t.scimGroups, t.scimGroups.displayName],
    scim_token_id: [t.scimTokens, t.scimTokens.name],
    suggestion_id: [t.brandSuggestions, t.brandSuggestions.text],
    tag_id: [t.tags, t.tags.name],
    task_id: [t.actionTasks, t.actionTasks.title],
    user_id: [t.users, t.users.email],
    workspace_id: [t.workspaces, t.workspaces.name],
  } as const;
}

export function listTemplateFields(template: string): string[] {
  return [...template.matchAll(/\{(\w+)\}/g)].map(([, field = ""]) => field);
}

/** Call before the change: the call can delete or rename what its input names. */
export async function findEntryNames(template: string | undefined, input: Readonly<Record<string, unknown>>, db: Db) {
  const fields = new Set(template === undefined ? [] : listTemplateFields(template));
  const sources = Object.entries(listNameColumns(db)).filter(([field]) => fields.has(field));
  const names: Record<string, unknown> = {};
  for (const [field, [table, column]] of sources) {
    const id = input[field];
    if (typeof id !== "string") continue;
    const [row] = await db.q.select({ name: column }).from(table).where(eq(table.id, id)).limit(1);
    names[field] = row?.name;
  }
  return names;
}

/** Fills fields in quotation marks and drops fields without text. */
export function formatEntryText(template: string | undefined, ...from: readonly Readonly<Record<string, unknown>>[]) {
  if (template === undefined) return null;
  return template.replaceAll(/((?: to)? ?)\{(\w+)\}/g, (_, before: string, field: string) => {
    const value = from.map((one) => one[field]).find((one) => typeof one === "string" && one !== "");
    if (typeof value !== "string") return "";
    const shown = value.length > MAX_NAME_LENGTH ? `${value.slice(0, MAX_NAME_LENGTH).toWellFormed()}…` : value;
    return `${before}“${shown}”`;
  });
}

/** Such as `: name, pain points`; without fields that the template shows. */
export function formatChangedFields(
  template: string | undefined,
  input: Readonly<Record<string, unknown>>,
  columns: ReadonlySet<string>,
): string {
  const shown = template === undefined ? [] : listTemplateFields(template);
  const changed = Object.keys(input).filter((field) => {
    const column = field.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
    return !shown.includes(field) && input[field] !== undefined && (columns.has(column) || columns.has(`${column}Id`));
  });
  const words = changed.map((field) => field.replace(/_id$/, "").replaceAll("_", " "));
  return words.length === 0 ? "" : `: ${words.join(", ")}`;
}
