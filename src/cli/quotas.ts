import { quotaCommand } from "./quota-command.ts";
import { runCommand } from "./run-command.ts";

await runCommand(quotaCommand);
