import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { RECORDED_ANSWERS } from "../../test/measurement/truth.ts";
import { reportScene } from "./scene.ts";
import { writeReport } from "./write-report.ts";

// Rewrites docs/example-report.md.

await using scene = await reportScene();
if (scene) await writeFile(join(import.meta.dirname, "../../docs/example-report.md"), await writeReport(scene));
else console.warn(`skipped: the recorded answers are not at ${RECORDED_ANSWERS}`);
