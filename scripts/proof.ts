import { spawnSync } from "node:child_process";
import proofs from "./proofs.json" with { type: "json" };

// `npm run proof -- NAME [OPTION…]` runs a proof in full. Without a name it lists all proofs.
const [name, ...options] = process.argv.slice(2);
const proof = proofs.find((known) => known.name === name);
if (proof) {
  if (proof.builds) run("node build.js");
  run(proof.command, options);
} else {
  const list = proofs.map(
    (known) => `${known.name.padEnd(18)}${known.duration.padEnd(30)}${shortenPurpose(known.purpose)}\n`,
  );
  const text = `npm run proof -- NAME\n\n${list.join("")}\nMeasured figures: docs/proofs.md\n`;
  process.stdout.write(name === undefined ? text : `No proof is named ${name}.\n\n${text}`);
  if (name !== undefined) process.exitCode = 2;
}

function shortenPurpose(purpose: string): string {
  return purpose.length > 100 ? `${purpose.slice(0, 100).replace(/\s\S*$/, "")} …` : purpose;
}

/** npm adds `node_modules/.bin` to the path. Exits if the command fails. */
function run(command: string, more: readonly string[] = []): void {
  const [program = "", ...args] = [...command.split(" "), ...more];
  const { status } = spawnSync(program, args, { stdio: "inherit", env: { ...process.env, PROOF: "whole" } });
  if (status !== 0) process.exit(status ?? 1);
}
