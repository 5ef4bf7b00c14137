import { DuckDBInstance } from "@duckdb/node-api";

// DuckDB in a process of its own. It is sent one list of statements after another, and answers with the milliseconds that reading all
// their rows took, and with the rows where they are asked for.

const instance = await DuckDBInstance.create(":memory:", { threads: "2" });
const connection = await instance.connect();

process.on("message", async ({ statements, wantsRows }) => {
  const started = performance.now();
  const read = [];
  for (const statement of statements) read.push(await connection.runAndReadAll(statement));
  const ms = performance.now() - started;
  const rows = wantsRows ? read.map((reader) => reader.getRows().map((row) => row.map(Number))) : [];
  process.send?.({ ms, rows });
});
