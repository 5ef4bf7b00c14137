import { type AnySQLiteColumn, blob, customType, integer, real, text } from "drizzle-orm/sqlite-core";

// Engine-independent column types; test/db/postgres-tables.ts builds PostgreSQL tables from them.

export { alias, foreignKey, index, primaryKey, sqliteTable as table, uniqueIndex } from "drizzle-orm/sqlite-core";

/** ISO 8601 string in code, milliseconds since 1970 in the database. */
const instantType = customType<{ data: string; driverData: number }>({
  dataType: () => "integer",
  toDriver: (iso) => Date.parse(iso),
  fromDriver: (ms) => new Date(ms).toISOString(),
});

export const id = (name: string) => text(name);
export const foreignId = (
  name: string,
  target: () => AnySQLiteColumn,
  actions?: { onDelete?: "cascade" | "set null" },
) => id(name).notNull().references(target, actions);
export const string = (name: string) => text(name);
export const oneOf = <const T extends readonly [string, ...string[]]>(name: string, values: T) =>
  text(name, { enum: values });
export const bool = (name: string) => integer(name, { mode: "boolean" });
export const int = (name: string) => integer(name);
export const float = (name: string) => real(name);
export const json = <T>(name: string) => text(name, { mode: "json" }).$type<T>();
export const bytes = (name: string) => blob(name, { mode: "buffer" });
export const instant = (name: string) => instantType(name);
