import type { AnyEndpoint } from "./endpoint.ts";
import { exchangeApiKey } from "./auth/exchange-api-key.ts";
import { getMe } from "./auth/get-me.ts";
import { refreshToken } from "./auth/refresh-token.ts";
import { revokeToken } from "./auth/revoke-token.ts";
import { getOrganization } from "./organizations/get-organization.ts";
import { listOrganizations } from "./organizations/list-organizations.ts";
import { getWorkspace } from "./workspaces/get-workspace.ts";
import { listOrganizationWorkspaces } from "./workspaces/list-organization-workspaces.ts";
import { listWorkspaces } from "./workspaces/list-workspaces.ts";

/** Everything that the product can do. Routes, tools and the reference are made from this list, in this order. */
export const endpoints: readonly AnyEndpoint[] = [
  exchangeApiKey,
  refreshToken,
  revokeToken,
  getMe,
  listOrganizations,
  getOrganization,
  listWorkspaces,
  listOrganizationWorkspaces,
  getWorkspace,
];
