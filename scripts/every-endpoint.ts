import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const TOOLS = fileURLToPath(import.meta.resolve("#root/tools"));

export function everyEndpoint(): string {
  const files = readdirSync(TOOLS, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));
  const lines = files.toSorted().flatMap((file) => {
    const declared = readFileSync(join(TOOLS, file), "utf8").matchAll(/^export const (\w+) = endpoint\(/gm);
    return [...declared].map(([, name]) => `export { ${name} } from "./${file.replaceAll("\\", "/")}";`);
  });
  return `// Written by \`npm run generate\` from the files of this folder.\n${lines.join("\n")}\n`;
}
