import Database12 from "better-sqlite3";
import Database13 from "better-sqlite3-node22";

const nodeMajor = Number(process.versions.node.split(".", 1)[0]);

/** Version 13 needs Node 22; version 12 can abort under Node 24.19 and later. Same API. */
export const Database = nodeMajor >= 22 ? Database13 : Database12;
export type Connection = Database12.Database;
export type PreparedStatement = Database12.Statement;
