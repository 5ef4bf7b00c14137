import { bool, id, idOf, index, instant, int, primaryKey, string, table } from "../../engine/columns.ts";
import { ofWorkspace } from "../../identity/schema/tenant.ts";
import { collects } from "../../analyses/schema/analyses.ts";

/** The stored body of one import, and how far it is read. What was accepted of it is what its collect has. */
export const imports = table(
  "imports",
  {
    collectId: id("collect_id")
      .primaryKey()
      .references(() => collects.id),
    ...ofWorkspace(),
    /** SHA-256 of the body, in hex; also the name of the stored file. */
    sha256: string("sha256").notNull(),
    sizeBytes: int("size_bytes").notNull(),
    /** True for one that nothing waits for, of which only few are taken in at once. */
    isLarge: bool("is_large").notNull(),
    /** True while the body is kept as a file. */
    hasFile: bool("has_file").notNull(),
    /** Where the first byte stands that was not read yet. */
    offsetBytes: int("offset_bytes").notNull(),
    /** Lines before it. */
    linesRead: int("lines_read").notNull(),
    /** The collect that its first readable line names, empty where it names none; null until there is such a line. */
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
    collectId: idOf("collect_id", () => collects.id),
    /** 1 for the first line. */
    line: int("line").notNull(),
    message: string("message").notNull(),
  },
  (t) => [primaryKey({ columns: [t.collectId, t.line] })],
);
