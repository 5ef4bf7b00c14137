import { z } from "zod";
import { formatIssueMessage } from "../../core/shared/format-issue-message.ts";
import { MAX_LEASE_MS } from "../../core/jobs/waits.ts";
import { areSourceNamesDistinct, SOURCES, DEFAULT_SOURCE_NAMES } from "../../core/sources/sources.ts";
import { limitSettingFields } from "../limits/limit-settings.ts";
import { findHalfSetModel, modelSettingFields } from "../outside/judge/model-settings.ts";
import { partnerSettingFields } from "../outside/partner/partner-settings.ts";
import { PlatformSettings } from "../outside/platforms/platform-settings.ts";
import type { DeclaredProvider, Provider } from "../outside/sources/provider.ts";
import {
  ChoiceSettingsSchema,
  readChosenProviders,
  listInvalidChoices,
  type ChosenProviders,
} from "../outside/sources/chosen-providers.ts";
import { PROVIDERS } from "../outside/sources/providers.ts";
import { isNameServer } from "../outside/txt-records.ts";
import { address, flag, json, optionalText, seconds } from "./setting-fields.ts";

/** docs/configuration.md is generated from the descriptions. */
const ConfigSchema = z.object({
  PORT: z.coerce.number().int().min(0).max(65_535).default(3000).describe("Port to listen on; 0 picks a free one."),
  HOST: z.string().default("127.0.0.1").describe("Address to listen on."),
  DATA_DIR: z
    .string()
    .min(1)
    .default("./data")
    .describe("Folder for the database, the master key and uploaded assets."),
  NODE_ENV: z
    .string()
    .default("development")
    .describe("In production, a missing database is an error: `npm start -- --init` creates it once."),
  MIN_FREE_DISK_MB: z.coerce
    .number()
    .min(0)
    .default(64)
    .describe("Minimum free space on the disk of DATA_DIR, in megabytes. Below it `/readyz` reports `disk_low`."),
  BASE_URL: address
    // A path would move the OAuth well-known URLs outside this service.
    .refine((url) => new URL(url).pathname === "/", "must have no path")
    .optional()
    .describe("Public URL of the core API and of sign-in. Default: http://localhost:PORT."),
  SEARCH_BASE_URL: address.optional().describe("Public URL of the search-metrics API. Default: BASE_URL."),
  MCP_URL: address.optional().describe("Public URL of the MCP server. Default: BASE_URL/mcp."),
  SERVE: z
    .string()
    .default("core,search,mcp,web,worker")
    .transform((list) => list.split(",").map((part) => part.trim()))
    .pipe(z.array(z.enum(["core", "search", "mcp", "web", "worker"])).min(1))
    .describe(
      "Parts that this process runs, comma-separated: core, search, mcp, web, worker. At least one process needs the worker, which also deletes expired data.",
    ),
  DEMO: flag.default(true).describe("1 creates a demo organization on first setup; 0 does not."),
  BOOTSTRAP_EMAIL: z
    .email()
    .optional()
    .describe("Creates the first owner without a browser; requires BOOTSTRAP_PASSWORD."),
  BOOTSTRAP_PASSWORD: z
    .string()
    .min(12)
    .max(1024)
    .optional()
    .describe("Password for BOOTSTRAP_EMAIL, at least 12 characters and not easy to guess."),
  MASTER_KEY: z
    .base64()
    .optional()
    .describe(
      "Key that encrypts stored secrets: 32 bytes in base64. Default: the content of DATA_DIR/master.key, created at the first start.",
    ),
  PREVIOUS_MASTER_KEYS: z
    .string()
    .transform((list) => list.split(",").map((key) => key.trim()))
    .pipe(z.array(z.base64()))
    .default([])
    .describe(
      "Earlier values of MASTER_KEY, comma-separated, to decrypt older secrets. Not needed after `npx brand-visibility reencrypt`.",
    ),
  LOG_LEVEL: z
    .enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"])
    .default("info")
    .describe("Lowest level that is logged. Requests are logged at `info`, in a terminal at `debug`."),
  TRUST_PROXY: flag
    .default(false)
    .describe(
      "1 behind a reverse proxy that sets X-Forwarded-For and X-Forwarded-Proto. Rate limits then use the client address that the proxy adds.",
    ),
  KEEP_ALIVE_SECONDS: z.coerce
    .number()
    .int()
    .min(1)
    .max(3600)
    .default(75)
    .describe(
      "Seconds until an idle connection is closed. Set it above the idle timeout of your proxy, such as 620 behind Google Cloud's load balancers.",
    ),
  ALLOWED_HOSTS: z
    .string()
    .transform((list) => list.split(",").map((host) => host.trim().toLowerCase()))
    .optional()
    .describe("Additional Host headers to accept, comma-separated. The hosts of the public URLs are always accepted."),
  ALLOWED_ORIGINS: z
    .string()
    .transform((list) => list.split(",").map((origin) => origin.trim()))
    .default([])
    .describe("Additional web origins that may call the MCP server, comma-separated; * for any."),
  ...limitSettingFields,
  CLIENT_METADATA_DOCUMENTS: flag
    .default(true)
    .describe("0 turns off fetching OAuth client metadata documents, for hosts without internet access."),
  AUDIT_RETENTION_DAYS: z.coerce
    .number()
    .int()
    .min(1)
    .max(36_500)
    .default(400)
    .describe("Days to keep audit log entries."),
  SESSION_IDLE_MINUTES: z.coerce
    .number()
    .int()
    .min(0)
    .max(10_080)
    .default(0)
    .describe(
      "Minutes of inactivity until a browser is signed out, accurate to a minute; 0 for no limit. Browsers are signed out after 7 days in any case.",
    ),
  SSO_ALLOW_PRIVATE_ADDRESSES: flag
    .default(false)
    .describe(
      "1 allows identity providers on private networks, and over http on this machine. By default only public https addresses are allowed.",
    ),
  CREDIT_PRICES: json
    .pipe(z.record(z.string(), z.number().int().min(0)))
    .default({})
    .describe("Prices in credits, as JSON, that override the defaults below."),
  SOURCE_NAMES: json
    .pipe(z.partialRecord(z.enum(SOURCES), z.string().trim().min(1).max(30)))
    .refine(areSourceNamesDistinct, "must give each source a name that is no other's name or label")
    .default({})
    .describe(
      `Display names of sources, as JSON such as {"ASSISTANT_A": "Assistant A"}. Tools accept these names, the default names and the labels. Default: ${SOURCES.map((source) => DEFAULT_SOURCE_NAMES[source]).join(", ")}.`,
    ),
  ASSET_MAX_MB: z.coerce
    .number()
    .min(0.001)
    .max(1024)
    .default(25)
    .describe("Maximum size of a text, document or image, in megabytes."),
  ASSET_VIDEO_MAX_MB: z.coerce
    .number()
    .min(0.001)
    .max(10_240)
    .default(200)
    .describe("Maximum size of a video, in megabytes."),
  IMPORT_MAX_MB: z.coerce
    .number()
    .min(0.001)
    .max(10_240)
    .default(1024)
    .describe("Maximum size of an import of answers, in megabytes."),
  IMPORT_MAX_LINES: z.coerce
    .number()
    .int()
    .min(1)
    .max(100_000_000)
    .default(1_000_000)
    .describe("Maximum lines of an import of answers."),
  ...modelSettingFields,
  COLLECT_CONCURRENCY: z.coerce
    .number()
    .int()
    .min(1)
    .max(256)
    .default(8)
    .describe("Maximum concurrent prompts of this process to one provider."),
  COLLECT_ATTEMPTS: z.coerce.number().int().min(1).max(20).default(6).describe("Attempts per prompt before it fails."),
  COLLECT_BACKOFF_SECONDS: seconds
    .default(2)
    .describe("Maximum seconds before the second attempt. The maximum doubles with each attempt, up to five minutes."),
  COLLECT_LEASE_SECONDS: seconds
    .max(MAX_LEASE_MS / 1000)
    .default(30)
    .describe("Seconds after a crash until prompts in progress are sent again."),
  ORGANIZATION_MONTHLY_USD: z.coerce
    .number()
    .min(0)
    .optional()
    .describe(
      "Maximum spend at providers for one organization per calendar month (UTC) in US dollars, including prompts in progress. Further prompts fail. Default: no limit.",
    ),
  ...partnerSettingFields,
  DNS_SERVERS: z
    .string()
    .transform((list) => list.split(",").map((server) => server.trim()))
    .pipe(z.array(z.string().refine(isNameServer, "must be IP addresses, each with or without a port")))
    .optional()
    .describe(
      "Name servers for verifying organizations' domains and for resolving audited sites, comma-separated. Default: the name servers of the system.",
    ),
  CHROMIUM_PATH: optionalText(
    "Path of the Chromium that renders audited pages, such as /usr/bin/chromium, or /usr/bin/chromium-headless-shell, which uses less CPU. Without it no page is rendered. Do not run the service as root: Chromium has no sandbox as root.",
  ),
  CRAWLER_CONTACT: z
    .union([z.email(), z.url({ protocol: /^https?$/ })], { error: "must be an e-mail address or a web address" })
    .optional()
    .describe(
      "Contact for owners of audited sites: an e-mail address or a web address. It is shown to everyone on /docs/crawler, which the crawler's user agent links to.",
    ),
  ADVERTISING_PLATFORM: json
    .pipe(PlatformSettings)
    .optional()
    .describe(
      "Advertising platform whose accounts can be connected, as JSON: the endpoints of the platform and the OAuth client of this service (docs/integrations.md).",
    ),
  SOCIAL_VIDEO_PLATFORM: json
    .pipe(PlatformSettings)
    .optional()
    .describe("Social video platform, in the form of ADVERTISING_PLATFORM."),
});

export interface Environment extends z.output<typeof ConfigSchema> {
  providers: readonly Provider[];
  chosenProviders: ChosenProviders;
}

export interface Config extends Environment {
  baseUrl: string;
  searchBaseUrl: string;
  mcpUrl: string;
}

export function listSettings(providers: readonly DeclaredProvider[] = PROVIDERS) {
  return [ConfigSchema, ChoiceSettingsSchema, ...providers.map(({ settings }) => settings)].flatMap((schema) => {
    const defaults: Record<string, unknown> = schema.parse({});
    return Object.entries<z.core.$ZodType>(schema.shape).map(([name, field]) => {
      return { name, description: z.globalRegistry.get(field)?.description ?? "", default: defaults[name] };
    });
  });
}

/** Throws one error that names every invalid variable and its remedy. */
export function readConfig(
  env: Record<string, string | undefined>,
  declared: readonly DeclaredProvider[] = PROVIDERS,
): Config {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ""));
  const parsed = ConfigSchema.safeParse(given, { error: formatIssueMessage });
  const ofProviders = declared.flatMap(
    ({ settings }) => settings.safeParse(given, { error: formatIssueMessage }).error?.issues ?? [],
  );
  const chosenProviders = readChosenProviders(given);
  const issues = [...(parsed.error?.issues ?? []), ...ofProviders, ...listInvalidChoices(chosenProviders, declared)];
  if (!parsed.success || issues.length > 0) {
    const lines = issues.map((issue) => `  ${issue.path.join(".")}: ${issue.message}`);
    throw new Error(`The configuration is not valid. Correct these environment variables:\n${lines.join("\n")}`);
  }
  if ((parsed.data.BOOTSTRAP_EMAIL === undefined) !== (parsed.data.BOOTSTRAP_PASSWORD === undefined)) {
    throw new Error("The configuration is not valid. Set BOOTSTRAP_EMAIL and BOOTSTRAP_PASSWORD together, or neither.");
  }
  const model = findHalfSetModel(parsed.data);
  if (model)
    throw new Error(`The configuration is not valid. Set ${model}_BASE_URL and ${model} together, or neither.`);
  const concurrency = parsed.data.COLLECT_CONCURRENCY;
  const providers = declared.flatMap((provider) => provider.open(given, { concurrency }) ?? []);
  return addAddresses({ ...parsed.data, providers, chosenProviders }, parsed.data.PORT);
}

export function getMasterKeys({ MASTER_KEY, PREVIOUS_MASTER_KEYS }: Environment) {
  return { present: MASTER_KEY, previous: PREVIOUS_MASTER_KEYS };
}

export function toIdleMs({ SESSION_IDLE_MINUTES }: Environment): number | null {
  return SESSION_IDLE_MINUTES === 0 ? null : SESSION_IDLE_MINUTES * 60_000;
}

/** PORT 0 is resolved only after listening. */
export function addAddresses(environment: Environment, listeningPort: number): Config {
  const baseUrl = environment.BASE_URL ?? `http://localhost:${listeningPort}`;
  return Object.freeze({
    ...environment,
    baseUrl,
    searchBaseUrl: environment.SEARCH_BASE_URL ?? baseUrl,
    mcpUrl: environment.MCP_URL ?? `${baseUrl}/mcp`,
  });
}
