import { pino } from "pino";
import { readConfig, type Environment } from "./config.ts";
import { startService, type Service } from "./service.ts";
import { startFailure } from "./start-failure.ts";

const config = readConfigOrStop();
const log = pino({ level: config.LOG_LEVEL });
const service = await startService(config, { log }).catch((error: unknown) => stop(startFailure(error, config), 1));
log.info({ address: service.config.baseUrl }, "listening");
process.stdout.write(welcome(service));

for (const signal of ["SIGTERM", "SIGINT"] as const) {
  process.once(signal, () => {
    log.info({ signal }, "stopping");
    service.close().then(
      () => log.info("stopped"),
      (error: unknown) => {
        log.error({ err: error }, "stopping failed");
        process.exitCode = 1;
      },
    );
  });
}

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
