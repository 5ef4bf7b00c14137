import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { GROUPS, isEndpoint, type AnyEndpoint } from "../../tools/endpoint.ts";

const TOOLS = fileURLToPath(import.meta.resolve("#root/tools"));

/** The text of tools/index.ts: every endpoint that a file of tools/ exports, by group, path and method. */
export async function toolsIndex(): Promise<string> {
  const files = (await readdir(TOOLS, { recursive: true }))
    .filter((file) => file.endsWith(".ts") && /[/\\]/.test(file))
    .toSorted();
  const found: { file: string; name: string; endpoint: AnyEndpoint }[] = [];
  for (const file of files) {
    const exported: Record<string, unknown> = await import(pathToFileURL(join(TOOLS, file)).href);
    for (const [name, endpoint] of Object.entries(exported)) {
      if (isEndpoint(endpoint)) found.push({ file: file.replaceAll("\\", "/"), name, endpoint });
    }
  }
  const names = found.toSorted((a, b) => inOrder(a.endpoint, b.endpoint)).map(({ name }) => `  ${name},`);
  return `// Written by \`npm run generate\` from the files of this folder.
import type { AnyEndpoint } from "./endpoint.ts";
${found.map(({ file, name }) => `import { ${name} } from "./${file}";`).join("\n")}

/** Everything that the product can do. Routes, tools and the reference are made from this list, in this order. */
export const endpoints: readonly AnyEndpoint[] = [
${names.join("\n")}
];
`;
}

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"];

/** By group, then a path before the paths below it, and words before parameters, which would take them for values. */
function inOrder(a: AnyEndpoint, b: AnyEndpoint): number {
  return (
    GROUPS.indexOf(a.group) - GROUPS.indexOf(b.group) ||
    byPath(a.path, b.path) ||
    METHODS.indexOf(a.method) - METHODS.indexOf(b.method)
  );
}

function byPath(a: string, b: string): number {
  // "~" comes after every letter, and "/" before.
  const [first, second] = [a, b].map((path) => path.replaceAll(":", "~"));
  return first === second ? 0 : (first ?? "") < (second ?? "") ? -1 : 1;
}
