import { keysCommand } from "./keys-command.ts";
import { runCommand } from "./run-command.ts";

await runCommand(keysCommand);
