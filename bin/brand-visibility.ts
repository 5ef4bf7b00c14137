#!/usr/bin/env node
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { programUrl } from "../core/shared/program-url.ts";
import { runCommand, type StoreCommand } from "../src/cli/run-command.ts";
import { PACKAGE } from "../src/process/package.ts";

interface CliCommand {
  summary: string;
  /** Help text of commands that do not print their own. */
  help?: string;
  run: (args: string[]) => unknown;
}

const START_HELP = `Starts the service with the database in DATA_DIR, and prints the addresses and a link to set it up.

  npx brand-visibility start          creates the database unless NODE_ENV is production
  npx brand-visibility start --init   creates it in production too

All settings: docs/configuration.md
`;

const DEMO_HELP = `Runs the main workflow through a real client, against a service with a temporary database and simulated answers.

  npx brand-visibility demo
`;

const CLI_COMMANDS: Record<string, CliCommand> = {
  start: { summary: "starts the service; --init creates the database in production", help: START_HELP, run: start },
  doctor: {
    summary: "checks which provider answers each source",
    run: async (args) => (await import("../src/cli/doctor.ts")).runDoctor(args),
  },
  accounts: defineStoreCommand("resets, disables or enables an account, or removes its second factor", async () => {
    const { runAccountCommand: accountCommand, ACCOUNTS_HELP } = await import("../src/cli/account-command.ts");
    return { run: accountCommand, help: ACCOUNTS_HELP };
  }),
  keys: defineStoreCommand("lists and rotates signing keys", async () => {
    const { runKeysCommand: keysCommand, KEYS_HELP } = await import("../src/cli/keys-command.ts");
    return { run: keysCommand, help: KEYS_HELP };
  }),
  reencrypt: defineStoreCommand("re-encrypts stored secrets with the current master key", async () => {
    const { reencryptCommand, REENCRYPT_HELP } = await import("../src/cli/reencrypt-command.ts");
    return { run: reencryptCommand, help: REENCRYPT_HELP };
  }),
  quotas: defineStoreCommand("lists and sets quotas of organizations", async () => {
    const { runQuotaCommand: quotaCommand, QUOTAS_HELP } = await import("../src/cli/quota-command.ts");
    return { run: quotaCommand, help: QUOTAS_HELP };
  }),
  domains: defineStoreCommand("lists and verifies an organization's domains", async () => {
    const { runDomainCommand: domainCommand, DOMAINS_HELP } = await import("../src/cli/domain-command.ts");
    return { run: domainCommand, help: DOMAINS_HELP };
  }),
  measure: {
    summary: "measures a file of recorded answers, without a server",
    run: async (args) => (await import("../src/cli/measure.ts")).runMeasure(args),
  },
  demo: {
    summary: "runs the main workflow through a real client",
    help: DEMO_HELP,
    run: async (args) => {
      parseArgs({ args });
      await (await import("../examples/demo.ts")).runDemo();
    },
  },
  partner: {
    summary: "starts a stand-in for the authoring tool",
    run: async (args) => (await import("../examples/partner.ts")).runPartner(args),
  },
};

const commandHelpLines = Object.entries(CLI_COMMANDS).map(([name, { summary }]) => `  ${name.padEnd(12)}${summary}\n`);
const HELP_TEXT = `Usage: npx brand-visibility COMMAND [OPTION…]

${commandHelpLines.join("")}
npx brand-visibility COMMAND --help describes a command; --version prints the version. Settings are environment variables.
Exit codes: 0 done, 1 done in part or stopped by a fault, 2 not done.
`;

const [name = "--help", ...args] = process.argv.slice(2);
const requestedCommand = Object.hasOwn(CLI_COMMANDS, name) ? CLI_COMMANDS[name] : undefined;
if (requestedCommand) {
  try {
    if (requestedCommand.help !== undefined && args.includes("--help")) process.stdout.write(requestedCommand.help);
    else await requestedCommand.run(args);
  } catch (error) {
    if (!isUsageError(error)) throw error;
    process.stderr.write(`${error.message}\n\nSee npx brand-visibility ${name} --help\n`);
    process.exitCode = 2;
  }
} else if (name === "--version") process.stdout.write(`${PACKAGE.version}\n`);
else if (name === "--help" || name === "help") process.stdout.write(HELP_TEXT);
else {
  process.stderr.write(`No command is named ${name}.\n\n${HELP_TEXT}`);
  process.exitCode = 2;
}

function defineStoreCommand(summary: string, load: () => Promise<StoreCommand>): CliCommand {
  return { summary, run: async (given) => runCommand(await load(), given) };
}

/** Runs the service in this process, because workers fork from the program in `process.argv`. */
async function start(options: string[]): Promise<void> {
  const program = programUrl("src/start");
  process.argv.splice(1, process.argv.length, fileURLToPath(program), ...options);
  await import(program.href);
}

function isUsageError(error: unknown): error is Error {
  return error instanceof Error && "code" in error && String(error.code).startsWith("ERR_PARSE_ARGS");
}
