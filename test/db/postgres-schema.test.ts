import { generateDrizzleJson, generateMigration } from "drizzle-kit/api";
import { getTableConfig, type SQLiteColumn } from "drizzle-orm/sqlite-core";
import { parse, type ColumnDef, type Constraint, type IndexStmt, type Node } from "libpg-query";
import { beforeAll, expect, test } from "vitest";
import { postgresTables } from "./postgres-tables.ts";
import { tables } from "../../db/schema.ts";

/** PostgreSQL type by embedded column type. */
const TYPES: Record<string, string> = {
  SQLiteText: "text C",
  SQLiteInteger: "int8",
  SQLiteBoolean: "bool",
  SQLiteReal: "float8",
  SQLiteTextJson: "jsonb",
  SQLiteBlobBuffer: "bytea",
  SQLiteCustomColumn: "int8",
};

interface Shape {
  columns: string[];
  primaryKey: string[];
  references: string[];
  indexes: string[];
}

/** Every table as PostgreSQL's own parser reads the statements that make it. */
const parsed = new Map<string, Shape>();
/** Names unique per schema, and names unique per table. */
const names: string[] = [];

beforeAll(async () => {
  const statements = await generateMigration(generateDrizzleJson({}), generateDrizzleJson(postgresTables(tables)));
  const { stmts = [] } = await parse(statements.join("\n"));
  for (const { stmt } of stmts) if (stmt) read(stmt);
});

function read(statement: Node): void {
  if ("CreateStmt" in statement) {
    const { relation, tableElts = [] } = statement.CreateStmt;
    const shape: Shape = { columns: [], primaryKey: [], references: [], indexes: [] };
    parsed.set(relation?.relname ?? "", shape);
    names.push(relation?.relname ?? "");
    for (const element of tableElts) {
      if ("ColumnDef" in element) readColumn(element.ColumnDef, shape);
      if ("Constraint" in element) shape.primaryKey.push(...textsOf(element.Constraint.keys));
    }
  } else if ("AlterTableStmt" in statement) {
    const { relation, cmds = [] } = statement.AlterTableStmt;
    for (const command of cmds) {
      const added = "AlterTableCmd" in command ? command.AlterTableCmd.def : undefined;
      if (!added || !("Constraint" in added)) throw new Error("A statement that is not known.");
      parsed.get(relation?.relname ?? "")?.references.push(referenceOf(added.Constraint));
      names.push([relation?.relname, added.Constraint.conname].join("."));
    }
  } else if ("IndexStmt" in statement) {
    const { relation, idxname = "" } = statement.IndexStmt;
    parsed.get(relation?.relname ?? "")?.indexes.push(indexOf(statement.IndexStmt));
    names.push(idxname);
  } else throw new Error("A statement that is not known.");
}

function readColumn({ colname = "", typeName, collClause, constraints = [] }: ColumnDef, shape: Shape): void {
  const kinds = new Set(constraints.map((node) => ("Constraint" in node ? node.Constraint.contype : undefined)));
  const type = [textsOf(typeName?.names).at(-1), ...textsOf(collClause?.collname)].join(" ");
  const isRequired = kinds.has("CONSTR_NOTNULL");
  const hasDefault = kinds.has("CONSTR_DEFAULT");
  shape.columns.push(`${colname} ${type}${isRequired ? " required" : ""}${hasDefault ? " default" : ""}`);
  if (kinds.has("CONSTR_PRIMARY")) shape.primaryKey.push(colname);
}

const ACTIONS: Record<string, string> = { a: "no action", c: "cascade", n: "set null", r: "restrict" };

function referenceOf({ fk_attrs, pktable, pk_attrs, fk_del_action = "a" }: Constraint): string {
  return [list(textsOf(fk_attrs)), "to", pktable?.relname, list(textsOf(pk_attrs)), ACTIONS[fk_del_action]].join(" ");
}

function indexOf({ idxname, unique = false, indexParams = [], whereClause }: IndexStmt): string {
  const columns = indexParams.flatMap((node) => ("IndexElem" in node ? [node.IndexElem.name] : []));
  return [idxname, unique, list(columns), whereClause !== undefined].join(" ");
}

function list(columns: readonly (string | undefined)[]): string {
  return columns.join(",");
}

function textsOf(nodes: readonly Node[] = []): string[] {
  return nodes.flatMap((node) => ("String" in node ? [node.String.sval ?? ""] : []));
}

function nameOf({ name }: { name: string }): string {
  return name;
}

function sorted([name, shape]: [string, Shape]): [string, Shape] {
  return [name, { ...shape, references: shape.references.toSorted(), indexes: shape.indexes.toSorted() }];
}

test("the schema creates each table for PostgreSQL with columns, keys, references and indexes", () => {
  const defined = Object.values(tables).map((table): [string, Shape] => {
    const { name, columns, primaryKeys, foreignKeys, indexes } = getTableConfig(table);
    const own = columns.filter(({ primary }) => primary);
    return [
      name,
      {
        columns: columns.map(({ name: column, columnType, notNull, hasDefault, default: value }) => {
          // SQLite assigns integer primary keys; keys are always given.
          const isGiven = hasDefault && !(own.length === 1 && own[0]?.name === column && value === undefined);
          return `${column} ${TYPES[columnType]}${notNull ? " required" : ""}${isGiven ? " default" : ""}`;
        }),
        primaryKey: [...own, ...primaryKeys.flatMap((key) => key.columns)].map(nameOf),
        references: foreignKeys.map(({ reference, onDelete = "no action" }) => {
          const { columns: from, foreignTable, foreignColumns } = reference();
          return [
            list(from.map(nameOf)),
            "to",
            getTableConfig(foreignTable).name,
            list(foreignColumns.map(nameOf)),
            onDelete,
          ].join(" ");
        }),
        indexes: indexes.map(({ config }) => {
          const on = config.columns.map((column) => (column as SQLiteColumn).name);
          return [config.name, config.unique, list(on), config.where !== undefined].join(" ");
        }),
      },
    ];
  });
  expect(defined.length).toBeGreaterThanOrEqual(70);
  expect(Object.fromEntries([...parsed].map(sorted))).toEqual(Object.fromEntries(defined.map(sorted)));
});

test("names stay distinct after PostgreSQL truncates them to 63 bytes", () => {
  const cut = names.map((name) => {
    const [table, constraint] = name.split(".");
    return constraint === undefined ? name.slice(0, 63) : `${table}.${constraint.slice(0, 63)}`;
  });
  expect(names.length).toBeGreaterThan(250);
  expect(new Set(cut).size).toBe(names.length);
});
