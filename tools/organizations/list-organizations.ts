import { z } from "zod";
import { getCredentialReach } from "../../auth/authorise.ts";
import { listUserOrganizations } from "../../db/identity/organizations.ts";
import { listSchema, listQuery } from "../../core/shared/fields.ts";
import { toPage, parsePagination } from "../../core/shared/pagination.ts";
import { weakerRole } from "../../core/identity/roles.ts";
import { endpoint } from "../endpoint.ts";
import { OrganizationSchema, shapeOrganization } from "./organization.ts";

export const listOrganizations = endpoint({
  name: "listOrganizations",
  method: "GET",
  path: "/v1/organizations",
  group: "Organizations",
  summary: "List organizations",
  description:
    "List the organizations of the signed-in person. Only needed to choose between several; list_workspaces is the usual start.",
  access: "signed-in",
  whenEmpty: "You belong to no organization. The page /organizations shows invitations and creates one.",
  input: z.strictObject(listQuery),
  output: listSchema(OrganizationSchema),
  async handle(input, { db, caller, userId }) {
    const reach = caller?.reach ?? null;
    const reader = { userId, ...getCredentialReach(caller) };
    const rows = await listUserOrganizations(
      db,
      reader,
      reach?.organizationId ?? null,
      parsePagination("organizations", input),
    );
    return toPage("organizations", input, rows, {
      key: ({ organization }) => [organization.id],
      row: ({ organization, role }) => shapeOrganization(organization, weakerRole(role, reach?.role ?? "owner")),
    });
  },
});
