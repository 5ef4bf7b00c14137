import { startServiceProcess } from "../support/killable-process.ts";
import { longFault } from "./fault.ts";
import { faultFolder } from "./scene.ts";

longFault(
  {
    fault: "A setting is misspelt",
    seen: "`RATE_LIMIT_ADRESS is no setting. Did you mean RATE_LIMIT_ADDRESS?` in the log at start, as a warning, then `listening`",
    lost: "Nothing. The setting that was meant has its default",
    recovers: "When it is corrected, with the next start",
  },
  async (see) => {
    await using folder = await faultFolder();
    await using service = await startServiceProcess({ ...folder.env, SERVE: "core", RATE_LIMIT_ADRESS: "60" });
    await service.writes("listening");
    see(service.written());
  },
);
