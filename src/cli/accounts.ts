import { accountCommand } from "./account-command.ts";
import { runCommand } from "./run-command.ts";

await runCommand(accountCommand);
