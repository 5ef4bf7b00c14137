import proofs from "./proofs.json" with { type: "json" };

export function proofsPage(): string {
  const rows = proofs.map(
    ({ name, purpose, duration, figures }) => `| \`${name}\` | ${purpose} | ${duration} | ${figures ?? ""} |`,
  );
  return `# Proofs

Run a proof with \`npm run proof -- NAME\`; options follow the name. Without a name the command lists all proofs. Durations and results are measured on two cores. This page is generated from \`scripts/proofs.json\`: write new results there, then run \`npm run generate\`.

| name | purpose | duration | last results |
|---|---|---|---|
${rows.join("\n")}
`;
}
