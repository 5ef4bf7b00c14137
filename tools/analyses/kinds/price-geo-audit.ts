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
    "Get the price of an audit of a website: can assistants fetch, understand and quote it? Free. Show the person the `presentation` and wait for a yes before create_geo_audit. For texts that are not online use price_asset_evaluation.",
  ...buildPricingDeclaration(geoAudit),
});
