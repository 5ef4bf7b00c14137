import * as c from "../../engine/columns.ts";
import { workspaceColumns } from "../../identity/schema/tenant.ts";
import { collects } from "../../analyses/schema/analyses.ts";

export const imports = c.table(
  "imports",
  {
    collectId: c
      .id("collect_id")
      .primaryKey()
      .references(() => collects.id),
    ...workspaceColumns(),
    /** In hex; also the name of the stored file. */
    sha256: c.string("sha256").notNull(),
    sizeBytes: c.int("size_bytes").notNull(),
    /** Runs in the background; concurrent large imports are limited. */
    isLarge: c.bool("is_large").notNull(),
    hasFile: c.bool("has_file").notNull(),
    offsetBytes: c.int("offset_bytes").notNull(),
    linesRead: c.int("lines_read").notNull(),
    /** From the first valid line, empty if it has none; null before that line. */
    collectName: c.string("collect_name"),
    rejectedCount: c.int("rejected_count").notNull(),
    createdAt: c.instant("created_at").notNull(),
    endedAt: c.instant("ended_at"),
  },
  (t) => [c.index("imports_open").on(t.endedAt, t.organizationId), c.index("imports_file").on(t.sha256, t.hasFile)],
);

export const importRejections = c.table(
  "import_rejections",
  {
    collectId: c.foreignId("collect_id", () => collects.id),
    /** 1-based. */
    line: c.int("line").notNull(),
    message: c.string("message").notNull(),
  },
  (t) => [c.primaryKey({ columns: [t.collectId, t.line] })],
);
