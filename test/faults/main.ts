import { startVitest, type Reporter, type TestModule } from "vitest/node";
import { documentedFaults, tableLine, type Fault } from "./rows.ts";

// Provokes each fault of docs/operations.md in a separate service process, and prints the confirmed
// rows.

const rows: Fault[] = [];
const table: Reporter = {
  onTestRunEnd(modules: readonly TestModule[]) {
    for (const module of modules) {
      for (const found of module.children.allTests()) rows.push(...[found.meta().fault ?? []].flat());
    }
    console.info(`\n| fault | what the operator sees | what is lost | comes back |\n|---|---|---|---|`);
    for (const row of documentedFaults()) {
      console.info(rows.some((run) => run.fault === row.fault) ? tableLine(row) : `NOT PROVOKED: ${row.fault}`);
    }
  },
};

process.env["PROOF"] = "whole";
const vitest = await startVitest("test", ["test/faults"], { run: true, watch: false, reporters: ["default", table] });
await vitest.close();
