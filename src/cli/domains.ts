import { domainCommand } from "./domain-command.ts";
import { runCommand } from "./run-command.ts";

await runCommand(domainCommand);
