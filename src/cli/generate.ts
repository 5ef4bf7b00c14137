import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { toolsPage } from "../http/mcp/tools/tools-page.ts";
import { configurationPage, openApiText, serverPage } from "./reference.ts";

// Writes the files of the repository that are generated from the code.
const root = (file: string) => fileURLToPath(import.meta.resolve(`#root/${file}`));
writeFileSync(root("openapi.json"), openApiText());
writeFileSync(root("docs/configuration.md"), configurationPage());
writeFileSync(root("docs/tools.md"), toolsPage());
writeFileSync(root("server.json"), serverPage());
process.stdout.write("Wrote openapi.json, server.json, docs/configuration.md and docs/tools.md.\n");
