import { bool, id, foreignId, index, instant, int, primaryKey, string, table } from "../../engine/columns.ts";
import { workspaceColumns } from "../../identity/schema/tenant.ts";
import { collects } from "../../analyses/schema/analyses.ts";

/** The stored body and its read progress; accepted answers are counted in the collect. */
export const imports = table(
  "imports",
  {
    collectId: id("collect_id")
      .primaryKey()
      .references(() => collects.id),
    ...workspaceColumns(),
    /** SHA-256 of the body, in hex; also the name of the stored file. */
    sha256: string("sha256").notNull(),
    sizeBytes: int("size_bytes").notNull(),
    /** True for an import that runs in the background; concurrent large imports are limited. */
    isLarge: bool("is_large").notNull(),
    hasFile: bool("has_file").notNull(),
    offsetBytes: int("offset_bytes").notNull(),
    linesRead: int("lines_read").notNull(),
    /**
     * Name of the collect in the first valid line, empty if the line has none; null before that
     * line.
     */
    collectName: string("collect_name"),
    rejectedCount: int("rejected_count").notNull(),
    createdAt: instant("created_at").notNull(),
    endedAt: instant("ended_at"),
  },
  (t) => [index("imports_open").on(t.endedAt, t.organizationId), index("imports_file").on(t.sha256, t.hasFile)],
);

export const importRejections = table(
  "import_rejections",
  {
    collectId: foreignId("collect_id", () => collects.id),
    /** 1-based line number. */
    line: int("line").notNull(),
    message: string("message").notNull(),
  },
  (t) => [primaryKey({ columns: [t.collectId, t.line] })],
);
