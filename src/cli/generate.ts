import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { configurationPage, openApiText } from "../reference.ts";

// Writes the files of the repository that are generated from the code.
const root = (file: string) => fileURLToPath(import.meta.resolve(`#root/${file}`));
writeFileSync(root("openapi.json"), openApiText());
writeFileSync(root("docs/configuration.md"), configurationPage());
process.stdout.write("Wrote openapi.json and docs/configuration.md.\n");
