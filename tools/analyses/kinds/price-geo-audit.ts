import { endpoint } from "../../endpoint.ts";
import { buildPricingDeclaration } from "./analysis-endpoints.ts";
import { geoAudit } from "./geo-audit/geo-audit.ts";

export const priceGeoAudit = endpoint({
  name: "priceGeoAudit",
  method: "POST",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/geo-audits/price",
  group: "Analyses",
  summary: "Price a GEO audit",
  logged: "Priced GEO audit {name}",
  description:
    "Get a quote for create_geo_audit: an audit of a website's readiness for AI answers. Free. Show the person the `presentation`, and wait for an explicit yes.",
  ...buildPricingDeclaration(geoAudit),
});
