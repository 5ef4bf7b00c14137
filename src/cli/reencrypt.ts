import { reencryptCommand } from "./reencrypt-command.ts";
import { runCommand } from "./run-command.ts";

await runCommand(reencryptCommand);
