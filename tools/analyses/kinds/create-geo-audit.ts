import { endpoint } from "../../endpoint.ts";
import { buildCreationDeclaration } from "./analysis-endpoints.ts";
import { geoAudit } from "./geo-audit/geo-audit.ts";

export const createGeoAudit = endpoint({
  name: "createGeoAudit",
  method: "POST",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/geo-audits",
  status: 201,
  group: "Analyses",
  summary: "Create a GEO audit from a quote",
  logged: "Created GEO audit {name}",
  description:
    "Create a website audit from the quote of price_geo_audit, after the person agreed to setup and cost. Spends credits and starts the audit.",
  ...buildCreationDeclaration(geoAudit),
});
