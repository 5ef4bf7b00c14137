import { z } from "zod";
import { FIRST_LINKS, findFirstLinks } from "../../auth/sso/transfer-account.ts";
import { countDomainAccounts, listDomainAccounts } from "../../db/identity/domains/domain-accounts.ts";
import { findDomain } from "../../db/identity/domains/domains.ts";
import { AppError, requireFound } from "../../core/shared/errors.ts";
import { Id, listSchema, listQuery } from "../../core/shared/fields.ts";
import { toPage, parsePagination } from "../../core/shared/pagination.ts";
import { endpoint } from "../endpoint.ts";
import { domainPath } from "./organization-domain.ts";

export const DomainAccountSchema = z
  .object({
    id: Id.describe("The person."),
    email: z.string(),
    member: z.boolean().describe("true for members of the organization, including suspended ones."),
    at_first_sign_in: z
      .enum([...FIRST_LINKS, "linked_already"])
      .describe(
        "Effect of the person's first sign-in through the organization's provider. kept: the account stays, because the organization or the operator proved its address. handed_over: the person gets a new account with this e-mail and this membership. The old account's password, sessions, keys and assistants end; its other memberships stay with the old account.",
      ),
  })
  .meta({ id: "DomainAccount" });

export const listOrganizationDomainAccounts = endpoint({
  name: "listOrganizationDomainAccounts",
  method: "GET",
  path: "/v1/organizations/:organization_id/domains/:domain_id/accounts",
  group: "SSO",
  summary: "List the accounts under an organization's domain",
  description: "Lists the accounts with an e-mail in a verified domain, and the effect of their first single sign-on.",
  access: { organization: "owner" },
  notATool: "account administration",
  input: z.strictObject({ ...domainPath, ...listQuery }),
  output: listSchema(DomainAccountSchema).extend({ total: z.int().describe("All accounts under the domain.") }),
  errors: ["CONFLICT"],
  async handle(input, { tenant }) {
    const row = requireFound(await findDomain(tenant, { id: input.domain_id }), "domain");
    if (row.verifiedAt === null) {
      throw new AppError(
        "CONFLICT",
        "Verify the domain first. Its accounts are listed only for the organization that owns the domain.",
      );
    }
    const list = "organization-domain-accounts";
    const accounts = await listDomainAccounts(tenant, row.domain, parsePagination(list, input));
    const page = toPage(list, input, accounts, { key: ({ email }) => [email], row: (account) => account });
    const links = await findFirstLinks(
      tenant,
      page.data.map(({ userId }) => userId),
    );
    const data = page.data.map(({ userId, email, isMember, isLinked }) => {
      const link = links.get(userId) ?? "handed_over";
      const at_first_sign_in = isLinked && link === "kept" ? ("linked_already" as const) : link;
      return { id: userId, email, member: isMember, at_first_sign_in };
    });
    return { ...page, data, total: await countDomainAccounts(tenant, row.domain) };
  },
});
