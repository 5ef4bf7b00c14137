import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { auditsPage } from "./audit-checks.ts";
import { proofsPage } from "./proofs-page.ts";
import { schemaOrgTable } from "./schema-org-table.ts";
import { everyEndpoint } from "./every-endpoint.ts";

const root = (file: string) => fileURLToPath(import.meta.resolve(`#root/${file}`));
writeFileSync(root("tools/every-endpoint.ts"), everyEndpoint());
// Imported dynamically, because the modules import the endpoint list that was just written.
const { renderToolsPage: toolsPage } = await import("../src/http/mcp/tools/tools-page.ts");
const { exportsPage } = await import("./exports-page.ts");
const { configurationPage, openApiText, serverPage, sourcesPage } = await import("./reference.ts");
writeFileSync(root("openapi.json"), openApiText());
writeFileSync(root("docs/configuration.md"), configurationPage());
writeFileSync(root("docs/exports.md"), exportsPage());
writeFileSync(root("docs/proofs.md"), proofsPage());
writeFileSync(root("docs/sources.md"), sourcesPage());
writeFileSync(root("docs/tools.md"), toolsPage());
writeFileSync(root("docs/audits.md"), auditsPage(readFileSync(root("docs/audits.md"), "utf8")));
writeFileSync(root("server.json"), serverPage());
writeFileSync(root("lists/schema-org.json"), schemaOrgTable());
process.stdout.write(
  "Wrote tools/every-endpoint.ts, openapi.json, server.json, docs/configuration.md, docs/exports.md, docs/proofs.md, docs/sources.md, docs/tools.md, the list of checks in docs/audits.md and lists/schema-org.json.\n",
);
