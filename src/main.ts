import { pino } from "pino";
import { readConfig, type Environment } from "./config.ts";
import { endProcessBy } from "./end-process.ts";
import { startService, type Service } from "./service.ts";
import { startFailure } from "./start-failure.ts";

const config = readConfigOrStop();
const log = pino({ level: config.LOG_LEVEL });
let service: Service | undefined;
endProcessBy(async () => service?.close(), log);
service = await startService(config, { log }).catch((error: unknown) => stop(startFailure(error, config), 1));
log.info({ address: service.config.baseUrl }, "listening");
process.stdout.write(welcome(service));

/** What a person needs after a start. Clients refuse an address that differs from the one in the metadata, so copy it. */
function welcome(of: Service): string {
  const { baseUrl, mcpUrl } = of.config;
  const signIn =
    of.setupLink === undefined ? `Sign in      ${baseUrl}/sign-in` : `Set up here  ${of.setupLink}  (works once)`;
  return `
  Brand Visibility is running.

  ${signIn}
  REST         ${baseUrl}/v1
  Reference    ${baseUrl}/docs  (${baseUrl}/openapi.json)
  Agent tools  ${mcpUrl}
  Claude Code  claude mcp add --transport http brand-visibility ${mcpUrl}

`;
}

function readConfigOrStop(): Environment {
  try {
    return readConfig(process.env);
  } catch (error) {
    return stop(error instanceof Error ? error.message : String(error), 2);
  }
}

function stop(message: string, exitCode: number): never {
  process.stderr.write(`${message}\n`);
  return process.exit(exitCode);
}
