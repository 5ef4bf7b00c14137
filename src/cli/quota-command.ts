import { parseArgs } from "node:util";
import {
  findOrganization,
  listAllOrganizations,
  updateOrganization,
  type OrganizationRow,
} from "../../db/identity/organizations.ts";
import { countQuotaUse } from "../../db/credits/quotas.ts";
import { formatEntryText } from "../../db/audit-log/entry-text.ts";
import type { Db, Store } from "../../db/engine/store.ts";
import { auditCommand } from "./audit-command.ts";
import { isQuota, QUOTAS, quotaLimits } from "../../core/credits/quotas.ts";
import type { CommandResult } from "./run-command.ts";

export const QUOTAS_HELP = `Lists and sets the quotas of organizations. Works while the service runs, with the settings of npm start.

  npx brand-visibility quotas                             lists every organization with its limits and usage
  npx brand-visibility quotas ORGANIZATION brands=20000   sets a limit for one organization
  npx brand-visibility quotas ORGANIZATION brands=plan    resets it to the limit of its plan

ORGANIZATION is an id. Limits: ${QUOTAS.join(", ")}.
`;

export async function runQuotaCommand(store: Store, args: string[]): Promise<CommandResult> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    strict: false,
    options: { help: { type: "boolean" } },
  });
  if (values["help"] === true) return { text: QUOTAS_HELP, ok: true };
  const [organizationId, ...assignments] = positionals;
  if (organizationId === undefined) return { text: await store.read(describeAllQuotas), ok: true };
  const changes = assignments.map(readAssignment);
  const wrong = assignments.filter((_, index) => changes[index] === undefined);
  if (wrong.length > 0) return { text: `Invalid arguments: ${wrong.join(", ")}\n\n${QUOTAS_HELP}`, ok: false };
  return store.write((db) => changeQuotas(db, organizationId.toLowerCase(), changes));
}

type QuotaAssignment = { quota: string; limit: number | null } | undefined;

function readAssignment(text: string): QuotaAssignment {
  const [quota = "", value = "", ...more] = text.split("=");
  if (!isQuota(quota) || more.length > 0) return undefined;
  if (value === "plan") return { quota, limit: null };
  return /^\d{1,15}$/.test(value) ? { quota, limit: Number(value) } : undefined;
}

async function changeQuotas(
  db: Db,
  organizationId: string,
  changes: readonly QuotaAssignment[],
): Promise<CommandResult> {
  const tenant = { db, organizationId };
  const organization = await findOrganization(tenant);
  if (!organization) return { text: "No organization has this id.\n", ok: false };
  const quotas = { ...organization.quotas };
  for (const assignment of changes) {
    if (assignment?.limit === null) delete quotas[assignment.quota];
    else if (assignment) quotas[assignment.quota] = assignment.limit;
  }
  const changed = (await updateOrganization(tenant, { quotas })) ?? organization;
  const set = changes.map((one) => `${one?.quota} ${one?.limit ?? "as in the plan"}`).join(", ");
  if (set !== "") await auditCommand(tenant, { name: "setQuotas", text: formatEntryText("Set quotas {set}", { set }) });
  return { text: await describeQuotas(db, changed), ok: true };
}

async function describeAllQuotas(db: Db): Promise<string> {
  let text = "";
  for (const organization of await listAllOrganizations(db)) text += await describeQuotas(db, organization);
  return text === "" ? "No organizations yet.\n" : text;
}

async function describeQuotas(db: Db, organization: OrganizationRow): Promise<string> {
  const limits = quotaLimits(organization);
  const used = await countQuotaUse({ db, organizationId: organization.id });
  const lines = QUOTAS.map((quota) => {
    const own = organization.quotas[quota] === undefined ? "" : "  (set for this organization)";
    return `  ${quota.padEnd(16)}${String(used[quota]).padStart(14)} of ${limits[quota]}${own}\n`;
  });
  return `${organization.name}  ${organization.id}  plan ${organization.plan}\n${lines.join("")}\n`;
}
