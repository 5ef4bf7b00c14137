import type { z } from "zod";
import type { getAudit } from "../../../tools/audits/get-audit.ts";

export type ShownAudit = z.output<typeof getAudit.output>;
