import proofs from "./proofs.json" with { type: "json" };

export function proofsPage(): string {
  const rows = proofs.map(
    ({ name, purpose, duration, figures }) => `| \`${name}\` | ${purpose} | ${duration} | ${figures ?? ""} |`,
  );
  return `# Proofs

Run \`npm run proof -- NAME\`; options follow the name. Without a name the command lists all proofs. Durations and figures are of two cores. This page is generated from \`scripts/proofs.json\`: write new figures there, then \`npm run generate\`.

| name | purpose | duration | last figures |
|---|---|---|---|
${rows.join("\n")}
`;
}
