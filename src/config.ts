import { z } from "zod";
import { limitSettings } from "./limits/limit-settings.ts";
import { PlatformSettings } from "./outside/platforms/platform-settings.ts";
import type { DeclaredProvider, Provider } from "./outside/sources/provider.ts";
import { PROVIDERS } from "./outside/sources/providers.ts";
import { isNameServer } from "./outside/txt-records.ts";
import { address, flag, json, seconds } from "./setting-fields.ts";

const port = z.coerce.number().int().min(0).max(65_535);
/** https, or http that does not leave this machine; without credentials, query or fragment. */
const guardedAddress = address.refine((url) => {
  const { protocol, hostname, username, password, search, hash } = new URL(url);
  const isLoopback = ["localhost", "127.0.0.1", "[::1]"].includes(hostname);
  return (protocol === "https:" || isLoopback) && `${username}${password}${search}${hash}` === "";
}, "must be an https address (http for localhost alone) without user, query or fragment");
/** Settings of the process, all optional, each described for docs/configuration.md. */
const ConfigSchema = z.object({
  PORT: port.default(3000).describe("Port to listen on; 0 takes a free one."),
  HOST: z.string().default("127.0.0.1").describe("Address to listen on."),
  DATA_DIR: z.string().min(1).default("./data").describe("Folder of the database, the master key and the assets."),
  BASE_URL: address
    // With a path in it, the addresses at which clients look for the authorization server would not be ours.
    .refine((url) => new URL(url).pathname === "/", "must have no path")
    .optional()
    .describe("Public address of the core interface and of sign-in. Default: http://localhost:PORT."),
  SEARCH_BASE_URL: address.optional().describe("Public address of the search-metrics interface. Default: BASE_URL."),
  MCP_URL: address.optional().describe("Public address of the agent-tool server. Default: BASE_URL/mcp."),
  SERVE: z
    .string()
    .default("core,search,mcp,web,worker")
    .transform((list) => list.split(",").map((part) => part.trim()))
    .pipe(z.array(z.enum(["core", "search", "mcp", "web", "worker"])).min(1))
    .describe("Which parts this process serves: core, search, mcp, web, worker."),
  DEMO: flag.default(true).describe("1 offers a demo organization on an empty database; 0 does not."),
  BOOTSTRAP_EMAIL: z.email().optional().describe("Makes the first owner without a browser, with BOOTSTRAP_PASSWORD."),
  BOOTSTRAP_PASSWORD: z
    .string()
    .min(12)
    .max(1024)
    .optional()
    .describe("Password of BOOTSTRAP_EMAIL, at least 12 characters."),
  MASTER_KEY: z
    .base64()
    .optional()
    .describe(
      "32 bytes in base64 that every stored secret is sealed with. Default: DATA_DIR/master.key, made at the first start.",
    ),
  PREVIOUS_MASTER_KEYS: z
    .string()
    .transform((list) => list.split(",").map((key) => key.trim()))
    .pipe(z.array(z.base64()))
    .default([])
    .describe(
      "Earlier values of MASTER_KEY, comma-separated, that still open what they sealed; `npm run reencrypt` makes them superfluous.",
    ),
  LOG_LEVEL: z
    .enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"])
    .default("info")
    .describe("Least severe log line that is written."),
  TRUST_PROXY: flag
    .default(false)
    .describe(
      "1 behind a reverse proxy that sets X-Forwarded-For and X-Forwarded-Proto; limits count by the address that it adds.",
    ),
  ALLOWED_HOSTS: z
    .string()
    .transform((list) => list.split(",").map((host) => host.trim().toLowerCase()))
    .optional()
    .describe("Further Host headers that are answered, comma-separated. The hosts of the public addresses always are."),
  ALLOWED_ORIGINS: z
    .string()
    .transform((list) => list.split(",").map((origin) => origin.trim()))
    .default([])
    .describe("Further web origins whose pages may call the tool server, comma-separated; * for any."),
  ...limitSettings,
  CLIENT_METADATA_DOCUMENTS: flag
    .default(true)
    .describe("0 turns off fetching OAuth client metadata documents, for hosts without a way out."),
  AUDIT_RETENTION_DAYS: z.coerce
    .number()
    .int()
    .min(1)
    .max(36_500)
    .default(400)
    .describe("How many days rows of the audit log are kept."),
  SSO_ALLOW_PRIVATE_ADDRESSES: flag
    .default(false)
    .describe(
      "1 lets owners name identity providers in this process's own network, and over http on this machine. By default only public https addresses are asked.",
    ),
  CREDIT_PRICES: json
    .pipe(z.record(z.string(), z.number().int().min(0)))
    .default({})
    .describe("Prices in credits that replace the built-in table, as JSON; docs/configuration.md lists the names."),
  ASSET_MAX_MB: z.coerce
    .number()
    .min(0.001)
    .max(1024)
    .default(25)
    .describe("Largest text, document or image that can be added."),
  ASSET_VIDEO_MAX_MB: z.coerce
    .number()
    .min(0.001)
    .max(10_240)
    .default(200)
    .describe("Largest video that can be added."),
  EVALUATION_MODEL_BASE_URL: address
    .optional()
    .describe(
      "Address of an OpenAI-compatible interface, up to /v1, whose chat completions judge texts and images; with EVALUATION_MODEL.",
    ),
  EVALUATION_MODEL: z.string().min(1).optional().describe("Model that judges assets. Default: rules, for texts alone."),
  EVALUATION_MODEL_API_KEY: z
    .string()
    .min(1)
    .optional()
    .describe("Key for EVALUATION_MODEL_BASE_URL, where it wants one."),
  EVALUATION_MODEL_TIMEOUT_SECONDS: seconds.default(120).describe("How long one judgement may take."),
  COLLECT_CONCURRENCY: z.coerce
    .number()
    .int()
    .min(1)
    .max(256)
    .default(8)
    .describe("Questions that this process asks one provider at the same time."),
  COLLECT_ATTEMPTS: z.coerce
    .number()
    .int()
    .min(1)
    .max(20)
    .default(6)
    .describe("How often a question is asked before it has failed."),
  COLLECT_BACKOFF_SECONDS: seconds
    .default(2)
    .describe("Longest wait before the second attempt; it doubles with each further one, up to five minutes."),
  COLLECT_LEASE_SECONDS: seconds
    .default(30)
    .describe("How long after a crash of this process its open questions are taken up again."),
  PARTNER_BASE_URL: guardedAddress
    .optional()
    .describe(
      "Address of the partner that briefs are sent to (docs/partner-protocol.md). Without it no workspace can be connected.",
    ),
  PARTNER_TIMEOUT_SECONDS: seconds.default(10).describe("How long one request to the partner may take."),
  PARTNER_ATTEMPTS: z.coerce
    .number()
    .int()
    .min(1)
    .max(5)
    .default(3)
    .describe("How often one request is sent to a partner that cannot be reached."),
  PARTNER_RECOVERY_SECONDS: seconds
    .default(120)
    .describe("How long after its begin a send that a crash interrupted is taken up again."),
  PARTNER_SYNC_SECONDS: seconds
    .default(60)
    .describe("How soon a sent brief is read back from the partner; later reads are further and further apart."),
  DNS_SERVERS: z
    .string()
    .transform((list) => list.split(",").map((server) => server.trim()))
    .pipe(z.array(z.string().refine(isNameServer, "must be IP addresses, each with or without a port")))
    .optional()
    .describe("Name servers that organizations' domains are verified with, comma-separated. Default: the system's."),
  ADVERTISING_PLATFORM: json
    .pipe(PlatformSettings)
    .optional()
    .describe(
      "The advertising platform whose accounts people connect, as JSON (docs/platform-accounts.md): its endpoints and this service's client there.",
    ),
  SOCIAL_VIDEO_PLATFORM: json
    .pipe(PlatformSettings)
    .optional()
    .describe("The social video platform, described like ADVERTISING_PLATFORM."),
});

/** The settings as the environment gives them. Frozen. */
export interface Environment extends z.output<typeof ConfigSchema> {
  /** The configured providers, the preferred ones first. */
  providers: readonly Provider[];
}

/** The settings of this process, with the addresses filled in. Frozen. */
export interface Config extends Environment {
  baseUrl: string;
  searchBaseUrl: string;
  mcpUrl: string;
}

/** Every variable that can be set, with its description and its default. `docs/configuration.md` is made of it. */
export function listSettings(providers: readonly DeclaredProvider[] = PROVIDERS) {
  return [ConfigSchema, ...providers.map(({ settings }) => settings)].flatMap((schema) => {
    const defaults: Record<string, unknown> = schema.parse({});
    return Object.entries<z.core.$ZodType>(schema.shape).map(([name, field]) => {
      return { name, description: z.globalRegistry.get(field)?.description ?? "", default: defaults[name] };
    });
  });
}

/** Parses the environment once. Throws an error whose message names every wrong variable and its remedy. */
export function readConfig(
  env: Record<string, string | undefined>,
  declared: readonly DeclaredProvider[] = PROVIDERS,
): Config {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ""));
  const parsed = ConfigSchema.safeParse(given);
  const ofProviders = declared.flatMap(({ settings }) => settings.safeParse(given).error?.issues ?? []);
  const issues = [...(parsed.error?.issues ?? []), ...ofProviders];
  if (!parsed.success || issues.length > 0) {
    const lines = issues.map((issue) => `  ${issue.path.join(".")}: ${issue.message}`);
    throw new Error(`The configuration is not valid. Correct these environment variables:\n${lines.join("\n")}`);
  }
  if ((parsed.data.BOOTSTRAP_EMAIL === undefined) !== (parsed.data.BOOTSTRAP_PASSWORD === undefined)) {
    throw new Error("The configuration is not valid. Set BOOTSTRAP_EMAIL and BOOTSTRAP_PASSWORD together, or neither.");
  }
  if ((parsed.data.EVALUATION_MODEL_BASE_URL === undefined) !== (parsed.data.EVALUATION_MODEL === undefined)) {
    throw new Error(
      "The configuration is not valid. Set EVALUATION_MODEL_BASE_URL and EVALUATION_MODEL together, or neither.",
    );
  }
  const concurrency = parsed.data.COLLECT_CONCURRENCY;
  const providers = declared.flatMap((provider) => provider.open(given, { concurrency }) ?? []);
  return withAddresses({ ...parsed.data, providers }, parsed.data.PORT);
}

/** The keys that secrets are sealed and opened with. */
export function masterKeys({ MASTER_KEY, PREVIOUS_MASTER_KEYS }: Environment) {
  return { present: MASTER_KEY, previous: PREVIOUS_MASTER_KEYS };
}

/** Fills in the addresses that follow from the port, which is known only after listening when PORT is 0. */
export function withAddresses(environment: Environment, listeningPort: number): Config {
  const baseUrl = environment.BASE_URL ?? `http://localhost:${listeningPort}`;
  return Object.freeze({
    ...environment,
    baseUrl,
    searchBaseUrl: environment.SEARCH_BASE_URL ?? baseUrl,
    mcpUrl: environment.MCP_URL ?? `${baseUrl}/mcp`,
  });
}
