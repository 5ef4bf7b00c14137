#!/usr/bin/env node
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { programUrl } from "../core/shared/program-url.ts";
import { runCommand, type StoreCommand } from "../src/cli/run-command.ts";
import { PACKAGE } from "../src/process/package.ts";

interface Command {
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

const COMMANDS: Record<string, Command> = {
  start: { summary: "starts the service; --init creates the database in production", help: START_HELP, run: start },
  doctor: {
    summary: "checks which provider answers each source",
    run: async (args) => (await import("../src/cli/doctor.ts")).runDoctor(args),
  },
  accounts: withStore("resets, disables or enables an account, or removes its second factor", async () => {
    const { accountCommand, ACCOUNTS_HELP } = await import("../src/cli/account-command.ts");
    return { run: accountCommand, help: ACCOUNTS_HELP };
  }),
  keys: withStore("lists and rotates signing keys", async () => {
    const { keysCommand, KEYS_HELP } = await import("../src/cli/keys-command.ts");
    return { run: keysCommand, help: KEYS_HELP };
  }),
  reencrypt: withStore("re-encrypts stored secrets with the current master key", async () => {
    const { reencryptCommand, REENCRYPT_HELP } = await import("../src/cli/reencrypt-command.ts");
    return { run: reencryptCommand, help: REENCRYPT_HELP };
  }),
  quotas: withStore("lists and sets quotas of organizations", async () => {
    const { quotaCommand, QUOTAS_HELP } = await import("../src/cli/quota-command.ts");
    return { run: quotaCommand, help: QUOTAS_HELP };
  }),
  domains: withStore("lists and verifies an organization's domains", async () => {
    const { domainCommand, DOMAINS_HELP } = await import("../src/cli/domain-command.ts");
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

const rows = Object.entries(COMMANDS).map(([name, { summary }]) => `  ${name.padEnd(12)}${summary}\n`);
const HELP = `Usage: npx brand-visibility COMMAND [OPTION…]

${rows.join("")}
npx brand-visibility COMMAND --help describes a command; --version prints the version. Settings are environment variables.
Exit codes: 0 done, 1 done in part or stopped by a fault, 2 not done.
`;

const [name = "--help", ...args] = process.argv.slice(2);
const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
if (command) {
  try {
    if (command.help !== undefined && args.includes("--help")) process.stdout.write(command.help);
    else await command.run(args);
  } catch (error) {
    if (!isUsageError(error)) throw error;
    process.stderr.write(`${error.message}\n\nSee npx brand-visibility ${name} --help\n`);
    process.exitCode = 2;
  }
} else if (name === "--version") process.stdout.write(`${PACKAGE.version}\n`);
else if (name === "--help" || name === "help") process.stdout.write(HELP);
else {
  process.stderr.write(`No command is named ${name}.\n\n${HELP}`);
  process.exitCode = 2;
}

function withStore(summary: string, load: () => Promise<StoreCommand>): Command {
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
