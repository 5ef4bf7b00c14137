import { listSettings } from "../src/config/config.ts";
import { PACKAGE } from "../src/process/package.ts";
import { BUILT_IN_PRICES } from "../core/credits/prices.ts";
import { SOURCES } from "../core/sources/sources.ts";
import type { Methods } from "../src/outside/sources/provider.ts";
import { PROVIDERS } from "../src/outside/sources/providers.ts";
import { buildOpenApiDocument } from "../src/http/rest/openapi.ts";

// Renders the generated pages. A test compares them with the committed files.

const DEFAULT_ADDRESS = "http://localhost:3000";

export function openApiText(): string {
  return `${JSON.stringify(buildOpenApiDocument({ baseUrl: DEFAULT_ADDRESS, searchBaseUrl: DEFAULT_ADDRESS }), null, 2)}\n`;
}

export function configurationPage(): string {
  const rows = listSettings().map((setting) => {
    const description = setting.description.replaceAll("|", String.raw`\|`);
    return `| \`${setting.name}\` | ${formatDefault(setting.default)} | ${description} |`;
  });
  const prices = Object.entries(BUILT_IN_PRICES).map(([name, credits]) => `| \`${name}\` | ${credits} |`);
  return `# Configuration

Set any of these environment variables before you start the service; all are optional. If a value is invalid, the service does not start and prints the name of the variable. The log at start names variables that look like a misspelt setting. This page is generated: \`npm run generate\`.

| variable | default | meaning |
|---|---|---|
${rows.join("\n")}

## Prices in credits

\`CREDIT_PRICES\` overrides any of these prices, for example \`CREDIT_PRICES={"search_analysis_question":2}\`.

| name | credits |
|---|---|
${prices.join("\n")}
`;
}

export function sourcesPage(): string {
  const rows = PROVIDERS.filter(({ needs }) => needs.length > 0).map((provider) => {
    const { name, title, serves, mayServe, needs, recordedOn, hasTasks } = provider;
    const asked = hasTasks ? "asynchronous task" : "immediate";
    const variables = needs.map((need) => `\`${need}\``).join(", ");
    const cells = [`\`${name}\``, title, methodsText(serves), methodsText(mayServe), variables, asked, recordedOn];
    return `| ${cells.join(" | ")} |`;
  });
  const keywordProviders = PROVIDERS.flatMap(({ name, hasKeywords }) => (hasKeywords ? [`\`${name}\``] : [])).join(
    ", ",
  );
  return `# Sources and providers

Choose a real provider for each source. The first configured provider in this table answers a source. To choose another provider, set its name, such as \`SOURCE_ASSISTANT_A=compatible\`. Sources without a provider are simulated. \`npx brand-visibility doctor\` checks which providers are configured and whether they respond.

The pages in [providers](providers) describe the coverage, cost and limits of each provider. [collecting.md](collecting.md) describes how prompts are sent, and [providers/README.md](providers/README.md) how to add a provider. This page is generated: \`npm run generate\`.

| provider | API | sources by default | sources if chosen | required settings | response | last recorded test |
|---|---|---|---|---|---|---|
${rows.join("\n")}

Search volumes of prompts come from ${keywordProviders} if it is configured, from the setup of an analysis, or from an import. They are never simulated.
`;
}

function methodsText(methods: Methods): string {
  return SOURCES.flatMap((source) => (methods[source] === undefined ? [] : [`${source} (${methods[source]})`])).join(
    ", ",
  );
}

/**
 * `server.json` for the MCP registry (schema 2025-12-11). Publishers set `mcpName` and `repository`
 * in package.json.
 */
export function serverPage({ mcpName, version, description, repository } = PACKAGE): string {
  const host = { description: "Where the service runs, such as visibility.example.com", isRequired: true };
  const server = {
    $schema: "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
    name: mcpName,
    title: "Brand Visibility Analytics",
    description,
    version,
    ...(repository && { repository: { url: repository.url, source: hostingServiceOf(repository.url) } }),
    remotes: [{ type: "streamable-http", url: "https://{host}/mcp", variables: { host } }],
  };
  return `${JSON.stringify(server, null, 2)}\n`;
}

/** Name by which the registry knows a hosting service, such as `github`. */
function hostingServiceOf(url: string): string {
  const { hostname } = new URL(url);
  return hostname.replace(/^www\./, "").replace(/^(github|gitlab|bitbucket)\.(?:com|org)$/, "$1");
}

function formatDefault(value: unknown): string {
  if (value === undefined) return "";
  if (typeof value === "boolean") return value ? "`1`" : "`0`";
  if (Array.isArray(value)) return `\`${value.join(",")}\``;
  return typeof value === "string" ? `\`${value}\`` : `\`${JSON.stringify(value)}\``;
}
