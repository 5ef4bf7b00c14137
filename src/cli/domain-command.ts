import { parseArgs } from "node:util";
import { v7 as uuidv7 } from "uuid";
import {
  deleteDomain,
  findDomain,
  insertDomain,
  listDomains,
  markDomainVerified,
} from "../../db/identity/domains/domains.ts";
import { findOrganization } from "../../db/identity/organizations.ts";
import type { Db, Store } from "../../db/engine/store.ts";
import { getDomainStatus } from "../../core/identity/domain-lookup.ts";
import { findDomainFaults, newOwnershipToken } from "../../core/identity/domain-ownership.ts";
import { deleteOrganizationDomain } from "../../tools/domains/delete-organization-domain.ts";
import { verifyOrganizationDomain } from "../../tools/domains/verify-organization-domain.ts";
import { formatEntryText } from "../../db/audit-log/entry-text.ts";
import { AppError } from "../../core/shared/errors.ts";
import { Domain } from "../../core/shared/fields.ts";
import { toInstant } from "../../core/shared/time.ts";
import { auditCommand } from "./audit-command.ts";
import type { CommandResult } from "./run-command.ts";

export const DOMAINS_HELP = `Lists and verifies an organization's domains. Works while the service runs, with the settings of npm start.
Verify only domains that you know the organization owns: it controls the accounts of all people on a verified domain.

  npx brand-visibility domains ORGANIZATION                 lists its domains
  npx brand-visibility domains verify ORGANIZATION DOMAIN   marks a domain as verified without a DNS lookup
  npx brand-visibility domains remove ORGANIZATION DOMAIN   removes a domain

ORGANIZATION is an id.
`;

export async function runDomainCommand(store: Store, args: string[]): Promise<CommandResult> {
  const { positionals } = parseArgs({ args, allowPositionals: true, strict: false });
  const [first = "", organizationId = first, name = ""] = positionals;
  const domain = Domain.safeParse(name).data;
  const verb = positionals.length === 1 && first !== "help" ? "list" : first;
  if (verb !== "list" && (domain === undefined || (verb !== "verify" && verb !== "remove"))) {
    return { text: DOMAINS_HELP, ok: positionals.length === 0 || first === "help" };
  }
  return store.write(async (db) => {
    const tenant = { db, organizationId: organizationId.toLowerCase() };
    if (!(await findOrganization(tenant))) return { text: "No organization has this id.\n", ok: false };
    if (verb === "verify") return markVerified(tenant, domain ?? "");
    if (verb === "remove") return removeDomain(tenant, domain ?? "");
    return { text: await describeDomains(tenant), ok: true };
  });
}

const STATUS_TEXTS = {
  unverified: "not verified",
  verified: "verified",
  failing: "verified, but its DNS record is missing",
  lapsed: "lapsed: its DNS record is missing",
};

type DomainTenant = { db: Db; organizationId: string };

async function markVerified(tenant: DomainTenant, domain: string): Promise<CommandResult> {
  const [fault] = findDomainFaults(domain);
  if (fault) return { text: `The ${fault.path} ${fault.message}.\n`, ok: false };
  const at = toInstant(Date.now());
  const claim =
    (await findDomain(tenant, { domain })) ??
    (await insertDomain(tenant, { id: uuidv7(), domain, token: newOwnershipToken(), createdAt: at }));
  try {
    await markDomainVerified(tenant, claim, { by: "operator", at });
    const text = formatEntryText(verifyOrganizationDomain.logged, { domain_id: domain });
    await auditCommand(tenant, { name: "verifyOrganizationDomain", text });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { text: `${error.message}\n`, ok: false };
  }
  return { text: await describeDomains(tenant), ok: true };
}

async function removeDomain(tenant: DomainTenant, domain: string): Promise<CommandResult> {
  const claim = await findDomain(tenant, { domain });
  if (!claim) return { text: "The organization does not have this domain.\n", ok: false };
  await deleteDomain(tenant, claim.id);
  const text = formatEntryText(deleteOrganizationDomain.logged, { domain_id: domain });
  await auditCommand(tenant, { name: "deleteOrganizationDomain", text });
  return { text: await describeDomains(tenant), ok: true };
}

async function describeDomains(tenant: DomainTenant): Promise<string> {
  const rows = await listDomains(tenant, { limit: 1000, after: null });
  const now = toInstant(Date.now());
  const lines = rows.map((row) => `${row.domain}  ${STATUS_TEXTS[getDomainStatus(row, now)]}\n`);
  return lines.length === 0 ? "The organization has no domains.\n" : lines.join("");
}
