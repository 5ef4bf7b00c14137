import { startServiceProcess } from "../support/killable-process.ts";
import { longFault } from "./fault.ts";
import { faultFolder } from "./scene.ts";

longFault(
  {
    fault: "The name of a setting is misspelt",
    seen: "`RATE_LIMIT_ADRESS is not a setting. Did you mean RATE_LIMIT_ADDRESS?` in the log at start, as a warning, then `listening`",
    lost: "Nothing. The intended setting has its default value",
    recovers: "At the next start with the correct name",
  },
  async (see) => {
    await using folder = await faultFolder();
    await using service = await startServiceProcess({ ...folder.env, SERVE: "core", RATE_LIMIT_ADRESS: "60" });
    await service.writes("listening");
    see(service.written());
  },
);
